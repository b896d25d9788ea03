"""Tokens, which authenticate the caller.

``player:ID:tokens``  token id -> its description, as JSON
``token:SHA256``      the account and scopes of a token, as JSON; the token itself is not stored
``token-id:ID``       token id -> SHA-256 of the token, for revoking it
"""

import base64
import hmac
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from operator import itemgetter
from typing import Annotated, Any, TypedDict

import orjson
from redis import Redis

from domain.described import AllOf, Page, Time, as_json, choice
from domain.errors import Refused
from service.accounts.accounts import Account, page_by_age
from service.errors import MissingScope, Revoked, UnknownThing
from service.eventlog.idempotency import create_once, replace_created
from service.eventlog.quotas import refuse_more
from service.redis.secret import service_secret
from service.times import now

PREFIX = "fogg_"
READ, PLAY, ADMIN = SCOPES = ("read", "play", "admin")


@dataclass(frozen=True)
class Token:
    """A token without its secret."""

    id: Annotated[str, "The token's id, to revoke it by."]
    scopes: Annotated[
        tuple[Annotated[str, choice(SCOPES), "A scope."], ...], "The scopes of the token."
    ]
    created: Annotated[Time, "When it was created."]
    label: Annotated[str | None, "A label chosen by its owner."] = None


class Secret(TypedDict):
    """The secret of a new token."""

    token: Annotated[
        str, "The secret. Send it as `Authorization: Bearer fogg_...`. It cannot be shown again."
    ]


Tokens = Page("Tokens", Token, "An account's tokens, oldest first.", "One page of the list.")
CreatedToken = AllOf(
    "CreatedToken", "A new token with its secret, which is shown only here.", (Token, Secret)
)
CreatedAccount = AllOf(
    "CreatedAccount", "A new account with its token, which is shown only here.", (Account, Secret)
)


class KnownCallers(dict[str, "Caller"]):
    """A process's cache of callers, by the key of their token."""


@dataclass(frozen=True)
class Caller:
    """An authenticated caller: the account, the token's id and scopes, and the key of the token in
    Redis, which disappears when the token is revoked."""

    account: Account
    token: str
    scopes: tuple[str, ...]
    key: str

    def may(self, scope: str) -> None:
        """Raise MissingScope unless the token has this scope."""
        if scope not in self.scopes:
            raise MissingScope(scope)


def new_token() -> str:
    return PREFIX + secrets.token_urlsafe(32)


def derived_token(redis: Redis, name: str) -> str:
    """Return the token for a name: always the same, derived from the service's secret."""
    return token_of(service_secret(redis), name)


def token_of(secret: bytes, name: str) -> str:
    """Return the token for a name: always the same, derived from this secret."""
    derived = hmac.digest(secret, name.encode(), "sha256")
    return PREFIX + base64.urlsafe_b64encode(derived).decode().rstrip("=")


def issue(
    redis: Redis,
    account: Account,
    token: str,
    scopes: Sequence[str] = SCOPES,
    label: str | None = None,
) -> Token:
    """Store a token for an account; return its description."""
    listed = Token(token_id(token), tuple(scopes), now(), label)
    pipe = redis.pipeline(transaction=False)
    pipe.set(
        token_key(token),
        orjson.dumps({"token": listed.id, "account": account.as_json(), "scopes": scopes}),
    )
    pipe.set(f"token-id:{listed.id}", sha256(token.encode()).hexdigest())
    pipe.hset(f"player:{account.id}:tokens", listed.id, orjson.dumps(as_json(listed)))
    pipe.execute()
    return listed


