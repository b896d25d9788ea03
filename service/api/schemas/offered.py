"""Seeks and challenges, as shown to callers."""

from __future__ import annotations

from domain.game.clock import ACT, RESIGN
from service.api.schemas.base import Answered, flag, number, one, one_of, text, time, whole
from service.api.schemas.seats import ClockTimesSchema, PlayerSchema
from service.store.offers import REASONS, STATES


class OfferSchema(Answered):
    """An offer of a game."""

    id = text("The offer's id.")
    game = text("The id that the game will have once the offer is accepted.")
    by = one(PlayerSchema, "The player who makes the offer.")
    board = text("The board's id.")
    seats = whole("The number of players, including `by`.", 2)
    clock = one(ClockTimesSchema, "The time that seats have; missing for the service's default.",
                required=False)
    on_timeout = one_of([RESIGN, ACT], "The effect of running out of time.",
                        required=False)
    rated = flag("Whether it is rated.")
    created = time("When the offer was made.")
    lapses = time("When the offer expires.")
    state = one_of(STATES, "The state of the offer; `accepted` once enough players have accepted.")
    accepted = whole("How many have accepted.")


class SeekSchema(OfferSchema):
    """A seek: an offer of a game to any player in a rating range."""

    rating_from = number("The minimum overall rating of players who may accept.", required=False)
    rating_to = number("The maximum overall rating.", required=False)
    accepted_by_you = flag("`true` if you have accepted; else missing.", required=False)


class ChallengeSchema(OfferSchema):
    """A challenge: an offer of a game for two to one player."""

    to = one(PlayerSchema, "The challenged player.")
    reason = one_of(REASONS, "The reason, if it was declined.", required=False)
