"""Idempotent creation: a request that is repeated under an idempotency key creates one thing.

Histories remember the keys of their commands for ever. All other keys are kept here for a day:

``made:HASH``  what was created under a key, as JSON
"""

from collections.abc import Callable
from hashlib import sha256
from typing import TypeVar

import orjson
from redis import Redis

from domain.entry import IdempotencyKey
from service.errors import KeyReused

KEPT_FOR_S = 86_400  # seconds

Made = TypeVar("Made")  # anything that JSON can say


def create_once(redis: Redis, key: str, new: Made, asked: Callable[[Made], object]) -> Made:
    """Return the value stored under a key. The first request under a key stores ``new``. Raise
    KeyReused if a later request asks for something else; ``asked`` returns the request that a value
    was made for."""
    if redis.set(_kept_under(key), orjson.dumps(new), nx=True, ex=KEPT_FOR_S):
        return new
    made = orjson.loads(redis.get(_kept_under(key)))
    if asked(made) != asked(new):
        raise KeyReused
    return made


def replace_created(redis: Redis, key: str, made: object) -> None:
    redis.set(_kept_under(key), orjson.dumps(made), ex=KEPT_FOR_S)


def idempotency_key(
    account_id: str, key: str | None, operation: str, body: dict
) -> IdempotencyKey | None:
    """Return an account's idempotency key as histories hold it, None for a request without one."""
    if key is None:
        return None
    asked = orjson.dumps([operation, body], option=orjson.OPT_SORT_KEYS)
    return IdempotencyKey(
        sha256(f"{account_id}\n{key}".encode()).hexdigest()[:32], sha256(asked).hexdigest()[:16]
    )


def _kept_under(key: str) -> str:
    return f"made:{sha256(key.encode()).hexdigest()}"
