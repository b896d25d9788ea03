"""Deleted accounts, and how they are shown.

``accounts:deleted``  their ids
"""

import time
from collections.abc import Iterable
from typing import Any

from redis import Redis

ASKED = 1.0  # seconds for which an answer of Redis is used again
KEY = "accounts:deleted"
NAME = "deleted"  # shown in place of their names


class AccountIds:
    """A set of accounts that only grows, cached in one process."""

    def __init__(self, redis: Redis, key: str):
        self._redis, self._key = redis, key
        self._ids: frozenset[str] = frozenset()
        self._asked = float("-inf")

    @property
    def ids(self) -> frozenset[str]:
        """The ids in the set, at most a second old."""
        if time.monotonic() - self._asked > ASKED:
            if self._redis.scard(self._key) != len(self._ids):
                self._ids = frozenset(raw.decode() for raw in self._redis.smembers(self._key))
            self._asked = time.monotonic()
        return self._ids

    def add(self, account: str) -> None:
        self._redis.sadd(self._key, account)
        self._asked = float("-inf")


class Deleted(AccountIds):
    """The deleted accounts, and how they are shown."""

    def __init__(self, redis: Redis):
        super().__init__(redis, KEY)

    def hide(self, rows: Iterable[Any]) -> None:
        """Replace the name of each deleted ``player``, seated or ``invited``, in these rows; its id
        and kind stay."""
        if ids := self.ids:
            for row in rows:
                for member in ("player", "invited"):
                    player = row.get(member)
                    if player and player["id"] in ids:
                        row[member] = {**player, "name": NAME}
