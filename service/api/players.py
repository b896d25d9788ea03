"""Accounts and their tokens."""

from __future__ import annotations

from service import players
from service.api.http import SIGNED_IN, Blueprint, account, answer, games, location
from service.api.schemas.others import (
    AccountSchema,
    NewAccountSchema,
    NewPlayerSchema,
    NewTokenSchema,
    NothingSchema,
    TokensSchema,
)

blueprint = Blueprint("players", __name__, url_prefix="/v1",
                      description="Accounts, and the tokens that prove them.")
UNSTORED = {"Cache-Control": "no-store"}


@blueprint.route("/players", methods=["POST"])
@blueprint.doc(operationId="createPlayer", security=[])
@blueprint.problems(400, 413, 415, 422, 503)
@blueprint.arguments(NewPlayerSchema)
@blueprint.response(201, NewAccountSchema, description="The account and its token.",
                    headers=location("Where the account can be seen.", "/v1/me"))
def create_player(wish: dict):
    """Make an account

    Everybody who plays needs one: a person, a program, a bot. The token is shown this once and is
    all that proves who is calling, so keep it; it is stored only as a hash."""
    made, token = players.create(games().store.redis, wish["name"])
    return answer(made | {"token": token}, 201, {"Location": "/v1/me"} | UNSTORED)


@blueprint.route("/me")
@blueprint.doc(operationId="getMe", security=SIGNED_IN)
@blueprint.problems(401, 422, 503)
@blueprint.response(200, AccountSchema, description="The caller's account.")
def get_me():
    """See one's own account

    Whose token this is; a way to find out whether it still works."""
    return answer(account())


@blueprint.route("/me/tokens")
@blueprint.doc(operationId="listTokens", security=SIGNED_IN)
@blueprint.problems(401, 422, 503)
@blueprint.response(200, TokensSchema, description="What may be shown of the tokens.")
def list_tokens():
    """List one's tokens

    The oldest first. The tokens themselves are kept nowhere, so they cannot be shown."""
    return answer({"items": players.tokens(games().store.redis, account()), "next": None})


@blueprint.route("/me/tokens", methods=["POST"])
@blueprint.doc(operationId="createToken", security=SIGNED_IN)
@blueprint.problems(400, 401, 413, 415, 422, 503)
@blueprint.arguments(NothingSchema)
@blueprint.response(201, NewTokenSchema, description="The token.",
                    headers=location("Where the token can be revoked.", "/v1/me/tokens/t_1"))
def create_token(_wish: dict):
    """Make another token

    For another device, or to replace one before revoking it. It is shown this once."""
    shown, token = players.issue_token(games().store.redis, account())
    where = {"Location": f"/v1/me/tokens/{shown['id']}"}
    return answer(shown | {"token": token}, 201, where | UNSTORED)


@blueprint.route("/me/tokens/<string:token_id>", methods=["DELETE"])
@blueprint.doc(operationId="revokeToken", security=SIGNED_IN)
@blueprint.problems(401, 404, 422, 503)
@blueprint.response(204, description="The token is worthless from now on.")
def revoke_token(token_id: str):
    """Revoke a token

    It stops working at once, also if it is the one that the request was made with."""
    players.revoke_token(games().store.redis, account(), token_id)
    return answer_nothing()


def answer_nothing():
    """Return an answer without a body."""
    response = answer(None, 204)
    response.set_data(b"")
    del response.headers["Content-Type"]
    return response
