"""Choose the webhook lane that a thread serves next. Lanes wait in lines of accounts, in the
queue's Redis (``service/webhooks/lanes.py`` describes the keys). Accounts take turns, and no
account gets all threads: each may have as many as are free besides, so some are free for an account
that comes.

Many slow accounts could still fill all threads, with one each. So this process remembers for some
minutes which accounts had a slow call. Together these get half of the threads; the other half is
for everybody else.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import NamedTuple

from redis import Redis

WAITING, KIND = "fogg:turns:lanes", "webhooks"
SLOW_S = 2.0  # seconds after which a call counts as slow
REMEMBERED_S = 300.0  # seconds for which an account counts as slow after a slow call
MAX_REMEMBERED = 1000  # accounts; beyond that, those whose slow call is the oldest are forgotten

# KEYS the lanes that wait. ARGV the class of the lines, then the accounts at their limit of
# threads. Takes the first lane of the first other account, and puts that account behind the others.
# Returns the account and the lane, or nothing.
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
        self._calls: dict[object, tuple[str, float]] = {}  # under way: the account, and since when
        self._slow: dict[str, float] = {}  # account -> when its last slow call was seen, in order
        self._lock = Lock()

    def take(self, redis: Redis) -> Lane | None:
        """Return the lane that a thread should serve; None if no lane waits, or only lanes of
        accounts at their limit. Each lane must be given back."""
        with self._lock:
            free = self._threads - self._busy.total()
            full = {account for account, threads in self._busy.items() if threads >= free}
            slow = self._slow_now()
            if sum(self._busy[account] for account in slow) >= self._threads // 2:
                full |= slow
            taken = redis.eval(TAKE, 1, WAITING, KIND, *full)
            if not taken:
                return None
            account, lane = (text.decode() for text in taken)
            self._busy[account] += 1
        webhook, number = lane.split(" ")
        return Lane(account, webhook, int(number))

    def give_back(self, lane: Lane) -> None:
        """Release the thread of a lane."""
        with self._lock:
            self._busy[lane.account] -= 1
            if not self._busy[lane.account]:
                del self._busy[lane.account]

    @contextmanager
    def calling(self, account: str) -> Iterator[None]:
        """Note how long a call takes that is made for an account."""
        call, began = object(), time.monotonic()
        with self._lock:
            self._calls[call] = account, began
        try:
            yield
        finally:
            with self._lock:
                self._note_slow_calls(time.monotonic())
                del self._calls[call]

    def _slow_now(self) -> set[str]:
        """Return the accounts that count as slow, also by calls that are still under way."""
        now = time.monotonic()
        self._note_slow_calls(now)
        while self._slow:
            oldest = next(iter(self._slow))
            if now - self._slow[oldest] < REMEMBERED_S and len(self._slow) <= MAX_REMEMBERED:
                break
            del self._slow[oldest]
        return set(self._slow)

    def _note_slow_calls(self, now: float) -> None:
        for account, began in self._calls.values():
            if now - began >= SLOW_S:
                self._slow.pop(account, None)  # so that the order stays that of the times
                self._slow[account] = now
