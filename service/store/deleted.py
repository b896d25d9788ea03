"""Deleted accounts, and how they are shown.

``accounts:deleted``  their ids
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from redis import Redis

ASKED = 1.0  # seconds for which an answer of Redis is used again
KEY = "accounts:deleted"
NAME = "deleted"  # shown in place of their names


class Deleted:
    """The deleted accounts, cached in one process."""

    def __init__(self, redis: Redis):
        self._redis = redis
        self._ids: frozenset[str] = frozenset()
        self._asked = float("-inf")

    @property
    def ids(self) -> frozenset[str]:
        """The accounts that were deleted, up to a second ago."""
        if time.monotonic() - self._asked > ASKED:
            if self._redis.scard(KEY) != len(self._ids):
                self._ids = frozenset(raw.decode() for raw in self._redis.smembers(KEY))
            self._asked = time.monotonic()
        return self._ids

    def add(self, account: str) -> None:
        """Show an account as deleted from now on."""
        self._redis.sadd(KEY, account)
        self._asked = float("-inf")

    def hide(self, rows: Iterable[dict]) -> None:
        """Replace the name of each deleted ``player``, seated or ``invited``, in these rows; its id
        and kind stay."""
        if ids := self.ids:
            for row in rows:
                for member in ("player", "invited"):
                    player = row.get(member)
                    if player and player["id"] in ids:
                        row[member] = {**player, "name": NAME}
