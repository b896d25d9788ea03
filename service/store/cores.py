"""Work on many histories in several processes, one for each core.

The processes end with the one that started them, even if that is killed. Their work must be
idempotent: if a process is killed, its batch is half done.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import chain, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TypeVar

from service.store.games import GameStore

R = TypeVar("R")
B = TypeVar("B")
Work = Callable[[GameStore, B], R]

_store: GameStore | None = None  # of a process that works for another


class Cores:
    """Several processes. Each creates its store by ``store``, a function of a module or a partial
    of one."""

    def __init__(self, store: Callable[[], GameStore], count: int | None = None):
        self._store, self.count = store, count or cores()

    def spread(
        self, store: GameStore, work: Work[B, R], batches: Iterable[B]
    ) -> Iterator[R]:
        """Yield the result of ``work(store, batch)`` for each batch, in any order. ``work`` must be
        a function of a module. A single batch is worked on in this process, as another one takes a
        second to start."""
        left = iter(batches)
        first = list(islice(left, 2))
        if self.count == 1 or len(first) < 2:
            yield from in_turn(store, work, chain(first, left))
            return
        context = get_context("spawn")  # a fork would share this process's connections
        watched, kept = context.Pipe(duplex=False)
        executor = ProcessPoolExecutor(self.count, context, _begin, (self._store, watched))
        under_way: set[Future[R]] = set()
        try:
            under_way |= {executor.submit(_run, work, batch) for batch in first}
            while under_way:
                done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
                more = islice(left, 2 * self.count - len(under_way))
                under_way |= {executor.submit(_run, work, batch) for batch in more}
                for future in done:
                    yield future.result()
        finally:
            if under_way:  # an error, or the caller has stopped reading
                kept.close()
            executor.shutdown(cancel_futures=True)
            kept.close()
            watched.close()


def in_turn(store: GameStore, work: Work[B, R], batches: Iterable[B]) -> Iterator[R]:
    """Yield the same, done in this process."""
    for batch in batches:
        yield work(store, batch)


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _begin(store: Callable[[], GameStore], watched: Connection) -> None:
    """Prepare a process. It ends as soon as the other end of the connection ``watched`` is
    closed."""
    global _store
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all; one stops the others

    def end_with_the_other() -> None:
        try:
            watched.recv()
        finally:
            os._exit(1)

    threading.Thread(target=end_with_the_other, daemon=True).start()
    _store = store()


def _run(work: Work[B, R], batch: B) -> R:
    assert _store is not None
    return work(_store, batch)
