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
    """Return for how many milliseconds a lock will last, 0 if it is free. It is cut to ``most``,
    the time that it is taken for."""
    left = redis.pttl(name)
    if left > most:
        redis.pexpire(name, most)
    return max(0, min(left, most))


@contextmanager
def locked(redis: Redis, name: str, seconds: float) -> Iterator[Callable[[], object]]:
    """Hold a lock during some work; raise Busy if it is taken.

    A thread renews the lock, so that it lasts as long as the process, and ends ``seconds`` after a
    process that was killed. The yielded function renews it, too: call it from time to time, as it
    raises LockError if the lock was lost because Redis did not answer for so long."""
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
