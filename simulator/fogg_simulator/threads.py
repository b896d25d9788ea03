"""Runs compiled functions on several cores, each on some of the games; they release the GIL."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

MIN_GAMES = 32  # for each thread: starting one takes as long as some tens of steps
T = TypeVar("T")

executor = cache(ThreadPoolExecutor)
if hasattr(os, "register_at_fork"):  # a forked process has no threads
    os.register_at_fork(after_in_child=executor.cache_clear)


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def parts(games: int, threads: int) -> list[slice]:
    """Divide games into parts of the same size, for at most so many threads."""
    count = max(1, min(threads, games // MIN_GAMES))
    return [slice(games * n // count, games * (n + 1) // count) for n in range(count)]


def in_parts(function: Callable[[int, slice], T], divided: list[slice]) -> list[T]:
    """Call a function with the number of each part and the part, at the same time; return the
    results."""
    rest = [
        executor(cores(), "simulator").submit(function, n, part)
        for n, part in enumerate(divided)
        if n
    ]
    return [function(0, divided[0]), *(each.result() for each in rest)]
