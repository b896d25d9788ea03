"""Reactions at a table, and who watches."""

from __future__ import annotations

from service.api.schemas.base import Answered, Asked, many, one_of, time, whole
from service.games.audience import REACTIONS


class ReactionRequestSchema(Asked):
    """A reaction to send."""

    reaction = one_of(REACTIONS, "What to say. Clients show it in the language of their user.")


class ReactionSchema(Answered):
    """A reaction of a player."""

    seat = whole("The player's seat.")
    reaction = one_of(REACTIONS, "What the player says.")
    at = time("When it was sent.")


class AudienceSchema(Answered):
    """The players' latest reactions, and how many watch a game."""

    watchers = whole("The number of spectators who follow the game now: streams of `listEvents` "
                     "with `audience` by callers without a seat. It is approximate: it may be some "
                     "15 seconds old, and 40 seconds if a stream was cut off.")
    reactions = many(ReactionSchema, "The reactions of the last minute, oldest first, at most 20. "
                                     "`seat` and `at` identify a reaction.")
