"""Accounts and their tokens, and the notices of an account."""

from __future__ import annotations

import time
from collections.abc import Iterator

from domain.described import as_json
from service.accounts import accounts, changes, registration, tokens
from service.accounts.accounts import Account, Accounts
from service.accounts.invitations import OwnAccount, Private, rules_of
from service.accounts.tokens import ADMIN, PLAY, Caller, CreatedAccount, CreatedToken, Tokens
from service.api.answers import JSON, NDJSON, answer, answer_created, answer_nothing, answer_page
from service.api.blueprint import Blueprint
from service.api.caching import NEVER
from service.api.callers import account, caller
from service.api.compressing import Alone
from service.api.descriptions import SIGNED_IN, location
from service.api.limits import count_address, count_stream
from service.api.schemas import players as schemas
from service.api.schemas.headers import SecretKeyHeadersSchema
from service.api.schemas.online import OnlineBotsQuerySchema
from service.api.serving import games, services
from service.api.streaming import BY_FORM, event, last_event_id, line, stream_of, wanted_form
from service.games.cursors import CURSOR
from service.games.notices import FROM_OTHERS, NoticesJson, follow
from service.games.streams import SILENCE_S
from service.matching import online
from service.operation import closing
from service.records.leaderboards import scope_called

blueprint = Blueprint("players", __name__, url_prefix="/v1",
                      description="Accounts, bots and tokens.")


@blueprint.operation("POST /players", "createPlayer", [], 503, headers=SecretKeyHeadersSchema,
                     body=schemas.PlayerRequestSchema)
@blueprint.response(201, CreatedAccount, description="The account and its token.",
                    headers=location("The account.", "/v1/me"))
def create_player(headers: dict, body: dict):
    """Create an account

    Every player needs one, person or program. The token is shown only in this answer and is the
    only proof of identity, so keep it. The service stores only its hash."""
    count_address("accounts")
    made, token = registration.register(games().redis, body["name"], headers.get("idempotency_key"))
    return answer_created(made.as_json() | {"token": token}, "/v1/me", NEVER)


@blueprint.operation("GET /me", "getMe", SIGNED_IN, 503)
@blueprint.response(200, OwnAccount, description="The caller's account.")
def get_me():
    """Get your account

    The account of the token that you send. Use it to check whether a token works."""
    return answer(_shown(account()))


@blueprint.operation("PATCH /me", "changeMe", SIGNED_IN, 404, 409, 503,
                     body=schemas.AccountRequestSchema)
@blueprint.response(200, OwnAccount, description="The changed account.")
def change_me(body: dict):
    """Change your account

    `invitations` says which invitations reach you: others are refused when they are made
    (`invitation-refused`), so you never see them. `blocked` accounts, and their bots, cannot invite
    you nor join the games that you create. A bot has settings of its own. In any case, one
    account and its bots have at most 3 open invitations to you.

    The `name` and `version` are recorded with each seat that you take and each tournament that you
    enter from now on. Earlier games and tournaments keep the old ones. Changing the `name` requires
    the scope `admin`.

    Only bots have a `version`. Each version is rated as a separate player (docs/ratings.md)."""
    me = account(ADMIN if "name" in body else PLAY)
    return answer(_changed(me, body))


def _changed(account: Account, body: dict) -> dict:
    """Change an account; return it as it is shown."""
    for board in body.get("invitations", {}).get("boards", ()):
        games().store.board(board)
    if body.get("blocked"):
        games().blocking.add(account.id)
    return _shown(changes.change(games().redis, account, body))


def _shown(account: Account) -> dict:
    """Return an account as it sees itself."""
    [rules] = rules_of(games().redis, [account.id])
    return account.as_json() | Private(invitations=as_json(rules), blocked=rules.blocked)


@blueprint.operation("DELETE /me", "deleteMe", SIGNED_IN, 503)
@blueprint.response(204, description="The account is deleted.")
def delete_me():
    """Delete your account

    Deletes the account and its bots permanently. They leave the pool and all lobbies, decline
    their invitations, resign their games and withdraw from tournaments. Their webhooks and tokens
    are deleted, the token of this request last. If the response was lost, retry until the answer is
    401.

    Games remain, since they belong to the other players too. Views, lists and tables show the
    player as `deleted`, without a rank on leaderboards. The name that the player had when taking a
    seat, or when invited to one, remains in the games' histories (`seat_taken`, `player_invited`
    and `invitation_closed` in `listEvents`, `getHistory`, `listHistories`), because the hashes
    cover it."""
    me = caller(ADMIN)
    closing.delete(services().pool, services().tournaments, me.account, me.token)
    return answer_nothing()


@blueprint.operation("GET /me/tokens", "listTokens", SIGNED_IN, 503,
                     query=schemas.OldestFirstQuerySchema)
@blueprint.response(200, Tokens, description="The tokens, without their secrets.")
def list_tokens(query: dict):
    """List your tokens

    Oldest first. The secrets themselves are not stored, so they cannot be shown. Send `next` as
    `after` until it is null."""
    rows, cursor = tokens.tokens_of(games().redis, account(ADMIN), query.get("after"),
                                    query["limit"])
    return answer_page([*map(as_json, rows)], cursor)


@blueprint.operation("POST /me/tokens", "createToken", SIGNED_IN, 409, 503,
                     headers=SecretKeyHeadersSchema, body=schemas.TokenRequestSchema)
@blueprint.response(201, CreatedToken, description="The token.",
                    headers=location("The token; send DELETE to revoke it.", "/v1/me/tokens/t_1"))
