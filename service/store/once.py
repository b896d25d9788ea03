"""Making a thing once, however often a request for it is repeated under an idempotency key.

``made:HASH``  what a key has made, as JSON, for a day
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import TypeVar

import orjson
from redis import Redis

from service.errors import KeyReused

DAY = 86_400  # seconds

Made = TypeVar("Made")  # anything that JSON can say


def made_once(redis: Redis, key: str, new: Made, asked: Callable[[Made], object]) -> Made:
    """Return what is made under a key: ``new``, or what it has made before. ``asked`` returns what
    a request has asked for; raise KeyReused if that was something else."""
    if redis.set(_kept_under(key), orjson.dumps(new), nx=True, ex=DAY):
        return new
    made = orjson.loads(redis.get(_kept_under(key)))
    if asked(made) != asked(new):
        raise KeyReused
    return made


def make_known(redis: Redis, key: str, made: object) -> None:
    """Keep what a key has made in the end."""
    redis.set(_kept_under(key), orjson.dumps(made), ex=DAY)


def _kept_under(key: str) -> str:
    return f"made:{sha256(key.encode()).hexdigest()}"
