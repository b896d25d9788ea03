"""Work on all processors, which ends when the command does."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context


@contextmanager
def processes(count: int) -> Iterator[ProcessPoolExecutor]:
    """Give so many processes. Ctrl-C, which a terminal sends to all of them, is for the command
    alone; it ends them, whatever they are at."""
    pool = ProcessPoolExecutor(count, mp_context=get_context("spawn"))
    submit = pool.submit

    def submit_unheard(*args, **options):
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # a new one inherits it
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
