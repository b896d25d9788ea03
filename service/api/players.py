"""Accounts and their tokens."""

from __future__ import annotations

import time
from collections.abc import Iterator

from service.accounts import accounts, changes, registration, tokens
from service.accounts.tokens import ADMIN, PLAY, Caller
from service.api.answers import JSON, NDJSON, answer, answer_nothing
from service.api.blueprint import Blueprint
from service.api.caching import NEVER
from service.api.callers import account, caller
from service.api.compressing import Alone
from service.api.descriptions import SIGNED_IN, location
from service.api.limits import count_address, count_stream
from service.api.schemas.headers import SecretKeyHeadersSchema
from service.api.schemas.players import (
    AccountRequestSchema,
    AccountSchema,
    AccountsSchema,
    BotRequestSchema,
    CreatedAccountSchema,
    CreatedTokenSchema,
    NoticesQuerySchema,
    OldestFirstQuerySchema,
    PlayerRequestSchema,
    TokenRequestSchema,
    TokensSchema,
)
from service.api.schemas.views import NoticesSchema
from service.api.serving import games, services
from service.api.streaming import BY_FORM, event, last_event_id, line, stream_of, wanted_form
from service.games.cursors import CURSOR
from service.games.notices import FROM_OTHERS, follow
from service.operation import closing

blueprint = Blueprint("players", __name__, url_prefix="/v1",
                      description="Accounts, and the tokens that prove them.")


@blueprint.route("/players", methods=["POST"])
@blueprint.doc(operationId="createPlayer", security=[])
@blueprint.problems(503)
@blueprint.arguments(SecretKeyHeadersSchema, location="headers")
@blueprint.arguments(PlayerRequestSchema)
@blueprint.response(201, CreatedAccountSchema, description="The account and its token.",
                    headers=location("Where the account can be seen.", "/v1/me"))
def create_player(headers: dict, wish: dict):
    """Make an account

    Everybody who plays needs one: a person, a program, a bot. The token is shown this once and is
    all that proves who is calling, so keep it; it is stored only as a hash."""
    count_address("accounts")
    made, token = registration.register(games().redis, wish["name"], headers.get("idempotency_key"))
    return answer(made.as_json() | {"token": token}, 201, {"Location": "/v1/me"} | NEVER)


@blueprint.route("/me")
@blueprint.doc(operationId="getMe", security=SIGNED_IN)
@blueprint.problems(503)
@blueprint.response(200, AccountSchema, description="The caller's account.")
def get_me():
    """Get your account

    Whose token this is; a way to find out whether it still works."""
    return answer(account().as_json())


@blueprint.route("/me", methods=["PATCH"])
@blueprint.doc(operationId="changeMe", security=SIGNED_IN)
@blueprint.problems(409, 503)
@blueprint.arguments(AccountRequestSchema)
@blueprint.response(200, AccountSchema, description="The account as it is now.")
def change_me(wish: dict):
    """Change your name, or the version that you are

    Each is written down with each seat that you take and each tournament that you enter from now
    on. What you have taken or entered before stays as it was then: other games show the name that
    you had. A `name` takes a token with the scope `admin`.

    Only bots have a `version`; each is rated as a player of its own (docs/ratings.md)."""
    me = account(ADMIN if "name" in wish else PLAY)
    return answer(changes.change(games().redis, me, wish).as_json())


@blueprint.route("/me", methods=["DELETE"])
@blueprint.doc(operationId="deleteMe", security=SIGNED_IN)
@blueprint.problems(503)
@blueprint.response(204, description="There is no such account any more.")
def delete_me():
    """Delete your account

    With its bots, for good. It leaves the pool and the lobbies, resigns the games under way,
    withdraws from tournaments and takes back its offers; its webhooks and its tokens are gone, the
    one that this is asked with last, so ask again should the answer be lost, until it is 401.

    What was played stays, as others have played it too: views, lists and tables show the player as
    `deleted`, without a place on the leaderboards. The name that the player had when they sat down
    stays in the games' histories (`seat_taken` in `listEvents`, `getHistory`, `listHistories`), as
    their hashes cover it."""
    me = caller(ADMIN)
    closing.delete(services().pool, services().tournaments, me.account, me.token)
    return answer_nothing()


@blueprint.route("/me/tokens")
@blueprint.doc(operationId="listTokens", security=SIGNED_IN)
@blueprint.problems(503)
@blueprint.deprecated("2026-11-22", parameter="cursor")
@blueprint.arguments(OldestFirstQuerySchema, location="query")
@blueprint.response(200, TokensSchema, description="What may be shown of the tokens.")
def list_tokens(query: dict):
    """List your tokens

    The oldest first. The tokens themselves are kept nowhere, so they cannot be shown. Follow `next`
    as `after` until it is null."""
    rows, cursor = tokens.tokens_of(games().redis, account(ADMIN), query.get("after"),
                                    query["limit"])
    return answer({"items": [token.as_json() for token in rows], "next": cursor})


@blueprint.route("/me/tokens", methods=["POST"])
@blueprint.doc(operationId="createToken", security=SIGNED_IN)
@blueprint.problems(409, 503)
@blueprint.arguments(SecretKeyHeadersSchema, location="headers")
@blueprint.arguments(TokenRequestSchema)
@blueprint.response(201, CreatedTokenSchema, description="The token.",
                    headers=location("Where the token can be revoked.", "/v1/me/tokens/t_1"))
def create_token(headers: dict, wish: dict):
    """Make another token

    For another device or purpose, or to replace one before revoking it. It is shown this once."""
    listed, token = tokens.another(
        games().redis, account(ADMIN), wish["scopes"], wish.get("label"),
        headers.get("idempotency_key"))
    where = {"Location": f"/v1/me/tokens/{listed.id}"}
    return answer(listed.as_json() | {"token": token}, 201, where | NEVER)


