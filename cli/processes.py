"""A pool of processes that ends with the command."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context


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
