"""Whether any game was rolled back in the last minutes, because Redis lost entries.

``fogg:lost``  exists after a rollback, for as long as a client may come back with a lost version
"""

from __future__ import annotations

import time

from redis import Redis

KEEP_MS = 900_000  # milliseconds after which no client comes back with a lost version
ASKED = 1.0  # seconds for which an answer of Redis is used again
LOST = "fogg:lost"


class RecentRollbacks:
    """Whether there was a rollback, cached for a second in each process."""

    def __init__(self, redis: Redis):
        self._redis = redis
        self._is_so, self._asked = False, float("-inf")

    def note(self) -> None:
        self._redis.set(LOST, 1, px=KEEP_MS)
        self._is_so, self._asked = True, time.monotonic()

    @property
    def has_lost(self) -> bool:
        """Whether any game was rolled back in the last minutes."""
        if time.monotonic() - self._asked > ASKED:
            self._is_so, self._asked = bool(self._redis.exists(LOST)), time.monotonic()
        return self._is_so
