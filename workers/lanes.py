"""Choose the webhook lane that a thread serves next. Lanes wait in lines of accounts, in the
queue's Redis (``service/webhooks/lanes.py`` describes the keys). Accounts take turns, and no
account gets all threads: each may have as many as are free besides, so some are free for an account
that comes.

Many slow accounts could still fill all threads, with one each. So this process remembers which
accounts answer quickly, and for some minutes which ones had a slow call. All slow accounts together
get half of the threads. The slow ones and those that have not answered yet together get three
quarters. So a quarter is always left for accounts that are known to answer quickly.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import NamedTuple

from redis import Redis

WAITING, KIND = "fogg:turns:lanes", "webhooks"
SLOW_S = 2.0  # seconds after which a call counts as slow
REMEMBERED_S = 300.0  # seconds for which an account counts as slow after a slow call
MAX_REMEMBERED = 1000  # slow and quick accounts each; beyond that, the oldest are forgotten

# KEYS the lanes that wait. ARGV the class of the lines, '1' if only the accounts that follow may be
# served, '0' if all but these may be, then the accounts. Takes the first lane of the first account
# that may be served, and puts that account behind the others. Returns the account and the lane, or
# nothing.
TAKE = """
local ring, is_named = 'fogg:turns:' .. ARGV[1], {}
for at = 3, #ARGV do is_named[ARGV[at]] = true end
local last = ARGV[2] == '1' and -1 or #ARGV
while true do
  local account
  for _, name in ipairs(redis.call('LRANGE', ring, 0, last)) do
    if (is_named[name] or false) == (ARGV[2] == '1') then account = name break end
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

    def __init__(self, threads: int, clock: Callable[[], float] = time.monotonic):
        self._threads, self._clock = threads, clock
        self._busy: Counter[str] = Counter()  # account -> its threads
        self._calls: dict[object, tuple[str, float]] = {}  # under way: the account, and since when
        self._slow: dict[str, float] = {}  # account -> when its last slow call was seen, in order
        self._quick: dict[str, float] = {}  # account -> when its last quick call ended, in order
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
            unproven = sum(n for account, n in self._busy.items() if account not in self._quick)
            only_quick = unproven >= self._threads * 3 // 4
            named = self._quick.keys() - full if only_quick else full
            taken = redis.eval(TAKE, 1, WAITING, KIND, int(only_quick), *named)
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
        call, began = object(), self._clock()
        with self._lock:
            self._calls[call] = account, began
        try:
            yield
        finally:
            with self._lock:
                now = self._clock()
                self._note_slow_calls(now)
                del self._calls[call]
                if account not in self._slow:
                    _remember(self._quick, account, now)

    def _slow_now(self) -> set[str]:
        """Return the accounts that count as slow, also by calls that are still under way."""
        now = self._clock()
        self._note_slow_calls(now)
        while self._slow:
            oldest = next(iter(self._slow))
            if now - self._slow[oldest] < REMEMBERED_S:
                break
            del self._slow[oldest]
        return set(self._slow)

    def _note_slow_calls(self, now: float) -> None:
        for account, began in self._calls.values():
            if now - began >= SLOW_S:
                _remember(self._slow, account, now)
                self._quick.pop(account, None)


def _remember(accounts: dict[str, float], account: str, now: float) -> None:
    """Put an account at the end, and forget the first ones if there are too many."""
    accounts.pop(account, None)
    accounts[account] = now
    while len(accounts) > MAX_REMEMBERED:
        del accounts[next(iter(accounts))]
