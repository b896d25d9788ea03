"""The public log of finished games."""

from __future__ import annotations

from service.accounts.callers import viewer
from service.histories import api as histories
from service.histories import log
from service.histories.schemas import LogQuerySchema
from service.http.answers import NDJSON, answer
from service.http.descriptions import ANYBODY
from service.http.serving import games
from service.http.streaming import BY_FORM, line, stream_of, wanted_form

blueprint = histories.blueprint


@blueprint.operation("GET /log", "getLog", ANYBODY, 503, query=LogQuerySchema)
@blueprint.response(200, log.LogJson, description="The next lines, and where the log ends.")
@blueprint.streams("One line for each `LogLine` after `after`, up to the end; empty lines are "
                   "keep-alives.")
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
    page: log.LogJson = {"items": items, "next": last if last < head.n else None}
    if head.n:
        page["head"] = {"n": head.n, "hash": head.hash}
    return answer(page, headers=BY_FORM)
