"""Accounts and their tokens.

``player:ID``           the account, as JSON
``player:ID:tokens``    token id -> what may be listed of it, as JSON
``player:ID:bots``      the ids of the bots that the account owns
``token:SHA256``        what a token stands for, as JSON; the token itself is kept nowhere
``token-id:ID``         token id -> SHA-256, to revoke by
``made:HASH``           what an idempotency key has made, for a day
``fogg:secret``         random, made once: tokens that are to be answered twice are derived from it
"""

from __future__ import annotations

import base64
import hmac
import re
import secrets
import unicodedata
from dataclasses import dataclass
from hashlib import sha256

import orjson
from redis import Redis

from service.errors import BadRequest, KeyReused, MissingScope, NotYours, Revoked, UnknownThing
from service.times import now

PREFIX = "fogg_"
LONGEST_NAME = 40
READ, PLAY, ADMIN = SCOPES = ("read", "play", "admin")
EXTERNAL = "external"  # the ``bot`` of an account that a bot of somebody's own plays with
DAY = 86_400  # seconds
# controls, invisible formatting, private use and non-characters
_NOT_SHOWN = (
    r"\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\ue000-\uf8ff\ufeff\ufff0-\uffff"
)
NAME = rf"^[^\s{_NOT_SHOWN}]([^{_NOT_SHOWN}]*[^\s{_NOT_SHOWN}])?$"


def new_id(kind: str) -> str:
    """Return a new opaque id: ``kind`` is a letter that tells people what it names."""
    return f"{kind}_{secrets.token_hex(10)}"


def proper_name(name: str) -> str:
    """Return the name normalised (NFC, single spaces); refuse what cannot be shown as one line."""
    if len(name) > LONGEST_NAME or not re.fullmatch(NAME, name):
        raise BadRequest(
            f"a name has 1 to {LONGEST_NAME} characters, none of them a control character, and no "
            "space at either end", "name")
    return " ".join(unicodedata.normalize("NFC", name).split())


@dataclass(frozen=True)
class Caller:
    """Who calls: an account, by a token with its id, its scopes, and the key it is kept under,
    which is gone once the token is revoked."""

    account: dict
    token: str
    scopes: tuple[str, ...]
    key: str

    def may(self, scope: str) -> None:
        """Raise MissingScope unless the token is good for this."""
        if scope not in self.scopes:
            raise MissingScope(scope)


def secret(redis: Redis) -> bytes:
    """Return the service's secret, the same for ever."""
    redis.set("fogg:secret", secrets.token_bytes(32), nx=True)
    return redis.get("fogg:secret")


def create(redis: Redis, name: str, key: str | None = None) -> tuple[dict, str]:
    """Make an account; return it and its first token, which can never be read again.

    With the same idempotency key it is the same account and token, for a day: so such a key must
    be as hard to guess as a token.
    """
    account = {"id": new_id("p"), "name": proper_name(name)}
    return _made_once(redis, f"player\n{key}" if key else None, account)


def create_bot(redis: Redis, owner: dict, name: str, key: str | None = None) -> tuple[dict, str]:
    """Make an account that is marked as a bot of its owner's for ever."""
    if "bot" in owner:
        raise NotYours("a bot cannot own bots")
    account = {"id": new_id("p"), "name": proper_name(name), "bot": EXTERNAL, "owner": owner["id"]}
    made, token = _made_once(redis, f"bot\n{owner['id']}\n{key}" if key else None, account)
    redis.sadd(f"player:{owner['id']}:bots", made["id"])
    return made, token


def _made_once(redis: Redis, key: str | None, wish: dict) -> tuple[dict, str]:
    """Make an account, or return the one that the same key has made."""
    token, kept = None, None
    account = wish | {"created": now()}
    if key:
        token, kept = _derived(redis, key), f"made:{sha256(key.encode()).hexdigest()}"
        if not redis.set(kept, orjson.dumps(account), nx=True, ex=DAY):
            account = orjson.loads(redis.get(kept))
            if {**account, "id": "", "created": ""} != {**wish, "id": "", "created": ""}:
                raise KeyReused
    if not key or not redis.exists(f"player:{account['id']}"):
        token = issue_token(redis, account, token)[1]
        redis.set(f"player:{account['id']}", orjson.dumps(account))
    return account, token


