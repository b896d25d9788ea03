"""One stream of all public games under way."""

from collections.abc import Iterator

from service.accounts.callers import viewer
from service.games.live import Live, LiveMessages, Message
from service.http.answers import JSON, NDJSON, answer_page
from service.http.blueprint import Blueprint
from service.http.counting import count_stream
from service.http.descriptions import ANYBODY
from service.http.schemas import pages
from service.http.schemas.base import RECEIVED, Asked, Fits, text
from service.http.serving import services
from service.http.streaming import BY_FORM, event, last_event_id, line, stream_of, wanted_form

CURSOR = "^[0-9a-f]{8}[.][0-9]{1,15}$"

blueprint = Blueprint("live", __name__, url_prefix="/v1", description="Watch all public games.")


class LiveQuerySchema(Asked):
    """Where to resume, and how long to wait."""

    after = text(
        "The cursor of the last message that you have. Without it, or if the process does "
        "not know it, the first message is `under_way`.",
        required=False,
        validate=Fits(CURSOR, RECEIVED),
    )
    tournament = text("Only games of this tournament.", required=False)
    wait = pages.wait("Seconds to wait for a message if there is none yet.")


@blueprint.operation("GET /live", "listLive", ANYBODY, 503, query=LiveQuerySchema)
@blueprint.response(200, LiveMessages, description="The messages after `after`.")
@blueprint.streams(
    "One line for each `LiveMessage`; empty lines are keep-alives.",
    "One event for each `LiveMessage`, named after its type; its `id` is the cursor to resume "
    "from. Comments are keep-alives.",
)
def list_live(query: dict):
    """Follow all public games

    Follow the games under way that are listed and can be watched by anyone. The first message has
    the state of all of them; then one message for each game that begins, moves on or ends, as in
    lists, with the scores. To see what was played, follow the game itself (`listEvents`). Entries
    that arrive at the same moment are combined into one message.

    To resume, send the last cursor as `after` or `Last-Event-ID`. The web process that gave the
    cursor knows it for 10,000 messages, and until a minute after its last listener has left; then
    you get the messages after it, without gaps or repeats. Otherwise (the service has several
    processes, and you may reach another one) the stream begins with `under_way` again: the state of
    all games now, which replaces what you had. A game that is not in it is over or cannot be
    watched any more; `getGame` has its result. So after `under_way` you may have missed steps, but
    no current state.

    `tournament` limits the stream to the games of one tournament, for example for live scores.
    Games of duplicate deals are hidden until their deal is over, so they are not in the stream.

    `Accept` selects the form, as for `listEvents`; JSON gives one page."""
    viewer()
    form, cursor, live = wanted_form(), query.get("after"), services().find(Live)
    of = query.get("tournament")
    if form != JSON:
        return stream_of(
            _parts(live.listen(last_event_id(CURSOR) or cursor, tournament=of), form), form
        )
    if query["wait"]:
        count_stream()
    news = live.listen(cursor, query["wait"], of)
    messages = next(news) or next(news)
    return answer_page(
        [message.json for message in messages], messages[-1].cursor if messages else cursor, BY_FORM
    )


def _parts(news: Iterator[list[Message]], form: str) -> Iterator[bytes | None]:
    for messages in news:
        if form == NDJSON:
            yield b"".join([line(message.json) for message in messages]) or None
        else:
            yield (
                b"".join(
                    [event(message.type, message.json, message.cursor) for message in messages]
                )
                or None
            )
