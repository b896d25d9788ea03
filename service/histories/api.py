"""Finished games as data: histories and decisions, of one game or in bulk; and the public log."""

from flask import Response
from marshmallow import validate

from service.accounts.bots import BOTS
from service.accounts.callers import viewer
from service.games import visibility
from service.histories import log
from service.http.answers import NDJSON, answer_page
from service.http.blueprint import Blueprint
from service.http.caching import for_ever, unless_had
from service.http.descriptions import ANYBODY, CONTENT_TAG
from service.http.schemas import pages
from service.http.schemas.base import RECEIVED, Asked, Fits, WrittenWhole, moment, one_of, text
from service.http.serving import games
from service.http.streaming import BY_FORM, download, line, stream_of, wanted_form
from service.records import histories

HISTORY = "^[0-9]{1,15}[.]g_[0-9a-f]{20}$"
DECISION = "^[0-9]{1,15}[.]g_[0-9a-f]{20}([.][1-9][0-9]{0,8})?$"
MOST_GAMES = 1_000_000

blueprint = Blueprint(
    "histories",
    __name__,
    url_prefix="/v1",
    description="Download finished games as data for analysis and training.",
)


class HistoriesQuerySchema(Asked):
    """Filters of finished games."""

    board = text("Only games on this board.", required=False)
    bot = one_of(BOTS, "Only games in which this built-in bot had a seat.", required=False)
    since = moment("Only games that ended at this time or later.")
    until = moment("Only games that ended before this time.")
    after = text(
        "The last `cursor` received; the answer continues after it.",
        required=False,
        validate=Fits(HISTORY, RECEIVED),
    )
    limit = WrittenWhole(
        required=False,
        validate=validate.Range(1, MOST_GAMES),
        metadata={"description": "The maximum number of games."},
    )


class DecisionsQuerySchema(HistoriesQuerySchema):
    """Filters of the finished games whose decisions to return."""

    after = text(
        "The last `cursor` received; the answer continues after it.",
        required=False,
        validate=Fits(DECISION, RECEIVED),
    )


class LogQuerySchema(Asked):
    """Which lines of the log to return."""

    after = WrittenWhole(
        load_default=0,
        validate=validate.Range(0, 2**31 - 1),
        metadata={"description": "Only lines after the one with this `n`."},
    )
    limit = pages.limit("lines to answer with", 1000, 500)


@blueprint.operation("GET /games/<string:game>/history", "getHistory", ANYBODY, 404, 409, 503)
@blueprint.response(
    200,
    {"type": "string"},
    content_type=NDJSON,
    headers=CONTENT_TAG,
    description="One line for each `Entry` of the game.",
    unchanged="Your copy is still current.",
)
def get_history(game: str):
    """Download a game's history

    The complete stored history of a finished game, one line for each entry. A line has exactly the
    bytes that the entry's hash was computed from, with the hash appended as the last member;
    docs/fairness.md says how to check them. A history never changes, so cache it permanently. Use
    `Accept-Encoding: gzip`."""
    loaded, lines = histories.history(games(), viewer(), game)
    response = Response(lines, mimetype=NDJSON)
    is_for_all = visibility.is_for_all(loaded.state)
    response.headers |= for_ever("public" if is_for_all else "private")
    return unless_had({"ETag": f'"{loaded.hash}"'}, lambda: response)


@blueprint.operation("GET /games/<string:game>/decisions", "getDecisions", ANYBODY, 404, 409, 503)
@blueprint.response(
    200,
    {"type": "string"},
    content_type=NDJSON,
    description="One line for each decision, in the order in which they were made.",
)
def get_decisions(game: str):
    """Download a game's decisions

    One line of JSON for each decision of a seat in a finished game: `version` (of the entry that it
    became), `seat`, `decision`, `view` (exactly the view that the player had, with `legal_actions`,
    without deadlines), `action`, `at` (when it was accepted), `events` (all its events, as in the
    entry), `milliseconds` (from when the decision was due to when the action was accepted; with a
    clock, to when it arrived, minus the service's downtime), `timed_out` if the service acted for
    the seat, `left` if the seat left the game later (`resigned` or `time`), `result` (the seat's
    final result), and `tickets` (those that the seat had then, each with `completed`)."""
    return download(histories.decisions(games(), viewer(), game))


@blueprint.operation("GET /histories", "listHistories", ANYBODY, 503, query=HistoriesQuerySchema)
@blueprint.response(
    200,
    {"type": "string"},
    content_type=NDJSON,
    description="One line for each game; empty lines are keep-alives.",
)
def list_histories(query: dict):
    """Download many games' histories

    Public games that were played to a result, in the order in which they ended. Forks are left out;
    games of duplicate deals appear once their whole deal is over. Each line is one game: `cursor`,
    `game`, `board`, `version`, `created`, `finished`, `seats` (with player, `total` and `rank`),
    `ratings` (of a rated game, within seconds of its end: the overall ratings before, by seat, with
    the `weight` of the game) and `entries` (as in `getHistory`). To resume, at once or a day later,
    send the last `cursor` as `after`: no game is missed or repeated. If thousands of games in a row
    do not match the filters, the answer ends with a line that has only a `cursor`: go on from it.
    Use `Accept-Encoding: gzip`."""
    viewer()
    return download(histories.histories(games(), _filter(query), query.get("after")))


@blueprint.operation("GET /decisions", "listDecisions", ANYBODY, 503, query=DecisionsQuerySchema)
@blueprint.response(
    200,
    {"type": "string"},
    content_type=NDJSON,
    description="One line for each decision; empty lines are keep-alives.",
)
def list_decisions(query: dict):
    """Download many games' decisions

    One line for each decision of the games of `listHistories`: the members of `getDecisions`,
    preceded by `cursor`, `game` and `board`, by `deal` (the ids of the games of the same deal) if a
    tournament or the pool has paired the game, and by `ratings` as in `listHistories`. `limit`
    counts games. To resume, even in the middle of a game, send the last `cursor` as `after`; a line
    that has only a `cursor` is as in `listHistories`."""
    viewer()
    return download(histories.all_decisions(games(), _filter(query), query.get("after")))


@blueprint.operation("GET /log", "getLog", ANYBODY, 503, query=LogQuerySchema)
@blueprint.response(200, log.LogJson, description="The next lines, and where the log ends.")
@blueprint.streams(
    "One line for each `LogLine` after `after`, up to the end; empty lines are keep-alives."
)
def get_log(query: dict):
    """Read the log of finished games

    One line for each game that was started and is over, in order of arrival, usually within
    seconds. Lines are never changed or removed. A line holds the hash of the game's last entry,
    which covers its whole history, and the hash of the line before. So if you keep the hash of one
    line (a head), you can detect any later change of what precedes it; docs/fairness.md says what
    that proves. The first entry of each game names the head at the time the game was created. Games
    that are not public are listed without their id. With `Accept: application/x-ndjson` the answer
    has all lines up to the end."""
    viewer()
    database, after = games().database, query["after"]
    if wanted_form() == NDJSON:
        lines = (b"".join(map(line, some)) for some in log.all_lines(database, after))
        return stream_of(lines, NDJSON)
    with database.reading() as db:
        items, head = log.lines(db, after, query["limit"]), log.head(db)
    last = items[-1]["n"] if items else after
    more = {"head": {"n": head.n, "hash": head.hash}} if head.n else {}
    return answer_page(items, last if last < head.n else None, BY_FORM, **more)


def _filter(query: dict) -> histories.HistoryFilter:
    return histories.HistoryFilter(**{name: v for name, v in query.items() if name != "after"})
