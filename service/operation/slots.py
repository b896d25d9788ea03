"""Long work of requests: so much at a time, and callers take turns.

Greenlets that work for long yield now and then, but only so that all others that are ready have
their turn. Hundreds of them would keep everybody waiting for seconds. So all but a few wait here,
where they take no time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from threading import Event, Lock
from typing import TypeVar

Part = TypeVar("Part")


class Slots:
    """So many pieces of work at a time. A slot that becomes free goes to the next caller in a
    circle of those who wait, and to whichever of that caller's pieces has waited longest."""

    def __init__(self, count: int):
        self._free = count
        self._waiting: dict[str, deque[Event]] = {}  # the first caller is the next
        self._lock = Lock()

    @contextmanager
    def slot(self, caller: str) -> Iterator[None]:
        """Hold a slot; wait for one."""
        self._take(caller)
        try:
            yield
        finally:
            self._give()

    def each(self, caller: str, parts: Iterator[Part]) -> Iterator[Part]:
        """Yield parts, each of which is made in a slot; none is held while a part is sent."""
        while True:
            with self.slot(caller):
                found = list(islice(parts, 1))
            if not found:
                return
            yield found[0]

    def _take(self, caller: str) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            turn = Event()
            self._waiting.setdefault(caller, deque()).append(turn)
        try:
            turn.wait()
        except BaseException:  # whoever waited is gone
            if not self._forget(caller, turn):
                self._give()
            raise

    def _forget(self, caller: str, turn: Event) -> bool:
        """Let a piece wait no longer; return whether it still did."""
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
