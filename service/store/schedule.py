"""The schedule: names to be checked, each at a time. So the cost is in proportion to the work that
is due, and not to the number of names.

A process claims names before it checks them. Until the claim ends, no other process gets them. In
the sorted set a claim is a time that ends in half a millisecond. Scheduling a claimed name replaces
the claim, so that the name is checked again.
"""

from __future__ import annotations

from collections.abc import Mapping

from redis import Redis

from service.store.scripts import Script
from service.times import now_in_ms

BATCH_SIZE = 200  # names claimed together, by default

# Schedules a name for a time, unless it is due earlier; returns its time.
LATEST = """
local function put(key, name, latest)
  local at = tonumber(redis.call('ZSCORE', key, name))
  if at and at <= tonumber(latest) and at % 1 == 0 then return tostring(at) end
  redis.call('ZADD', key, latest, name)
  return latest
end
"""
PUT = f"{LATEST}return put(KEYS[1], ARGV[1], ARGV[2])"  # KEYS due. ARGV the name, the time
# KEYS due. ARGV now, the claim, how many. Claims the names that are due and returns them.
CLAIM = """
local names = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, name in ipairs(names) do redis.call('ZADD', KEYS[1], ARGV[2], name) end
return names
"""
# KEYS due. ARGV the claim, then names, each with its next time, '' to remove it.
SETTLE = """
for i = 2, #ARGV, 2 do
  if tonumber(redis.call('ZSCORE', KEYS[1], ARGV[i])) == tonumber(ARGV[1]) then
    if ARGV[i + 1] == '' then
      redis.call('ZREM', KEYS[1], ARGV[i])
    else
      redis.call('ZADD', KEYS[1], ARGV[i + 1], ARGV[i])
    end
  end
end
"""


class Schedule:
    """Schedules in one Redis: one sorted set under each key."""

    def __init__(self, redis: Redis):
        self._add, self._claim = Script(redis, PUT), Script(redis, CLAIM)
        self._end = Script(redis, SETTLE)

    def add(self, key: str, name: str, at: int) -> int:
        """Schedule a name for a time, in milliseconds since 1970, unless it is due earlier; return
        its time."""
        return int(float(self._add([key], [name, at])))

    def claim(
        self, key: str, milliseconds: int, most: int = BATCH_SIZE
    ) -> tuple[str, list[str]]:
        """Claim the names that are due, ``most`` at most; return the claim and the names."""
        now = now_in_ms()
        claim = f"{now + milliseconds}.5"
        return claim, [name.decode() for name in self._claim([key], [now, claim, most])]

    def end(self, key: str, claim: str, again: Mapping[str, int | None]) -> None:
        """End a claim: schedule each name for its next time, or remove it if that is None. Leave
        names alone that were scheduled since."""
        if again:
            self._end([key], [claim, *(
                word for name, at in again.items() for word in (name, "" if at is None else at))])
