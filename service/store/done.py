"""When the work that operators have to do regularly was last done well.

``fogg:done``  work -> when, in milliseconds since 1970, and what else there is to say of it
"""

from __future__ import annotations

from redis import Redis

from service.times import now_in_ms

KEY = "fogg:done"
BACKUP, ARCHIVE = WORK = ("backup", "archive")
BACKUP_BYTES = "backup_bytes"


def note(redis: Redis, work: str, **more: int) -> None:
    """Note that work was done now."""
    redis.hset(KEY, mapping={work: now_in_ms()} | more)


def last(redis: Redis) -> dict[str, int]:
    """Return what was noted; work that was never done is missing."""
    return {name.decode(): int(value) for name, value in redis.hgetall(KEY).items()}
