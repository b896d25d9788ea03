"""All public games under way, in one stream."""

from __future__ import annotations

from collections.abc import Iterator

from service.api.answers import JSON, NDJSON, answer
from service.api.blueprint import Blueprint
from service.api.callers import viewer
from service.api.descriptions import ANYBODY
from service.api.limits import count_stream
from service.api.schemas.live import CURSOR, LiveMessagesSchema, LiveQuerySchema
from service.api.serving import services
from service.api.streaming import BY_FORM, event, last_event_id, line, stream_of, wanted_form
from service.games.live import Message

blueprint = Blueprint("live", __name__, url_prefix="/v1",
                      description="Watching all that is played in public.")


@blueprint.route("/live")
@blueprint.doc(operationId="listLive", security=ANYBODY)
@blueprint.problems(503)
@blueprint.arguments(LiveQuerySchema, location="query")
@blueprint.response(200, LiveMessagesSchema, description="What there is to be told.")
@blueprint.streams(
    "An event for each `LiveMessage`, named after its type; its `id` is the cursor to resume from. "
    "Comments are signs of life.",
    "A line for each `LiveMessage`; empty lines are signs of life.")
def list_live(query: dict):
    """Follow all public games

    Those under way that everybody may find and watch. First how all of them stand, then each one
    that begins, has come further or is over, as lists show it, with the scores: follow a game
    itself (`listEvents`) for what was played. Entries that come at one moment are told as one step.

    Where you were cut off, ask again with the last cursor as `after` or `Last-Event-ID`. A cursor
    is known to the web process that gave it, for 10,000 messages and for a minute after the last
    listener there has gone: then you get what follows it, nothing twice and nothing left out. To
    all others (a service has several processes, and you may reach another one) it is unknown, and
    the first message is `under_way` again: how all games stand now, in place of all that you were
    told before. What is not in it is over, or can be watched no more; what it came to, `getGame`
    tells. So after `under_way` nothing that holds is lost to you, only steps in between.

    With `tournament` it is only the games of that one; so it tells the scores at all of its tables.
    (Where the same deal is played several times they are closed, and told nobody.)

    `Accept` chooses the form, as for `listEvents`; as JSON it is a page."""
    viewer()
    form, cursor, live = wanted_form(), query.get("after"), services().live
    of = query.get("tournament")
    if form != JSON:
        return stream_of(_parts(live.listen(
            last_event_id(CURSOR) or cursor, tournament=of), form), form)
    if query["wait"]:
        count_stream()
    news = live.listen(cursor, query["wait"], of)
    found = next(news) or next(news)
    return answer({"items": [message.json for message in found],
                   "next": found[-1].cursor if found else cursor}, 200, BY_FORM)


def _parts(news: Iterator[list[Message]], form: str) -> Iterator[bytes | None]:
    """Yield what is sent of messages, in one of the forms of a stream."""
    for found in news:
        if form == NDJSON:
            yield b"".join([line(message.json) for message in found]) or None
        else:
            yield b"".join([event(message.type, message.json, message.cursor)
                            for message in found]) or None
