"""The notices of an account, and the invitations among them."""

import time
from collections.abc import Iterator
from typing import Annotated, TypedDict

from service.accounts import api as players
from service.accounts.callers import account, caller
from service.accounts.tokens import PLAY, Caller
from service.games import inviting
from service.games.cursors import CURSOR
from service.games.notices import FROM_OTHERS, NoticesJson, follow
from service.games.schemas.games import DeclineQuerySchema, legal_actions
from service.games.streams import SILENCE_S
from service.http.answers import JSON, NDJSON, answer, answer_page
from service.http.compressing import Alone
from service.http.counting import count_stream
from service.http.descriptions import SIGNED_IN
from service.http.schemas import pages
from service.http.schemas.base import RECEIVED, Asked, Fits, text
from service.http.serving import games
from service.http.streaming import BY_FORM, event, last_event_id, line, stream_of, wanted_form

blueprint = players.blueprint


class NoticesQuerySchema(Asked):
    """Where to resume, how long to wait, and the form of legal actions."""

    after = text(
        "The last `cursor` or `next` received. Without it, the answer describes the situation now.",
        required=False,
        validate=Fits(CURSOR, RECEIVED),
    )
    wait = pages.wait("With JSON: seconds to wait for the first notice.")
    keep_alive = pages.keep_alive()
    legal_actions = legal_actions()


@blueprint.operation("GET /me/events", "listMyEvents", SIGNED_IN, 503, query=NoticesQuerySchema)
@blueprint.response(200, NoticesJson, description="The notices.")
@blueprint.streams(
    "One line for each `Notice`; empty lines are keep-alives.",
    "One event for each `Notice`, "
    "named after its type; its `id` is the cursor to resume from. Comments are keep-alives.",
)
def list_my_events(query: dict):
    """Follow all your games

    One stream for all games of a bot: it reports when a game starts, waits for you or is over, when
    you are invited, and what happens in tournaments that you take part in or organise. Each request
    begins with every game that waits for you now, followed by the other notices since the cursor
    that you send as `after` or `Last-Event-ID`. `Accept` selects the form, as for `listEvents`;
    JSON gives one page.

    `legal_actions` selects the form of the view in `your_turn`. `grouped` is the smallest that
    still has every choice."""
    follower, form, cursor = caller(), wanted_form(), query.get("after")
    if form != JSON:
        news = _staying(
            follower,
            follow(
                games(),
                follower,
                last_event_id(CURSOR) or cursor,
                query.get("keep_alive", SILENCE_S),
                query["legal_actions"],
            ),
        )
        return stream_of(_parts(news, form), form)
    if query["wait"]:
        count_stream()
    end = time.monotonic() + query["wait"]
    news = _staying(
        follower, follow(games(), follower, cursor, query["wait"], query["legal_actions"])
    )
    items, cursor = next(news)
    while not items and time.monotonic() < end:
        items, cursor = next(news)
    return answer_page(items, cursor, BY_FORM)


class Declined(TypedDict):
    """The invitations that were declined."""

    declined: Annotated[int, {"minimum": 0}, "How many there were."]


@blueprint.operation(
    "DELETE /me/invitations", "declineInvitations", SIGNED_IN, 503, query=DeclineQuerySchema
)
@blueprint.response(200, Declined, description="How many invitations were declined.")
def decline_invitations(query: dict):
    """Decline all invitations

    As if you sent `closeInvitation` for each open invitation to you: each creator gets the notice
    `declined`. Repeating the request declines those that have come since."""
    return answer(Declined(declined=inviting.decline_all(games(), account(PLAY), query["reason"])))


def _staying(follower: Caller, news: Iterator) -> Iterator:
    for watch in games().listening:
        news = watch(follower.account, news)
    return news


def _parts(news: Iterator, form: str) -> Iterator[bytes | None]:
    for items, cursor in news:
        if not items:
            yield None
            continue
        *rows, last = items
        if form == NDJSON:
            part = b"".join([*map(line, rows), line(last | {"cursor": cursor})])
        else:
            part = b"".join(
                [*(event(row["type"], row) for row in rows), event(last["type"], last, cursor)]
            )
        yield Alone(part) if any(row["type"] in FROM_OTHERS for row in items) else part
