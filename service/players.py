"""Accounts and their tokens.

``player:ID``           the account, as JSON
``player:ID:tokens``    token id -> when it was made, for the list
``token:SHA256``        what a token stands for, as JSON; the token itself is kept nowhere
``token-id:ID``         token id -> SHA-256, to revoke by
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from hashlib import sha256

import orjson
from redis import Redis

from service.errors import BadRequest, NotSignedIn, UnknownThing
from service.store import now

PREFIX = "fogg_"
LONGEST_NAME = 40
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


def create(redis: Redis, name: str) -> tuple[dict, str]:
    """Make an account; return it and its first token, which can never be read again."""
    account = {"id": new_id("p"), "name": proper_name(name), "created": now()}
    redis.set(f"player:{account['id']}", orjson.dumps(account))
    return account, issue_token(redis, account)[1]


def issue_token(redis: Redis, account: dict, token: str | None = None) -> tuple[dict, str]:
    """Give an account a token; return what may be listed of it, and the token."""
    token = token or PREFIX + secrets.token_urlsafe(32)
    digest = sha256(token.encode()).hexdigest()
    shown = {"id": new_id("t"), "created": now()}
    pipe = redis.pipeline(transaction=False)
    pipe.set(f"token:{digest}", orjson.dumps({"token": shown["id"], "account": account}))
    pipe.set(f"token-id:{shown['id']}", digest)
    pipe.hset(f"player:{account['id']}:tokens", shown["id"], shown["created"])
    pipe.execute()
    return shown, token


def tokens(redis: Redis, account: dict) -> list[dict]:
    """Return what may be listed of an account's tokens, the oldest first."""
    held = redis.hgetall(f"player:{account['id']}:tokens")
    rows = [{"id": k.decode(), "created": v.decode()} for k, v in held.items()]
    return sorted(rows, key=lambda row: (row["created"], row["id"]))


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


def authenticate(redis: Redis, token: str) -> dict:
    """Return the account that a token stands for; its hash is looked up, so no comparison of
    secrets takes place that could be timed."""
    raw = redis.get(f"token:{sha256(token.encode()).hexdigest()}")
    if raw is None:
        raise NotSignedIn("this token is unknown or was revoked")
    return orjson.loads(raw)["account"]
