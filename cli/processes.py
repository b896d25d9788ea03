"""Work in a pool of processes that ends with the command."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice, starmap
from multiprocessing import get_context
from typing import TypeVar

QUEUED_PER_PROCESS = 4  # queued calls for each process, so that none is idle
T = TypeVar("T")


def results_of(work: Callable[..., T], calls: Iterable[tuple], count: int) -> Iterator[T]:
    """Yield what ``work`` returns for the arguments of each call, as the calls end: in this process
    if ``count`` is 1, else in so many others."""
    if count == 1:
        yield from starmap(work, calls)
        return
    waiting = iter(calls)
    with processes(count) as pool:
        under_way = {pool.submit(work, *call)
                     for call in islice(waiting, QUEUED_PER_PROCESS * count)}
        while under_way:
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            under_way |= {pool.submit(work, *call) for call in islice(waiting, len(done))}
            for call in done:
                yield call.result()


@contextmanager
def processes(count: int) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of so many processes. Ctrl-C reaches only the command, although a terminal sends
    it to all processes; the command then ends the pool at once."""
    pool = ProcessPoolExecutor(count, mp_context=get_context("spawn"))
    submit = pool.submit

    def submit_unheard(*args, **options):
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # for the child
        try:
            return submit(*args, **options)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    pool.submit = submit_unheard
    try:
        yield pool
        pool.shutdown()
    except BaseException:
        for process in list((pool._processes or {}).values()):
            process.terminate()
        pool.shutdown(cancel_futures=True)
        raise