def _derived(redis: Redis, key: str) -> str:
    """Return the token that an idempotency key always makes."""
    digest = hmac.digest(secret(redis), key.encode(), "sha256")
    return PREFIX + base64.urlsafe_b64encode(digest).decode().rstrip("=")


def get(redis: Redis, player_id: str) -> dict:
    """Return what everybody may know of an account."""
    raw = redis.get(f"player:{player_id}")
    if raw is None:
        raise UnknownThing("player", player_id)
    return orjson.loads(raw)


def bots_of(redis: Redis, owner: dict) -> list[dict]:
    """Return the bots that an account owns, the oldest first."""
    ids = sorted(redis.smembers(f"player:{owner['id']}:bots"))
    rows = [get(redis, player_id.decode()) for player_id in ids]
    return sorted(rows, key=lambda row: (row["created"], row["id"]))


def issue_token(
    redis: Redis, account: dict, token: str | None = None, scopes: tuple[str, ...] = SCOPES,
    label: str | None = None,
) -> tuple[dict, str]:
    """Give an account a token; return what may be listed of it, and the token."""
    token = token or PREFIX + secrets.token_urlsafe(32)
    digest = sha256(token.encode()).hexdigest()
    shown = {"id": token_id(token), "scopes": scopes, "created": now()}
    if label:
        shown["label"] = label
    pipe = redis.pipeline(transaction=False)
    pipe.set(f"token:{digest}",
             orjson.dumps({"token": shown["id"], "account": account, "scopes": scopes}))
    pipe.set(f"token-id:{shown['id']}", digest)
    pipe.hset(f"player:{account['id']}:tokens", shown["id"], orjson.dumps(shown))
    pipe.execute()
    return shown, token


def another_token(
    redis: Redis, account: dict, scopes: tuple[str, ...], label: str | None, key: str | None
) -> tuple[dict, str]:
    """Give an account one more token, only one for the same idempotency key within a day."""
    if not key:
        return issue_token(redis, account, None, scopes, label)
    name = f"token\n{account['id']}\n{key}"
    kept, token = f"made:{sha256(name.encode()).hexdigest()}", _derived(redis, name)
    asked = [sorted(scopes), label]
    if redis.set(kept, orjson.dumps({"asked": asked}), nx=True, ex=DAY):
        shown, token = issue_token(redis, account, token, scopes, label)
        redis.set(kept, orjson.dumps({"asked": asked, "shown": shown}), ex=DAY)
        return shown, token
    made = orjson.loads(redis.get(kept))
    if made["asked"] != asked:
        raise KeyReused
    # whoever asked first may have died before the token was kept: it is the same one again
    return made.get("shown") or issue_token(redis, account, token, scopes, label)[0], token


def tokens(redis: Redis, account: dict) -> list[dict]:
    """Return what may be listed of an account's tokens, the oldest first."""
    held = redis.hvals(f"player:{account['id']}:tokens")
    return sorted(map(orjson.loads, held), key=lambda row: (row["created"], row["id"]))


def revoke_token(redis: Redis, account: dict, token_id: str) -> None:
    """Make a token of the account's worthless at once."""
    if not redis.hexists(f"player:{account['id']}:tokens", token_id):
        raise UnknownThing("token", token_id)
    digest = redis.get(f"token-id:{token_id}")
    pipe = redis.pipeline(transaction=False)
    if digest:
        pipe.delete(f"token:{digest.decode()}")
    pipe.delete(f"token-id:{token_id}")
    pipe.hdel(f"player:{account['id']}:tokens", token_id)
    pipe.execute()


def is_valid(redis: Redis, token_id: str) -> bool:
    """Return whether a token has not been revoked."""
    return bool(redis.exists(f"token-id:{token_id}"))


def authenticate(redis: Redis, token: str) -> Caller:
    """Return who calls with a token; its hash is looked up, so no comparison of
    secrets takes place that could be timed."""
    key = token_key(token)
    raw = redis.get(key)
    if raw is None:
        raise Revoked
    found = orjson.loads(raw)
    return Caller(found["account"], found["token"], found["scopes"], key)


def token_key(token: str) -> str:
    """Return the key that a token is kept under: its hash."""
    return f"token:{sha256(token.encode()).hexdigest()}"


def token_id(token: str) -> str:
    """Return what a token is listed under: nothing that it could be found out from."""
    digest = sha256(token.encode()).hexdigest()
    return f"t_{sha256(digest.encode()).hexdigest()[:20]}"