def another(
    redis: Redis, account: Account, scopes: Sequence[str], label: str | None, key: str | None
) -> tuple[Token, str]:
    """Create a token for an account; return its description and the token. It is idempotent
    under the key for a day. Raise Refused if the account has too many."""
    if not key:
        _refuse_more(redis, account)
        return issue(redis, account, token := new_token(), scopes, label), token
    name = f"token\n{account.id}\n{key}"
    asked: dict[str, Any] = {"asked": [sorted(scopes), label]}
    made = create_once(redis, name, asked, itemgetter("asked"))
    token = derived_token(redis, name)
    if "shown" in made:
        return Token(**made["shown"]), token
    _refuse_more(redis, account)
    # an earlier request may have died before it stored the token; this is the same token
    listed = issue(redis, account, token, scopes, label)
    replace_created(redis, name, made | {"shown": as_json(listed)})
    return listed, token


def _refuse_more(redis: Redis, account: Account) -> None:
    refuse_more("tokens", redis.hlen(f"player:{account.id}:tokens"), "revoke one of them")


def tokens_of(
    redis: Redis, account: Account, after: str | None, limit: int
) -> tuple[list[Token], str | None]:
    """Return a page of an account's tokens, and the cursor of the next page."""
    return page_by_age(_all(redis, account), after, limit)


def _all(redis: Redis, account: Account) -> list[Token]:
    return [Token(**orjson.loads(raw)) for raw in redis.hvals(f"player:{account.id}:tokens")]


def refuse_last(redis: Redis, account: Account, token_id: str) -> None:
    """Raise Refused unless another token of the account can manage it, too. A token that manages
    no account may always go."""
    managing = {token.id for token in _all(redis, account) if ADMIN in token.scopes}
    if managing == {token_id}:
        raise Refused(
            "last-token",
            None,
            "no other token of this account has the scope admin: without one nobody could use the "
            "account any more. Create another first, or delete the account",
        )


def revoke(redis: Redis, account: Account, token_id: str) -> None:
    if not redis.hexists(f"player:{account.id}:tokens", token_id):
        raise UnknownThing("token", token_id)
    digest = redis.get(f"token-id:{token_id}")
    pipe = redis.pipeline(transaction=False)
    if digest:
        pipe.delete(f"token:{digest.decode()}")
    pipe.delete(f"token-id:{token_id}")
    pipe.hdel(f"player:{account.id}:tokens", token_id)
    pipe.execute()


def revoke_all(redis: Redis, account: Account, last: str) -> list[str]:
    """Revoke an account's tokens, that with the id ``last`` at the end; return their ids."""
    keys = [raw.decode() for raw in redis.hkeys(f"player:{account.id}:tokens")]
    for one in sorted(keys, key=last.__eq__):
        with suppress(UnknownThing):  # another request has revoked it
            revoke(redis, account, one)
    return keys


def is_valid(redis: Redis, token_id: str) -> bool:
    """Return whether a token has not been revoked."""
    return bool(redis.exists(f"token-id:{token_id}"))


def authenticate(redis: Redis, token: str) -> Caller:
    """Return the caller. A look-up by hash leaks nothing by its timing."""
    key = token_key(token)
    return _caller(key, redis.get(key))


def authenticate_with_account(
    redis: Redis, token: str, account_id: str
) -> tuple[Caller, bytes | None]:
    """Return the caller that a token of this account authenticates, and the account as it is now,
    in one round trip."""
    key = token_key(token)
    pipe = redis.pipeline(transaction=False)
    pipe.get(key)
    pipe.get(f"player:{account_id}")
    raw, account = pipe.execute()
    return _caller(key, raw), account


def _caller(key: str, raw: bytes | None) -> Caller:
    if raw is None:
        raise Revoked
    row = orjson.loads(raw)
    return Caller(Account(**row["account"]), row["token"], row["scopes"], key)


def token_key(token: str) -> str:
    """Return the Redis key of a token, which has its hash."""
    return f"token:{sha256(token.encode()).hexdigest()}"


def token_id(token: str) -> str:
    """Return the id of a token. The token cannot be derived from it."""
    digest = sha256(token.encode()).hexdigest()
    return f"t_{sha256(digest.encode()).hexdigest()[:20]}"
