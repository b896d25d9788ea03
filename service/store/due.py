"""What is to be looked at, and when: so that looking after things costs in proportion to what is to
be done, not to what there is.

Who looks at something claims it first, for some seconds in which nobody else does. A claim is a
time with half a millisecond: whatever is put meanwhile takes its place, and is looked at again.
"""

from __future__ import annotations

from collections.abc import Mapping

from redis import Redis

from service.store.scripts import Script
from service.times import now_in_ms

AT_ONCE = 200  # that are claimed at a time

# Lets a thing be looked at, at the latest at a time; returns when it will be.
LATEST = """
local function put(key, thing, latest)
  local at = tonumber(redis.call('ZSCORE', key, thing))
  if at and at <= tonumber(latest) and at % 1 == 0 then return tostring(at) end
  redis.call('ZADD', key, latest, thing)
  return latest
end
"""
PUT = f"{LATEST}return put(KEYS[1], ARGV[1], ARGV[2])"  # KEYS due. ARGV the thing, and the time
# KEYS due. ARGV now, the claim, how many. Returns what is due and nobody's, now of who claims it.
CLAIM = """
local found = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, thing in ipairs(found) do redis.call('ZADD', KEYS[1], ARGV[2], thing) end
return found
"""
# KEYS due. ARGV the claim, then things, each with when it is to be looked at again, '' if never.
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


class Due:
    """Things, each under some key."""

    def __init__(self, redis: Redis):
        self._put, self._claim = Script(redis, PUT), Script(redis, CLAIM)
        self._settle = Script(redis, SETTLE)

    def put(self, key: str, thing: str, at: int) -> int:
        """Let something be looked at, in milliseconds since 1970 at the latest; return when it will
        be."""
        return int(float(self._put([key], [thing, at])))

    def claim(
        self, key: str, milliseconds: int, most: int = AT_ONCE
    ) -> tuple[str, list[str]]:
        """Return a claim for so long, and what is due and is claimed now: so many at most."""
        now = now_in_ms()
        claim = f"{now + milliseconds}.5"
        return claim, [thing.decode() for thing in self._claim([key], [now, claim, most])]

    def settle(self, key: str, claim: str, again: Mapping[str, int | None]) -> None:
        """Let what was claimed be looked at again at these times, or no more, but what was put
        meanwhile."""
        if again:
            self._settle([key], [claim, *(
                word for thing, at in again.items() for word in (thing, "" if at is None else at))])
