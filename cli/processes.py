"""Work in a pool of processes that ends with the command."""

import signal
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice, starmap
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from threading import current_thread, main_thread
from typing import TypeVar

QUEUED_PER_PROCESS = 4  # queued calls for each process, so that none is idle
CLEANING_S = 5.0  # seconds that processes have to end what they have started
ENDING = (signal.SIGTERM, signal.SIGHUP)  # signals that end a process of a pool
T = TypeVar("T")


class Ended(KeyboardInterrupt):
    """Raised in a process of a pool that should end. It is no Exception, so that bots do not catch
    it."""


def results_of(work: Callable[..., T], calls: Iterable[tuple], count: int) -> Iterator[T]:
    """Yield the result of ``work`` for the arguments of each call, in the order in which the calls
    end. Run in this process if ``count`` is 1, else in ``count`` others."""
    if count == 1:
        yield from starmap(work, calls)
        return
    waiting = iter(calls)
    with processes(count) as pool:
        under_way = {
            pool.submit(work, *call) for call in islice(waiting, QUEUED_PER_PROCESS * count)
        }
        while under_way:
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            under_way |= {pool.submit(work, *call) for call in islice(waiting, len(done))}
            for call in done:
                yield call.result()


@contextmanager
def processes(count: int) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of so many processes. Ctrl-C reaches only the command, although a terminal sends
    it to all processes; the command then ends the pool."""
    pool = ProcessPoolExecutor(count, mp_context=get_context("spawn"))
    submit = pool.submit

    def submit_unheard(*args, **options):
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # for the child
        try:
            return submit(_until_ended, *args, **options)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    pool.submit = submit_unheard
    try:
        yield pool
        pool.shutdown()
    except BaseException:
        _end(list((pool._processes or {}).values()))
        pool.shutdown(cancel_futures=True)
        raise


@contextmanager
def signals_put_off() -> Iterator[None]:
    """Delay Ctrl-C, and other signals that end a command, until the end of the block. Only the main
    thread handles signals."""
    if current_thread() is not main_thread():
        yield
        return
    heard: list[int] = []
    handlers = {
        name: signal.signal(name, lambda number, _: heard.append(number))
        for name in (signal.SIGINT, *ENDING)
    }
    try:
        yield
    finally:
        for name, handler in handlers.items():
            signal.signal(name, handler)
        for number in heard:
            signal.raise_signal(number)


def _end(workers: list[BaseProcess]) -> None:
    """End processes: they clean up first, unless that takes too long."""
    for process in workers:
        process.terminate()
    latest = time.monotonic() + CLEANING_S
    for process in workers:
        process.join(max(0.0, latest - time.monotonic()))
        process.kill()


def _until_ended(work: Callable[..., T], *args, **options) -> T:
    """Return the result of ``work``. If a signal ends this process, raise an exception inside
    ``work``, so that it ends the programs that it has started."""
    try:
        for name in ENDING:
            signal.signal(name, _leave)
        try:
            return work(*args, **options)
        finally:
            for name in ENDING:
                signal.signal(name, signal.SIG_DFL)
    except Ended:
        signal.raise_signal(signal.SIGTERM)
        raise


def _leave(*_) -> None:
    for name in ENDING:
        signal.signal(name, lambda *_: None)  # a second one would disturb the cleaning up
    raise Ended