def create_token(headers: dict, body: dict):
    """Create a token

    For another device or purpose, or to replace a token before you revoke it. It is shown only in
    this answer. It has no scope that the token of this request lacks (`missing-scope`)."""
    me, own = account(ADMIN), caller(ADMIN)
    scopes = body.get("scopes", own.scopes)
    for scope in scopes:
        own.may(scope)
    listed, token = tokens.another(
        games().redis, me, scopes, body.get("label"), headers.get("idempotency_key"))
    return answer_created(as_json(listed) | {"token": token}, f"/v1/me/tokens/{listed.id}", NEVER)


@blueprint.operation("DELETE /me/tokens/<string:token_id>", "revokeToken", SIGNED_IN, 404, 503)
@blueprint.response(204, description="The token is revoked.")
def revoke_token(token_id: str):
    """Revoke a token

    The token stops working at once, even if it is the one that authorises this request. Streams
    opened with it end."""
    tokens.revoke(games().redis, account(ADMIN), token_id)
    games().news.publish(token_id)
    return answer_nothing()


@blueprint.operation("GET /me/bots", "listMyBots", SIGNED_IN, 503,
                     query=schemas.OldestFirstQuerySchema)
@blueprint.response(200, Accounts, description="The caller's bots.")
def list_my_bots(query: dict):
    """List your bots

    Oldest first. Send `next` as `after` until it is null."""
    rows, cursor = accounts.bots_of(games().redis, account(), query.get("after"), query["limit"])
    return answer_page([*map(as_json, rows)], cursor)


@blueprint.operation("POST /me/bots", "createBot", SIGNED_IN, 409, 503,
                     headers=SecretKeyHeadersSchema, body=schemas.BotRequestSchema)
@blueprint.response(201, CreatedAccount, description="The bot's account and its token.",
                    headers=location("The bot's page.", "/v1/players/p_1"))
def create_bot(headers: dict, body: dict):
    """Create a bot account

    The account is marked as a bot of yours permanently, in every game. Its token, which has the
    scopes of the token of this request, is shown only in this answer."""
    owner, scopes = account(ADMIN), caller(ADMIN).scopes
    count_address("accounts")
    made, token = registration.register_bot(
        games().redis, owner, body["name"], headers.get("idempotency_key"), body.get("version"),
        scopes)
    return answer_created(made.as_json() | {"token": token}, f"/v1/players/{made.id}", NEVER)


@blueprint.operation("PATCH /me/bots/<string:bot>", "changeBot", SIGNED_IN, 404, 503,
                     body=schemas.AccountRequestSchema)
@blueprint.response(200, OwnAccount, description="The changed account.")
def change_bot(body: dict, bot: str):
    """Change a bot

    As `changeMe`, for a bot that you own."""
    return answer(_changed(accounts.bot_of(games().redis, account(ADMIN), bot), body))


@blueprint.operation("DELETE /me/bots/<string:bot>", "deleteBot", SIGNED_IN, 404, 503)
@blueprint.response(204, description="The bot is deleted.")
def delete_bot(bot: str):
    """Delete a bot

    Deletes the bot permanently, as `deleteMe` does. If the response was lost, retry until the
    answer is 404."""
    closing.delete_bot(services().pool, services().tournaments, account(ADMIN), bot)
    return answer_nothing()


@blueprint.operation("GET /bots/online", "listBotsOnline", [], 404, 503,
                     query=OnlineBotsQuerySchema)
@blueprint.response(200, online.OnlineBots, description="A page of bots.")
def list_bots_online(query: dict):
    """List the bots that are online

    External bots that follow `listMyEvents`, or have called it within the last minute; you can
    invite them. Highest rating first. Send `next` as `after` until it is null. Bots that connect or
    leave in between may appear twice or not at all."""
    scope = scope_called(games().store, query["board"])
    return answer_page(*online.page(games(), scope, query.get("after"), query["limit"]))


@blueprint.operation("GET /me/events", "listMyEvents", SIGNED_IN, 503,
                     query=schemas.NoticesQuerySchema)
@blueprint.response(200, NoticesJson, description="The notices.")
@blueprint.streams(
    "One line for each `Notice`; empty lines are keep-alives.",
    "One event for each `Notice`, named after its type; its `id` is the cursor to resume from. "
    "Comments are keep-alives.")
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
        news = _staying(follower, follow(
            games(), follower, last_event_id(CURSOR) or cursor, query.get("keep_alive", SILENCE_S),
            query["legal_actions"]))
        return stream_of(_parts(news, form), form)
    if query["wait"]:
        count_stream()
    end = time.monotonic() + query["wait"]
    news = _staying(follower, follow(games(), follower, cursor, query["wait"],
                                      query["legal_actions"]))
    items, cursor = next(news)
    while not items and time.monotonic() < end:
        items, cursor = next(news)
    return answer_page(items, cursor, BY_FORM)


def _staying(follower: Caller, news: Iterator) -> Iterator:
    """Yield the notices. While somebody listens, keep their account in the pool and list their bot
    as online."""
    them = services()
    return them.online.watch(follower.account, them.pool.keep_ready(follower.account.id, news))


def _parts(news: Iterator, form: str) -> Iterator[bytes | None]:
    """Yield the bytes of a stream of notices."""
    for items, cursor in news:
        if not items:
            yield None
            continue
        *rows, last = items
        if form == NDJSON:
            part = b"".join([*map(line, rows), line(last | {"cursor": cursor})])
        else:
            part = b"".join([*(event(row["type"], row) for row in rows),
                             event(last["type"], last, cursor)])
        yield Alone(part) if any(row["type"] in FROM_OTHERS for row in items) else part
