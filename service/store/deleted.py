"""Which accounts were deleted, and how they are shown.

``accounts:deleted``  their ids
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from redis import Redis

ASKED = 1.0  # seconds between two looks, so that what is asked for costs no request anything
KEY = "accounts:deleted"
NAME = "deleted"  # that is shown of all of them


class Deleted:
    """What one process knows of them."""

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
        """Let an account be shown as deleted from now on."""
        self._redis.sadd(KEY, account)
        self._asked = float("-inf")

    def hide(self, rows: Iterable[dict]) -> None:
        """Let rows that tell of a ``player`` tell nothing of one that was deleted but its id, and
        what kind it was."""
        if ids := self.ids:
            for row in rows:
                player = row.get("player")
                if player and player["id"] in ids:
                    row["player"] = player | {"name": NAME}
