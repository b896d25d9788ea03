"""The schedule: names to be checked, each at a time. So the cost is in proportion to the work that
is due, and not to the number of names.

A process claims names before it checks them. Until the claim ends, no other process gets them. In
the sorted set a claim is a time that ends in half a millisecond. Scheduling a claimed name replaces
the claim, so that the name is checked again.
"""

from collections.abc import Mapping

from redis import Redis

from service.redis.scripts import Script
from service.times import now_in_ms

BATCH_SIZE = 200  # names claimed together, by default

SCHEDULE, CLAIM, SETTLE = (
    Script(__file__, file) for file in ("schedule.lua", "claim.lua", "settle.lua")
)


class Schedule:
    """Schedules in one Redis: one sorted set under each key."""

    def __init__(self, redis: Redis):
        self._redis = redis

    def add(self, key: str, name: str, at: int) -> int:
        """Schedule a name for a time, in milliseconds since 1970, unless it is due earlier; return
        its time."""
        return int(float(SCHEDULE(self._redis, due=key, marks=None, name=name, at=at, mark="")))

    def claim(self, key: str, milliseconds: int, most: int = BATCH_SIZE) -> tuple[str, list[str]]:
        """Claim the names that are due, ``most`` at most; return the claim and the names."""
        now = now_in_ms()
        claim = f"{now + milliseconds}.5"
        names = CLAIM(self._redis, due=key, now=now, claim=claim, most=most)
        return claim, [name.decode() for name in names]

    def end(self, key: str, claim: str, again: Mapping[str, int | None]) -> None:
        """End a claim: schedule each name for its next time, or remove it if that is None. Leave
        names alone that were scheduled since."""
        if again:
            SETTLE(
                self._redis,
                [word for name, at in again.items() for word in (name, "" if at is None else at)],
                due=key,
                claim=claim,
            )
