"""The time of the last success of each regular task of operators.

``fogg:done``  task -> when, in milliseconds since 1970, and more numbers about it"""

from __future__ import annotations

from redis import Redis

from service.times import now_in_ms

KEY = "fogg:done"
BACKUP, ARCHIVE = WORK = ("backup", "archive")
BACKUP_BYTES = "backup_bytes"


def note(redis: Redis, work: str, **more: int) -> None:
    """Record that a task has succeeded now."""
    redis.hset(KEY, mapping={work: now_in_ms()} | more)


def last(redis: Redis) -> dict[str, int]:
    """Return when each task succeeded last; a task that never did is missing."""
    return {name.decode(): int(value) for name, value in redis.hgetall(KEY).items()}
