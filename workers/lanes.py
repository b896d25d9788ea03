"""Choose the webhook lane that a thread serves next. Lanes wait in lines of accounts, in the
queue's Redis (``service/webhooks/lanes.py`` describes the keys). Accounts take turns, and no
account gets all slots: each may have as many as are free besides, so some are free for an account
that comes.

Many accounts whose receivers hang could still fill all slots, with one each. Nobody can know before
which receiver will hang. So a call holds its slot for two seconds at most. If it takes longer, it
goes on in its thread, and another call may begin. Its account then counts as slow for some minutes:
all slow accounts together get half of the slots.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Condition
from typing import NamedTuple

from redis import Redis

WAITING, KIND = "fogg:turns:lanes", "webhooks"
SLOW_S = 2.0  # seconds after which a call counts as slow
REMEMBERED_S = 300.0  # seconds for which an account counts as slow after a slow call
MAX_REMEMBERED = 10_000  # slow accounts; beyond that, the oldest are forgotten

# KEYS the lanes that wait. ARGV the class of the lines, then the accounts that may not be served.
# Takes the first lane of the first other account, and puts that account behind the others. Returns
# the account and the lane, or nothing.
TAKE = """
local ring, is_full = 'fogg:turns:' .. ARGV[1], {}
for at = 2, #ARGV do is_full[ARGV[at]] = true end
while true do
  local account
  for _, name in ipairs(redis.call('LRANGE', ring, 0, #ARGV)) do
    if not is_full[name] then account = name break end
  end
  if not account then return {} end
  local line = ring .. ':' .. account
  local lane = redis.call('LPOP', line)
  redis.call('LREM', ring, 1, account)
  if redis.call('EXISTS', line) == 1 then redis.call('RPUSH', ring, account) end
  if lane and redis.call('HDEL', KEYS[1], lane) == 1 then return {account, lane} end
end
"""


def take(
    redis: Redis, waiting: str, kind: str, full: Iterable[str] = ()
) -> tuple[str, str] | None:
    """Take the first waiting name in the lines of a class, with the accounts in turn, but not those
    in ``full``. ``waiting`` is the key of all names in these lines. Return the account and the
    name, None if there is none."""
    taken = redis.eval(TAKE, 1, waiting, kind, *full)
    return (taken[0].decode(), taken[1].decode()) if taken else None


class Lane(NamedTuple):
    """A lane of a webhook, in the line of the account that answers for the webhook."""

    account: str
    webhook: str
    number: int


class Shares:
    """A number of slots, shared among accounts, and a limit on threads."""

    def __init__(
        self, slots: int, threads: int | None = None, clock: Callable[[], float] = time.monotonic
    ):
        self._slots, self._threads, self._clock = slots, threads or slots, clock
        self._busy: Counter[str] = Counter()  # account -> its threads
        self._calls: dict[object, tuple[str, float]] = {}  # under way: the account, and since when
        self._slow: dict[str, float] = {}  # account -> when its last slow call was seen, in order
        self._changed = Condition()

    def take(self, redis: Redis) -> Lane | None:
        """Return the lane that a thread should serve; None if no slot is free, or no lane waits, or
        only lanes of accounts at their limit. Each lane must be given back."""
        with self._changed:
            if (free := self._free()) <= 0:
                return None
            full = {account for account, threads in self._busy.items() if threads >= free}
            if sum(self._busy[account] for account in self._slow) >= self._slots // 2:
                full |= self._slow.keys()
            if (taken := take(redis, WAITING, KIND, full)) is None:
                return None
            account, lane = taken
            self._busy[account] += 1
        webhook, number = lane.split(" ")
        return Lane(account, webhook, int(number))

    def give_back(self, lane: Lane) -> None:
        """Release the thread of a lane."""
        with self._changed:
            self._busy[lane.account] -= 1
            if not self._busy[lane.account]:
                del self._busy[lane.account]
            self._changed.notify_all()

    def has_room(self) -> bool:
        """Return whether a slot is free."""
        with self._changed:
            return self._free() > 0

    def wait_for_room(self) -> None:
        """Return once a slot is free."""
        with self._changed:
            while self._free() <= 0:
                now = self._clock()
                self._changed.wait(min([SLOW_S, *(left for _, began in self._calls.values()
                                                  if (left := began + SLOW_S - now) > 0)]))

    @contextmanager
    def calling(self, account: str) -> Iterator[None]:
        """Measure the time of a call that is made for an account."""
        call = object()
        with self._changed:
            self._calls[call] = account, self._clock()
        try:
            yield
        finally:
            with self._changed:
                self._note_slow_calls()
                del self._calls[call]

    def _free(self) -> int:
        """Return the number of free slots. A slow call holds no slot, but still its thread."""
        slow, busy = self._note_slow_calls(), self._busy.total()
        return min(self._slots - busy + slow, self._threads - busy)

    def _note_slow_calls(self) -> int:
        """Note the accounts that are slow now; return how many slow calls are under way."""
        now = self._clock()
        slow = [account for account, began in self._calls.values() if now - began >= SLOW_S]
        for account in slow:  # to the end of the remembered ones
            self._slow.pop(account, None)
            self._slow[account] = now
        while self._slow and (len(self._slow) > MAX_REMEMBERED or now - next(
                iter(self._slow.values())) >= REMEMBERED_S):
            del self._slow[next(iter(self._slow))]
        return len(slow)
