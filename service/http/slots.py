"""Limit how many requests do long work at a time, with round-robin among callers.

A greenlet with long work yields from time to time, and then every other ready greenlet runs first.
With hundreds of them, every request would wait for seconds. So all but a few wait here, where they
use no CPU time.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from threading import Event, Lock
from typing import TypeVar

Part = TypeVar("Part")


DOWNLOADS = 4  # bulk downloads that a process serves at the same time; others wait


class Slots:
    """A fixed number of slots. A free slot goes to the next waiting caller (round-robin), and to
    the oldest waiting piece of work of that caller."""

    def __init__(self, count: int):
        self._free = count
        self._waiting: dict[str, deque[Event]] = {}  # in round-robin order, the next caller first
        self._lock = Lock()

    @contextmanager
    def slot(self, caller: str) -> Iterator[None]:
        """Hold a slot during the block; wait until one is free."""
        self._take(caller)
        try:
            yield
        finally:
            self._give()

    def each(self, caller: str, parts: Iterator[Part]) -> Iterator[Part]:
        """Yield parts. Hold a slot while a part is made, none while it is sent."""
        while True:
            with self.slot(caller):
                first = list(islice(parts, 1))
            if not first:
                return
            yield first[0]

    def _take(self, caller: str) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            turn = Event()
            self._waiting.setdefault(caller, deque()).append(turn)
        try:
            turn.wait()
        except BaseException:  # the waiting greenlet was killed
            if not self._forget(caller, turn):
                self._give()
            raise

    def _forget(self, caller: str, turn: Event) -> bool:
        with self._lock:
            queue = self._waiting.get(caller, deque())
            if turn not in queue:
                return False
            queue.remove(turn)
            if not queue:
                del self._waiting[caller]
            return True

    def _give(self) -> None:
        with self._lock:
            if not self._waiting:
                self._free += 1
                return
            caller = next(iter(self._waiting))
            queue = self._waiting.pop(caller)
            turn = queue.popleft()
            if queue:
                self._waiting[caller] = queue
        turn.set()
