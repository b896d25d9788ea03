"""Which lane of which webhook a thread serves next. Lanes wait in lines of accounts, in the queue's
Redis (``service/webhooks/lanes.py`` describes the keys). Accounts take turns, and no account gets
all threads: each may have as many as are free besides, so some are free for an account that comes.
"""

from __future__ import annotations

from collections import Counter
from threading import Lock
from typing import NamedTuple

from redis import Redis

WAITING, KIND = "fogg:turns:lanes", "webhooks"

# KEYS the lanes that wait. ARGV the class of the lines, then the accounts that may have no more
# threads. Takes the first lane of the first other account, and puts that account behind the others.
# Returns the account and the lane, nothing if no lane waits that may be taken.
TAKE = """
local ring, full = 'fogg:turns:' .. ARGV[1], {}
for at = 2, #ARGV do full[ARGV[at]] = true end
while true do
  local account
  for _, name in ipairs(redis.call('LRANGE', ring, 0, #ARGV)) do
    if not full[name] then account = name break end
  end
  if not account then return {} end
  local line = ring .. ':' .. account
  local lane = redis.call('LPOP', line)
  redis.call('LREM', ring, 1, account)
  if redis.call('EXISTS', line) == 1 then redis.call('RPUSH', ring, account) end
  if lane and redis.call('HDEL', KEYS[1], lane) == 1 then return {account, lane} end
end
"""


class Lane(NamedTuple):
    """A lane of a webhook, in the line of the account that answers for the webhook."""

    account: str
    webhook: str
    number: int


class Shares:
    """So many threads, shared among accounts."""

    def __init__(self, threads: int):
        self._threads = threads
        self._busy: Counter[str] = Counter()  # account -> its threads
        self._lock = Lock()

    def take(self, redis: Redis) -> Lane | None:
        """Return the lane that a thread is to serve; None if no lane waits, or only lanes of
        accounts that have their share. Each lane has to be given back."""
        with self._lock:
            free = self._threads - self._busy.total()
            full = [account for account, threads in self._busy.items() if threads >= free]
            found = redis.eval(TAKE, 1, WAITING, KIND, *full)
            if not found:
                return None
            account, lane = (text.decode() for text in found)
            self._busy[account] += 1
        webhook, number = lane.split(" ")
        return Lane(account, webhook, int(number))

    def give_back(self, lane: Lane) -> None:
        """Note that a thread serves a lane no longer."""
        with self._lock:
            self._busy[lane.account] -= 1
            if not self._busy[lane.account]:
                del self._busy[lane.account]
