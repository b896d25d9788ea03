"""Locks, so that only one of many processes does some work. A lock has a name and ends by itself.

A lock lasts for a fixed time, for work that is short or idempotent.

Redis ends a lock by its machine's clock. If that clock is set back, a lock of one second would last
for as long as the clock was wrong. So a lock that lasts longer than anybody takes it for is cut to
that time.
"""

from redis import Redis


def try_lock(redis: Redis, name: str, milliseconds: int, most: int = 0) -> bool:
    """Take a lock for a time; return False if it was taken already. Others take it for ``most``
    milliseconds at most, by default for the same time."""
    if redis.set(name, 1, px=milliseconds, nx=True):
        return True
    time_left(redis, name, most or milliseconds)
    return False


def time_left(redis: Redis, name: str, most: int) -> int:
    """Return how many more milliseconds a lock will last, at most ``most``; 0 if it is free."""
    left = redis.pttl(name)
    if left > most:
        redis.pexpire(name, most)
    return max(0, min(left, most))
