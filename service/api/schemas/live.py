"""What is asked and told of all public games at once."""

from __future__ import annotations

from service.api.schemas import pages
from service.api.schemas.base import RECEIVED, Answered, Asked, Fits, many, one, one_of, text
from service.api.schemas.views import ListedGameSchema
from service.games.live import TYPES

CURSOR = "^[0-9a-f]{8}[.][0-9]{1,15}$"


class LiveQuerySchema(Asked):
    """From when on, and how long to wait."""

    after = text("The cursor of the last message that you have; where it is unknown, `under_way` "
                 "comes first, as without it.", required=False,
                 validate=Fits(CURSOR, RECEIVED))
    tournament = text("Only games of this tournament.", required=False)
    wait = pages.wait("If there is nothing new, wait up to so many seconds for it.")


class LiveMessageSchema(Answered):
    """How all public games stand, or what has happened in one."""

    type = one_of(TYPES, "`under_way`: the `games` are under way, and no others; it comes first, "
                  "and where what you have missed is not known any more. All others are of one "
                  "`game`. `begun`: it is under way. `moved`: it has come further, by one entry or "
                  "several. `over`: it is over. `lost`: it has gone back to an earlier version, as "
                  "what it had come to since was lost with a server.")
    games = many(ListedGameSchema, "With `under_way`.", required=False)
    game = one(ListedGameSchema, "As lists show it then.", required=False)
    cursor = text("Up to where you have been told, to go on from.")


class LiveMessagesSchema(Answered):
    """What there is to be told."""

    items = many(LiveMessageSchema, "The messages, the oldest first.")
    next = text("The `after` of the next request.")