@blueprint.route("/me/tokens/<string:token_id>", methods=["DELETE"])
@blueprint.doc(operationId="revokeToken", security=SIGNED_IN)
@blueprint.problems(404, 503)
@blueprint.response(204, description="The token is worthless from now on.")
def revoke_token(token_id: str):
    """Revoke a token

    It stops working at once, also if it is the one that the request was made with; streams that
    were asked for with it end."""
    tokens.revoke(games().redis, account(ADMIN), token_id)
    games().news.tell(token_id)
    return answer_nothing()


@blueprint.route("/me/bots")
@blueprint.doc(operationId="listMyBots", security=SIGNED_IN)
@blueprint.problems(503)
@blueprint.deprecated("2026-11-22", parameter="cursor")
@blueprint.arguments(OldestFirstQuerySchema, location="query")
@blueprint.response(200, AccountsSchema, description="The caller's bots.")
def list_my_bots(query: dict):
    """List your bots

    The oldest first. Follow `next` as `after` until it is null."""
    rows, cursor = accounts.bots_of(games().redis, account(), query.get("after"), query["limit"])
    return answer({"items": [bot.as_json() for bot in rows], "next": cursor})


@blueprint.route("/me/bots", methods=["POST"])
@blueprint.doc(operationId="createBot", security=SIGNED_IN)
@blueprint.problems(409, 503)
@blueprint.arguments(SecretKeyHeadersSchema, location="headers")
@blueprint.arguments(BotRequestSchema)
@blueprint.response(201, CreatedAccountSchema, description="The bot's account and its token.",
                    headers=location("Where the bot can be seen.", "/v1/players/p_1"))
def create_bot(headers: dict, wish: dict):
    """Create a bot account

    It is marked as a bot, and as yours, for ever and wherever it plays. Its token is shown this
    once."""
    owner = account(ADMIN)
    count_address("accounts")
    made, token = registration.register_bot(games().redis, owner, wish["name"],
                                            headers.get("idempotency_key"), wish.get("version"))
    where = {"Location": f"/v1/players/{made.id}"}
    return answer(made.as_json() | {"token": token}, 201, where | NEVER)


@blueprint.route("/me/bots/<string:bot>", methods=["PATCH"])
@blueprint.doc(operationId="changeBot", security=SIGNED_IN)
@blueprint.problems(404, 503)
@blueprint.arguments(AccountRequestSchema)
@blueprint.response(200, AccountSchema, description="The bot's account as it is now.")
def change_bot(wish: dict, bot: str):
    """Change one of your bots

    As `changeMe`, by its owner."""
    redis = games().redis
    found = accounts.bot_of(redis, account(ADMIN), bot)
    return answer(changes.change(redis, found, wish).as_json())


@blueprint.route("/me/bots/<string:bot>", methods=["DELETE"])
@blueprint.doc(operationId="deleteBot", security=SIGNED_IN)
@blueprint.problems(404, 503)
@blueprint.response(204, description="There is no such bot any more.")
def delete_bot(bot: str):
    """Delete one of your bots

    For good, as `deleteMe` says. Should the answer be lost, ask again, until it is 404."""
    closing.delete_bot(services().pool, services().tournaments, account(ADMIN), bot)
    return answer_nothing()


@blueprint.route("/me/events")
@blueprint.doc(operationId="listMyEvents", security=SIGNED_IN)
@blueprint.problems(503)
@blueprint.arguments(NoticesQuerySchema, location="query")
@blueprint.response(200, NoticesSchema, description="What there is to be told.")
@blueprint.streams(
    "An event for each `Notice`, named after its type; its `id` is the cursor to resume from. "
    "Comments are signs of life.",
    "A line for each `Notice`; empty lines are signs of life.")
def list_my_events(query: dict):
    """Follow all your games

    One stream for a bot, however many games it plays: it tells when a game has started, waits for
    you, or is over, and when you are invited. Each time you ask you are told of every game that
    waits for you; of the rest, what you have not been told by the cursor that you send as `after`
    or `Last-Event-ID`. `Accept` chooses the form, as for `listEvents`; as JSON it is a page.

    The view that comes with `your_turn` is as `legal_actions` says: `grouped` is enough to choose
    from, and the smallest."""
    follower, form, cursor = caller(), wanted_form(), query.get("after")
    if form != JSON:
        news = _staying(follower, follow(
            games(), follower, last_event_id(CURSOR) or cursor, listed=query["legal_actions"]))
        return stream_of(_parts(news, form), form)
    if query["wait"]:
        count_stream()
    end = time.monotonic() + query["wait"]
    news = _staying(follower, follow(games(), follower, cursor, query["wait"],
                                      query["legal_actions"]))
    found, cursor = next(news)
    while not found and time.monotonic() < end:
        found, cursor = next(news)
    return answer({"items": found, "next": cursor}, 200, BY_FORM)


def _staying(follower: Caller, news: Iterator) -> Iterator:
    """Yield what somebody listens to; that they do keeps them in the pool, if they are in it, and a
    bot online."""
    found = services()
    return found.online.watch(follower.account, found.pool.staying(follower.account.id, news))


def _parts(news: Iterator, form: str) -> Iterator[bytes | None]:
    """Yield what is sent of the notices, in one of the forms of a stream."""
    for found, cursor in news:
        if not found:
            yield None
            continue
        *rows, last = found
        if form == NDJSON:
            part = b"".join([*map(line, rows), line(last | {"cursor": cursor})])
        else:
            part = b"".join([*(event(row["type"], row) for row in rows),
                             event(last["type"], last, cursor)])
        yield Alone(part) if any(row["type"] in FROM_OTHERS for row in found) else part
