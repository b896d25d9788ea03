"""The pool: being ready for games at any time."""

from __future__ import annotations

from service.accounts.tokens import PLAY
from service.api.answers import answer, answer_nothing
from service.api.blueprint import Blueprint
from service.api.caching import brief_answer
from service.api.callers import account
from service.api.descriptions import CONTENT_TAG, SIGNED_IN
from service.api.schemas.pool import MyPoolSchema, PoolRequestSchema, PoolSchema
from service.api.serving import services
from service.matching.pool_views import own_view, view

blueprint = Blueprint("pool", __name__, url_prefix="/v1",
                      description="A pool that is always open: who is ready is paired.")


@blueprint.route("/me/pool", methods=["PUT"])
@blueprint.doc(operationId="enterPool", security=SIGNED_IN)
@blueprint.problems(404, 409, 503)
@blueprint.arguments(PoolRequestSchema)
@blueprint.response(200, MyPoolSchema, description="How you stand in the pool.")
def enter_pool(wish: dict):
    """Be ready for games

    You are paired with whoever is ready and near in rating, with a built-in bot where nobody is;
    whoever has played less today goes first. Follow `listMyEvents`: it tells of each game that you
    are `paired` for, and that you listen is what keeps you ready. Send this again as often as you
    like, to renew it or to change what you are ready for. A bot plays a game against `random`
    first, as each version once. Who runs out of time is taken out, and may be back after a pause
    that grows (`pool-paused`)."""
    caller = account(PLAY)
    services().pool.enter(caller, wish)
    return answer(own_view(services().pool, caller))


@blueprint.route("/me/pool")
@blueprint.doc(operationId="getMyPool", security=SIGNED_IN)
@blueprint.problems(503)
@blueprint.response(200, MyPoolSchema, description="How you stand in the pool.")
def get_my_pool():
    """See how one stands in the pool

    Whether you are ready, what you are playing, and why you are out if the service took you out."""
    return answer(own_view(services().pool, account()))


@blueprint.route("/me/pool", methods=["DELETE"])
@blueprint.doc(operationId="leavePool", security=SIGNED_IN)
@blueprint.problems(409, 503)
@blueprint.response(204, description="You are paired no more.")
def leave_pool():
    """Be ready no more

    Games under way are to be played on."""
    services().pool.leave(account(PLAY))
    return answer_nothing()


@blueprint.route("/pool")
@blueprint.doc(operationId="getPool", security=[])
@blueprint.problems(503)
@blueprint.response(200, PoolSchema, description="The pool.", headers=CONTENT_TAG)
@blueprint.not_again("What you have is still right.", CONTENT_TAG)
def get_pool():
    """See the pool

    Who is ready, what is under way, and how the pairing has gone today."""
    return brief_answer(answer(view(services().pool)))
