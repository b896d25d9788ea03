"""Queries of downloads of finished games, and of the public log."""

from marshmallow import validate

from service.accounts.bots import BOTS
from service.http.schemas import pages
from service.http.schemas.base import RECEIVED, Asked, Fits, WrittenWhole, moment, one_of, text

HISTORY = "^[0-9]{1,15}[.]g_[0-9a-f]{20}$"
DECISION = "^[0-9]{1,15}[.]g_[0-9a-f]{20}([.][1-9][0-9]{0,8})?$"
MOST_GAMES = 1_000_000


class HistoriesQuerySchema(Asked):
    """Filters of finished games."""

    board = text("Only games on this board.", required=False)
    bot = one_of(BOTS, "Only games in which this built-in bot had a seat.", required=False)
    since = moment("Only games that ended at this time or later.")
    until = moment("Only games that ended before this time.")
    after = text("The last `cursor` received; the answer continues after it.", required=False,
                 validate=Fits(HISTORY, RECEIVED))
    limit = WrittenWhole(required=False, validate=validate.Range(1, MOST_GAMES),
                         metadata={"description": "The maximum number of games."})


class DecisionsQuerySchema(HistoriesQuerySchema):
    """Filters of the finished games whose decisions to return."""

    after = text("The last `cursor` received; the answer continues after it.", required=False,
                 validate=Fits(DECISION, RECEIVED))


class LogQuerySchema(Asked):
    """Which lines of the log to return."""

    after = WrittenWhole(load_default=0, validate=validate.Range(0, 2**31 - 1), metadata={
        "description": "Only lines after the one with this `n`."})
    limit = pages.limit("lines to answer with", 1000, 500)
