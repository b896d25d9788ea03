"""Names that are held for a while, so that one does what many could; they end by themselves.

Redis ends them by its machine's clock. Where that is set back, a name that was held for a second
would be held for as long as the clock was wrong; so what is held for longer than anybody holds it
is cut to that.
"""

from __future__ import annotations

from redis import Redis


def hold(redis: Redis, name: str, milliseconds: int) -> bool:
    """Return whether a name was free; it is held for so long then."""
    if redis.set(name, 1, px=milliseconds, nx=True):
        return True
    held_for(redis, name, milliseconds)
    return False


def held_for(redis: Redis, name: str, most: int) -> int:
    """Return for how many milliseconds a name is held yet, 0 if it is free; let it be no more than
    it is ever held for."""
    left = redis.pttl(name)
    if left > most:
        redis.pexpire(name, most)
    return max(0, min(left, most))
