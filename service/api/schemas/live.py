"""The stream of all public games."""

from __future__ import annotations

from service.api.schemas import pages
from service.api.schemas.base import RECEIVED, Answered, Asked, Fits, many, one, one_of, text
from service.api.schemas.views import ListedGameSchema
from service.games.live import TYPES

CURSOR = "^[0-9a-f]{8}[.][0-9]{1,15}$"


class LiveQuerySchema(Asked):
    """Where to resume, and how long to wait."""

    after = text("The cursor of the last message that you have. Without it, or if the process does "
                 "not know it, the first message is `under_way`.", required=False,
                 validate=Fits(CURSOR, RECEIVED))
    tournament = text("Only games of this tournament.", required=False)
    wait = pages.wait("Seconds to wait for a message if there is none yet.")


class LiveMessageSchema(Answered):
    """The state of all public games, or a change in one of them."""

    type = one_of(TYPES, "`under_way`: the complete list of `games` under way; it is the first "
                         "message, and replaces messages that you missed and that are no longer "
                         "known. All other types are about one `game`. `begun`: it has started. "
                         "`moved`: it has one or more new entries. `over`: it is over. `lost`: it "
                         "was rolled back to an earlier version, because a server lost later "
                         "entries.")
    games = many(ListedGameSchema, "With `under_way`.", required=False)
    game = one(ListedGameSchema, "The game as in lists, at that moment.", required=False)
    cursor = text("The cursor to resume from after this message.")


class LiveMessagesSchema(Answered):
    """A page of messages."""

    items = many(LiveMessageSchema, "The messages, oldest first.")
    next = text("The `after` of the next request.")
