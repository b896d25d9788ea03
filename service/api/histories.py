"""Finished games as data: histories, and the decisions in them, one by one and in bulk."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Response

from service.api.answers import NDJSON, answer
from service.api.blueprint import Blueprint
from service.api.caching import for_ever, unless_had
from service.api.callers import viewer
from service.api.descriptions import ANYBODY, CONTENT_TAG
from service.api.limits import caller_or_address
from service.api.schemas.histories import (
    DecisionsQuerySchema,
    HistoriesQuerySchema,
    LogQuerySchema,
    LogSchema,
)
from service.api.serving import games, services
from service.api.streaming import BY_FORM, line, stream_of, wanted_form
from service.games import sight
from service.projections import histories
from service.store.log import AT_ONCE, GameLog

blueprint = Blueprint("histories", __name__, url_prefix="/v1",
                      description="Finished games as data, to be analysed and learned from.")


@blueprint.route("/games/<string:game>/history")
@blueprint.doc(operationId="getHistory", security=ANYBODY)
@blueprint.problems(404, 409, 503)
@blueprint.response(200, {"type": "string"}, content_type=NDJSON, headers=CONTENT_TAG,
                    description="A line for each `Entry`, the whole game.")
@blueprint.not_again("The history that you have is the right one.", CONTENT_TAG)
def get_history(game: str):
    """Download a game's history

    Of a finished game, everything as it is stored: a line for each entry. A line is the entry's
    very bytes, which its hash is of, with the hash as one more member at the end; docs/fairness.md
    says how to check them. It never changes, so keep it. `Accept-Encoding: gzip` makes it small."""
    found, lines = histories.history(games(), viewer(), game)
    response = Response(lines, mimetype=NDJSON)
    is_for_all = sight.is_for_all(found.state)
    response.headers |= for_ever("public" if is_for_all else "private")
    return unless_had({"ETag": f'"{found.hash}"'}, lambda: response)


@blueprint.route("/games/<string:game>/decisions")
@blueprint.doc(operationId="getDecisions", security=ANYBODY)
@blueprint.problems(404, 409, 503)
@blueprint.response(200, {"type": "string"}, content_type=NDJSON,
                    description="A line for each decision, in the order in which they were made.")
def get_decisions(game: str):
    """Download a game's decisions

    Of a finished game, a line of JSON for each action that a seat was asked for: `version` (of the
    entry that it became), `seat`, `decision`, `view` (the very view that the player had, with its
    `legal_actions`, and nothing that they could not see; only deadlines are left out), `action`,
    `at` (when it was accepted), `events` (what came of it, all of it, as in the entry),
    `milliseconds` (from when the decision was there to when the action was accepted; where the game
    has a clock, to when it arrived, less what the service was away), `timed_out` where the service
    acted for the seat, `result`, what the seat came to in the end, and `tickets`, those that it had
    then, each with whether it was `completed`."""
    return _download(histories.decisions(games(), viewer(), game))


@blueprint.route("/histories")
@blueprint.doc(operationId="listHistories", security=ANYBODY)
@blueprint.problems(503)
@blueprint.arguments(HistoriesQuerySchema, location="query")
@blueprint.response(200, {"type": "string"}, content_type=NDJSON,
                    description="A line for each game; empty lines are signs of life.")
def list_histories(query: dict):
    """Download many games' histories

    Public games that were played to a result, the first that ended first, without forks; those of
    duplicate deals once their whole deal is over. Each line is one game: `cursor`, `game`, `board`,
    `version`, `created`, `finished`, `seats` (with who sat there, `total` and `rank`) and
    `entries`, which are those of `getHistory`. Cut off, or a day later, go on with the last
    `cursor` as `after`: no game is missed and none comes twice.
    `Accept-Encoding: gzip` makes it small."""
    viewer()
    return _download(histories.histories(games().store, _filter(query), query.get("after")))


@blueprint.route("/decisions")
@blueprint.doc(operationId="listDecisions", security=ANYBODY)
@blueprint.problems(503)
@blueprint.arguments(DecisionsQuerySchema, location="query")
@blueprint.response(200, {"type": "string"}, content_type=NDJSON,
                    description="A line for each decision; empty lines are signs of life.")
def list_decisions(query: dict):
    """Download many games' decisions

    The games of `listHistories`, each a line for each decision, as `getDecisions` has them, with
    `cursor`, `game` and `board` before it. `limit` counts games. Go on with the last `cursor` as
    `after`, also in the middle of a game."""
    viewer()
    return _download(histories.all_decisions(games().store, _filter(query), query.get("after")))


@blueprint.route("/log")
@blueprint.doc(operationId="getLog", security=ANYBODY)
@blueprint.problems(503)
@blueprint.arguments(LogQuerySchema, location="query")
@blueprint.response(200, LogSchema, description="The next lines, and where the log ends.")
@blueprint.lines("A line for each `LogLine` after `after`, up to the end; empty lines are signs of "
                 "life.")
def get_log(query: dict):
    """Read the log of finished games

    A line for each game that is over and was begun, in order of arrival, mostly within
    seconds; nothing is ever changed or taken out. A line holds the hash of the game's last
    entry, which stands for its whole history, and the hash of the line before: so whoever keeps
    the hash of one line, a head, finds any change of what was there before (docs/fairness.md says
    what that proves). The first entry of each game names the head that was there as it was
    created. Of games that are not public the id is left out. With `Accept: application/x-ndjson`
    it is all lines up to the end, one after the other."""
    viewer()
    game_log, after = games().store.log, query["after"]
    if wanted_form() == NDJSON:
        return stream_of(_log_lines(game_log, after), NDJSON)
    items, head = game_log.lines(after, query["limit"]), game_log.head()
    last = items[-1]["n"] if items else after
    page = {"items": items, "next": last if last < head.n else None}
    return answer(page | ({"head": head._asdict()} if head.n else {}), headers=BY_FORM)


def _log_lines(game_log: GameLog, after: int) -> Iterator[bytes]:
    while rows := game_log.lines(after, AT_ONCE):
        yield b"".join(map(line, rows))
        after = rows[-1]["n"]


def _filter(query: dict) -> histories.HistoryFilter:
    return histories.HistoryFilter(**{name: v for name, v in query.items() if name != "after"})


def _download(parts: Iterator[bytes | None]) -> Response:
    """Return lines as they come; where many download, they take turns."""
    parts = services().downloads.each(caller_or_address(), parts)
    response = stream_of(parts, NDJSON, at_once=False)
    response.headers["Vary"] = "Accept-Encoding, Authorization"
    return response
