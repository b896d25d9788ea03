"""Choose the webhook lane that a thread serves next. Accounts take turns, and no account gets all
slots: each may have as many as are free besides, so some are free for an account that comes.

Many accounts whose receivers hang could still fill all slots, with one each. Nobody can know before
which receiver will hang. So a call holds its slot for two seconds at most. If it takes longer, it
goes on in its thread, and another call may begin. Its account then counts as slow for some minutes:
all slow accounts together get half of the slots, and half of the threads.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Condition

from redis import RedisError

from workers import queue
from workers.queue import DELIVERIES, Job

SLOW_S = 2.0  # seconds after which a call counts as slow
REMEMBERED_S = 300.0  # seconds for which an account counts as slow after a slow call
MAX_REMEMBERED = 10_000  # slow accounts; beyond that, the oldest are forgotten


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

    def take(self) -> Job | None:
        """Return the job of the lane that a thread should serve; None if no slot is free, or no
        lane waits, or only lanes of accounts at their limit. Each lane must be given back."""
        with self._changed:
            if (free := self._free()) <= 0:
                return None
            full = {account for account, threads in self._busy.items() if threads >= free}
            threads = sum(self._busy[account] for account in self._slow)
            slots = threads - self._note_slow_calls()
            if slots >= self._slots // 2 or threads >= self._threads // 2:
                full |= self._slow.keys()
            jobs = queue.take({DELIVERIES: 1}, skip=full)
            self._busy.update(job.payer for job in jobs)
        return jobs[0] if jobs else None

    def give_back(self, job: Job) -> None:
        with suppress(RedisError):
            queue.take({}, ended=[job])
        with self._changed:
            self._busy[job.payer] -= 1
            if not self._busy[job.payer]:
                del self._busy[job.payer]
            self._changed.notify_all()

    def has_room(self) -> bool:
        with self._changed:
            return self._free() > 0

    def is_busy(self) -> bool:
        return bool(self._busy)

    def wait(self, seconds: float) -> None:
        """Return once a lane was given back, or after so many seconds."""
        with self._changed:
            self._changed.wait(seconds)

    @contextmanager
    def calling(self, account: str) -> Iterator[None]:
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
        while self._slow and (
            len(self._slow) > MAX_REMEMBERED
            or now - next(iter(self._slow.values())) >= REMEMBERED_S
        ):
            del self._slow[next(iter(self._slow))]
        return len(slow)
