"""The pool: automatic pairing of players who are ready."""

from marshmallow import fields, validate

from service.accounts import api as players
from service.accounts.callers import account
from service.accounts.tokens import PLAY
from service.games.schemas.games import RANKED, board_or_overall
from service.games.strengths import scope_called
from service.http.answers import answer, answer_nothing, answer_page
from service.http.blueprint import Blueprint
from service.http.caching import brief_answer
from service.http.descriptions import SIGNED_IN
from service.http.schemas import pages
from service.http.schemas.base import Asked, Whole, distinct, whole
from service.http.serving import games, services
from service.pool import online
from service.pool.pool import CLOCKS, EXPIRES_IN_S, Pool
from service.pool.views import MyPool, PoolJson, own_view, view

CLOCK_WORDS = ", ".join(f"`{name}` {seconds:g}" for name, seconds in CLOCKS.items())

blueprint = Blueprint(
    "pool",
    __name__,
    url_prefix="/v1",
    description="A pool that is always open and pairs the players who are ready.",
)


class PoolRequestSchema(Asked):
    """The games that an account is ready for."""

    boards = fields.List(
        fields.String(validate=validate.Length(1, 100)),
        load_default=lambda: ["usa"],
        validate=[validate.Length(1, 20), distinct],
        metadata={
            "description": "Ids of boards to play in turn; `usa` by default.",
            "uniqueItems": True,
        },
    )
    seats = fields.List(
        Whole(validate=validate.Range(2, 5)),
        load_default=lambda: [2],
        validate=[validate.Length(1, 4), distinct],
        metadata={"description": "Accepted numbers of seats; 2 by default.", "uniqueItems": True},
    )
    clocks = fields.List(
        fields.String(validate=validate.OneOf(list(CLOCKS))),
        load_default=lambda: ["normal"],
        validate=[validate.Length(1, len(CLOCKS)), distinct],
        metadata={
            "description": f"Accepted clocks, in order of preference: {CLOCK_WORDS} seconds "
            "for each decision; `normal` by default.",
            "uniqueItems": True,
        },
    )
    parallel_games = whole(
        "The maximum number of games at the same time; 1 by default. Leave it at 1 if you play one "
        "game after the other, as all clocks run. A pairing has one game from each seat where all "
        "players have room for so many, else one game.",
        1,
        100,
        required=False,
        load_default=1,
    )
    expires_in = whole(
        f"Seconds without a heartbeat after which you are no longer ready; {EXPIRES_IN_S} by "
        "default. This request and following `listMyEvents` are heartbeats. With only a webhook, "
        "choose a longer time.",
        10,
        86_400,
        required=False,
        load_default=EXPIRES_IN_S,
    )


class OnlineBotsQuerySchema(Asked):
    """The rating to sort by, and the page to return."""

    board = board_or_overall()
    after = pages.after(RANKED)
    limit = pages.limit("bots to answer with")


@blueprint.operation("PUT /me/pool", "enterPool", SIGNED_IN, 404, 409, 503, body=PoolRequestSchema)
@blueprint.response(200, MyPool, description="Your status in the pool.")
def enter_pool(body: dict):
    """Enter the pool

    The pool pairs you with players of similar rating who are ready, or with a built-in bot if there
    are none. Players with fewer games today go first. Follow `listMyEvents`: it sends `paired` for
    each game, and following it keeps you ready. Repeat this request to renew or change what you are
    ready for. Each version of a bot first plays one test game against `random`. An account that
    runs out of time is removed, and may return after a pause that grows each time (`pool-paused`).
    """
    caller = account(PLAY)
    services().find(Pool).enter(caller, body)
    return answer(own_view(services().find(Pool), caller))


@blueprint.operation("GET /me/pool", "getMyPool", SIGNED_IN, 503)
@blueprint.response(200, MyPool, description="Your status in the pool.")
def get_my_pool():
    """Get your status in the pool

    Whether you are ready, your games, and the reason if the service removed you."""
    return answer(own_view(services().find(Pool), account()))


@blueprint.operation("DELETE /me/pool", "leavePool", SIGNED_IN, 409, 503)
@blueprint.response(204, description="You have left the pool.")
def leave_pool():
    """Leave the pool

    Games under way continue."""
    services().find(Pool).leave(account(PLAY))
    return answer_nothing()


@blueprint.operation("GET /pool", "getPool", [], 503)
@blueprint.brief(PoolJson, "The pool.")
def get_pool():
    """Get the pool

    The players who are ready, the games under way, and today's pairings."""
    return brief_answer(answer(view(services().find(Pool))))


@players.blueprint.operation(
    "GET /bots/online", "listBotsOnline", [], 404, 503, query=OnlineBotsQuerySchema
)
@players.blueprint.response(200, online.OnlineBots, description="A page of bots.")
def list_bots_online(query: dict):
    """List the bots that are online

    External bots that follow `listMyEvents`, or have called it within the last minute; you can
    invite them. Highest rating first. Send `next` as `after` until it is null. Bots that connect or
    leave in between may appear twice or not at all."""
    scope = scope_called(games().store, query["board"])
    return answer_page(*online.page(games(), scope, query.get("after"), query["limit"]))
