"""Lua scripts in Redis: sent whole where they are not known.

A server forgets its scripts when it starts again, and a cluster's nodes know each their own: so
what is not known is sent to the very node that is to run it, in the same step.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha1
from typing import Any

from redis import Redis
from redis.exceptions import NoScriptError


class Script:
    """A script that is run as often as one likes; all its keys are in one slot."""

    def __init__(self, redis: Redis, text: str):
        self._redis, self._text = redis, text
        self._name = sha1(text.encode(), usedforsecurity=False).hexdigest()

    def __call__(self, keys: Iterable[str], args: Iterable[Any] = ()) -> Any:
        keys = [*keys]
        try:
            return self._redis.evalsha(self._name, len(keys), *keys, *args)
        except NoScriptError:
            return self._redis.eval(self._text, len(keys), *keys, *args)
