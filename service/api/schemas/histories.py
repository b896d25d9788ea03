"""Downloads of finished games, and the public log."""

from __future__ import annotations

from marshmallow import fields, validate

from service.accounts.bots import BOTS
from service.api.schemas import pages
from service.api.schemas.base import (
    RECEIVED,
    Answered,
    Asked,
    Fits,
    WrittenWhole,
    many,
    moment,
    one,
    one_of,
    text,
    whole,
)

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


class LogHeadSchema(Answered):
    """A head of the log of finished games: its last line at some time."""

    n = whole("The number of the line.", 1)
    hash = text("The hash of the line, which covers all lines before it.")


class LogLineSchema(Answered):
    """A line of the log of finished games."""

    n = whole("The line's number: 1, 2, 3 ... without gaps.", 1)
    game = text("The game's id, if the game is public.", required=False)
    last = text("The hash of the last entry in the game's history.")
    previous = text("The hash of the line before; empty for the first line.")
    hash = text("SHA-256 of the other members as JSON, sorted by name, without spaces.")


class LogSchema(Answered):
    """A page of the log of finished games."""

    items = many(LogLineSchema, "The lines, oldest first.")
    head = one(LogHeadSchema, "The last line of the log now; missing while the log is "
                              "empty.", required=False)
    next = fields.Integer(required=True, allow_none=True, metadata={
        "description": "The `after` of the next request; null at the end."})
