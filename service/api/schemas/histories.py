"""Which finished games are asked for."""

from __future__ import annotations

from marshmallow import validate

from service.accounts.bots import BOTS
from service.api.schemas.base import Asked, Fits, WrittenWhole, moment, one_of, text

HISTORY = "^[0-9]{1,15}[.]g_[0-9a-f]{20}$"
DECISION = "^[0-9]{1,15}[.]g_[0-9a-f]{20}([.][1-9][0-9]{0,8})?$"
MOST_GAMES = 1_000_000


class HistoriesQuerySchema(Asked):
    """Which finished games to answer with."""

    board = text("Only games on this board.", required=False)
    bot = one_of(BOTS, "Only games in which this built-in bot had a seat.", required=False)
    since = moment("Only games that ended at this time or later.")
    until = moment("Only games that ended before this time.")
    after = text("The last `cursor` received: go on after it.", required=False,
                 validate=Fits(HISTORY))
    limit = WrittenWhole(required=False, validate=validate.Range(1, MOST_GAMES),
                         metadata={"description": "The most games to answer with."})


class DecisionsQuerySchema(HistoriesQuerySchema):
    """Which finished games' decisions to answer with."""

    after = text("The last `cursor` received: go on after it.", required=False,
                 validate=Fits(DECISION))
