"""Where the public log ends, as Redis knows it, so that new games need no database.

``records:log``  the number and the hash of the last line, written after each new line
"""

from __future__ import annotations

import time
from contextlib import suppress

from redis import Redis, RedisError
from redis.exceptions import RedisClusterException

from domain.codec import Json
from domain.log import EMPTY, Head

KEY = "records:log"
FRESH_S = 1.0  # seconds for which the end of the log is cached


class LogHead:
    """The end of the public log, cached in one process."""

    def __init__(self, redis: Redis):
        self._redis, self._known, self._asked = redis, EMPTY, float("-inf")

    def put(self, head: Head) -> None:
        """Write where the log ends."""
        self._redis.set(KEY, f"{head.n} {head.hash}")

    def members(self) -> Json:
        """Return the members of a game's first entry: the cached end of the log, a few seconds old
        at most; nothing if the log is empty or Redis does not answer."""
        if time.monotonic() - self._asked > FRESH_S:
            self._asked = time.monotonic()
            with suppress(RedisError, RedisClusterException, OSError):
                n, _, line_hash = (self._redis.get(KEY) or b"0 ").decode().partition(" ")
                self._known = Head(int(n), line_hash)
        return {"log_head": self._known._asdict()} if self._known.n else {}
