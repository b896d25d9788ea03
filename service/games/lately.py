"""Whether any game has gone back lately, as Redis has lost entries.

``fogg:lost``  there for as long as somebody may come back who had heard of a game before
"""

from __future__ import annotations

import time

from redis import Redis

AWAY = 900_000  # milliseconds after which nobody comes back who had heard of a game before
ASKED = 1.0  # seconds between two looks, so that what is asked for costs no request anything
LOST = "fogg:lost"


class Lately:
    """What one process knows of it."""

    def __init__(self, redis: Redis):
        self._redis = redis
        self._is_so, self._asked = False, float("-inf")

    def note(self) -> None:
        """Say that a game has gone back."""
        self._redis.set(LOST, 1, px=AWAY)
        self._is_so, self._asked = True, time.monotonic()

    @property
    def has_lost(self) -> bool:
        """Whether any game has gone back lately."""
        if time.monotonic() - self._asked > ASKED:
            self._is_so, self._asked = bool(self._redis.exists(LOST)), time.monotonic()
        return self._is_so
