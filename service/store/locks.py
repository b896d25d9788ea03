"""Locks, so that only one of many processes does some work. A lock has a name and ends by itself.

``try_lock`` takes a lock for a fixed time, for work that is short or idempotent. ``locked`` holds
one for as long as the work takes.

Redis ends a lock by its machine's clock. If that clock is set back, a lock of one second would last
for as long as the clock was wrong. So a lock that lasts longer than anybody takes it for is cut to
that time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from redis import Redis
from redis.exceptions import LockError, RedisError

RENEWALS = 5  # of a lock during its lifetime; one less may fail in a row


class Busy(Exception):
    """Another process holds the lock."""


def try_lock(redis: Redis, name: str, milliseconds: int) -> bool:
    """Take a lock for a time; return False if it was taken already."""
    if redis.set(name, 1, px=milliseconds, nx=True):
        return True
    time_left(redis, name, milliseconds)
    return False


def time_left(redis: Redis, name: str, most: int) -> int:
    """Return how many more milliseconds a lock will last, at most ``most``; 0 if it is free."""
    left = redis.pttl(name)
    if left > most:
        redis.pexpire(name, most)
    return max(0, min(left, most))


@contextmanager
def locked(redis: Redis, name: str, seconds: float) -> Iterator[Callable[[], object]]:
    """Hold a lock during a ``with`` block; raise Busy if it is taken.

    A thread renews the lock for as long as the process lives; after a kill it expires within
    ``seconds``. If Redis does not answer for that long, the lock is lost. So call the yielded
    function from time to time: it renews the lock, and raises LockError if it was lost."""
    time_left(redis, name, int(seconds * 1000))
    lock = redis.lock(name, timeout=seconds, thread_local=False)
    if not lock.acquire(blocking=False):
        raise Busy
    is_over = threading.Event()

    def renew() -> None:
        while not is_over.wait(seconds / RENEWALS):
            with suppress(RedisError):  # the work gets LockError when it renews the lock
                lock.reacquire()

    renewing = threading.Thread(target=renew, name=f"lock {name}", daemon=True)
    renewing.start()
    try:
        yield lock.reacquire
    finally:
        is_over.set()
        renewing.join()
        with suppress(LockError):  # it has expired
            lock.release()
