"""Accounts and their tokens, and the notices of an account."""

from domain.described import as_json
from service.accounts import accounts, closing, registration, schemas, tokens
from service.accounts.accounts import Account, Accounts
from service.accounts.callers import account, caller
from service.accounts.invitations import OwnAccount, Private, rules_of
from service.accounts.tokens import ADMIN, PLAY, CreatedAccount, CreatedToken, Tokens
from service.http.answers import answer, answer_created, answer_nothing, answer_page
from service.http.blueprint import Blueprint
from service.http.caching import NEVER
from service.http.counting import count_address
from service.http.descriptions import SIGNED_IN, location
from service.http.schemas.headers import SecretKeyHeadersSchema
from service.http.serving import games, services

blueprint = Blueprint(
    "players", __name__, url_prefix="/v1", description="Accounts, bots and tokens."
)


@blueprint.operation(
    "POST /players",
    "createPlayer",
    [],
    503,
    headers=SecretKeyHeadersSchema,
    body=schemas.PlayerRequestSchema,
)
@blueprint.response(
    201,
    CreatedAccount,
    description="The account and its token.",
    headers=location("The account.", "/v1/me"),
)
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


@blueprint.operation(
    "PATCH /me", "changeMe", SIGNED_IN, 404, 409, 503, body=schemas.AccountRequestSchema
)
@blueprint.response(200, OwnAccount, description="The changed account.")
def change_me(body: dict):
    """Change your account

    `invitations` says which invitations reach you: others are refused when they are made
    (`invitation-refused`), so you never see them. `blocked` accounts cannot invite you nor join the
    games that you create, nor you theirs; that holds for owners and all their bots. Otherwise a bot
    has settings of its own. In any case, one account and its bots have at most 3 open invitations
    to you.

    The `name` and `version` are recorded with each seat that you take and each tournament that you
    enter from now on. Earlier games and tournaments keep the old ones. Changing the `name` requires
    the scope `admin`.

    Only bots have a `version`. Each version is rated as a separate player (docs/ratings.md)."""
    me = account(ADMIN if "name" in body else PLAY)
    return answer(_changed(me, body))


def _changed(account: Account, body: dict) -> dict:
    for board in body.get("invitations", {}).get("boards", ()):
        games().store.board(board)
    if body.get("blocked"):
        games().blocking.add(account.id)
    return _shown(registration.change(games().redis, account, body))


def _shown(account: Account) -> dict:
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
    closing.delete(services(), me.account, me.token)
    return answer_nothing()


@blueprint.operation(
    "GET /me/tokens", "listTokens", SIGNED_IN, 503, query=schemas.OldestFirstQuerySchema
)
@blueprint.response(200, Tokens, description="The tokens, without their secrets.")
def list_tokens(query: dict):
    """List your tokens

    Oldest first. The secrets themselves are not stored, so they cannot be shown. Send `next` as
    `after` until it is null."""
    rows, cursor = tokens.tokens_of(
        games().redis, account(ADMIN), query.get("after"), query["limit"]
    )
    return answer_page([*map(as_json, rows)], cursor)


@blueprint.operation(
    "POST /me/tokens",
    "createToken",
    SIGNED_IN,
    409,
    503,
    headers=SecretKeyHeadersSchema,
    body=schemas.TokenRequestSchema,
)
@blueprint.response(
    201,
    CreatedToken,
    description="The token.",
    headers=location("The token; send DELETE to revoke it.", "/v1/me/tokens/t_1"),
)
def create_token(headers: dict, body: dict):
    """Create a token

    For another device or purpose, or to replace a token before you revoke it. It is shown only in
    this answer. It has no scope that the token of this request lacks (`missing-scope`)."""
    me, own = account(ADMIN), caller(ADMIN)
    scopes = body.get("scopes", own.scopes)
    for scope in scopes:
        own.may(scope)
    listed, token = tokens.another(
        games().redis, me, scopes, body.get("label"), headers.get("idempotency_key")
    )
    return answer_created(as_json(listed) | {"token": token}, f"/v1/me/tokens/{listed.id}", NEVER)


@blueprint.operation("DELETE /me/tokens/<string:token_id>", "revokeToken", SIGNED_IN, 404, 409, 503)
@blueprint.response(204, description="The token is revoked.")
def revoke_token(token_id: str):
    """Revoke a token

    The token stops working at once, even if it is the one that authorises this request. Streams
    opened with it end. The last token with the scope `admin` stays (`last-token`): an account
    without one could not be used any more. `deleteMe` deletes it with the account."""
    me = account(ADMIN)
    tokens.refuse_last(games().redis, me, token_id)
    tokens.revoke(games().redis, me, token_id)
    games().news.publish(token_id)
    return answer_nothing()


@blueprint.operation(
    "GET /me/bots", "listMyBots", SIGNED_IN, 503, query=schemas.OldestFirstQuerySchema
)
@blueprint.response(200, Accounts, description="The caller's bots.")
def list_my_bots(query: dict):
    """List your bots

    Oldest first. Send `next` as `after` until it is null."""
    rows, cursor = accounts.bots_of(games().redis, account(), query.get("after"), query["limit"])
    return answer_page([*map(as_json, rows)], cursor)


@blueprint.operation(
    "POST /me/bots",
    "createBot",
    SIGNED_IN,
    409,
    503,
    headers=SecretKeyHeadersSchema,
    body=schemas.BotRequestSchema,
)
@blueprint.response(
    201,
    CreatedAccount,
    description="The bot's account and its token.",
    headers=location("The bot's page.", "/v1/players/p_1"),
)
def create_bot(headers: dict, body: dict):
    """Create a bot account

    The account is marked as a bot of yours permanently, in every game. Its token, which has the
    scopes of the token of this request, is shown only in this answer."""
    owner, scopes = account(ADMIN), caller(ADMIN).scopes
    count_address("accounts")
    made, token = registration.register_bot(
        games().redis,
        owner,
        body["name"],
        headers.get("idempotency_key"),
        body.get("version"),
        scopes,
    )
    return answer_created(made.as_json() | {"token": token}, f"/v1/players/{made.id}", NEVER)


@blueprint.operation(
    "PATCH /me/bots/<string:bot>",
    "changeBot",
    SIGNED_IN,
    404,
    503,
    body=schemas.AccountRequestSchema,
)
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
    closing.delete_bot(services(), account(ADMIN), bot)
    return answer_nothing()
