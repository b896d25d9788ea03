"""One load run: how long, how fast, and its measurements."""

from __future__ import annotations

import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import quantiles
from typing import Any, TypeVar

from fogg_client.problems import Problem
from urllib3.exceptions import HTTPError

T = TypeVar("T")
FAILURES = (Problem, HTTPError)
PERCENTILES = (50, 95, 99)  # percentiles in the report


class Over(Exception):
    """The time or the requests of a run are used up."""


@dataclass(frozen=True)
class Settings:
    """The load of a run. ``clients`` work at the same time, and each sends a request once the
    previous one is answered. With a ``rate``, this many requests are sent a second, each by a
    client that is idle. ``watchers`` follow each game."""

    server: str
    clients: int
    seconds: float
    requests: int | None = None  # None: until the time is over
    rate: float | None = None
    watchers: int = 0
    actions: int | None = None  # a player resigns after so many; None: games are played to the end
    board: str = "usa"


@dataclass
class Run:
    """A run's counters and measurements, shared by its threads."""

    settings: Settings
    begun: float = field(default_factory=time.perf_counter)
    asked: int = 0  # requests sent so far
    answered: float = field(default_factory=time.perf_counter)  # time of the last answer
    latencies: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    # seconds from sending an action until a watcher received its entry
    delays: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    _is_stopped: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, what: str, call: Callable[..., T], *arguments: Any, **more: Any) -> T:
        """Send a request, measure it, and return its answer. Raise Over instead if the run is over.
        Count and re-raise the client's errors."""
        since = self._turn()
        try:
            answer = call(*arguments, **more)
        except FAILURES as failure:
            self.count_failure(what, failure)
            raise
        self.answered = time.perf_counter()
        self.latencies[what].append(self.answered - since)
        return answer

    def count_failure(self, what: str, failure: Exception) -> None:
        """Count a failed request, by its name and the problem's code."""
        with self._lock:
            self.errors[f"{what}: {_code(failure)}"] += 1

    @property
    def is_over(self) -> bool:
        """Whether no more requests may be sent."""
        most = self.settings.requests
        return (self._is_stopped or (most is not None and self.asked >= most)
                or self.seconds >= self.settings.seconds)

    def stop(self) -> None:
        """Stop sending requests."""
        self._is_stopped = True

    @property
    def seconds(self) -> float:
        """Duration of the run so far."""
        return time.perf_counter() - self.begun

    def rest(self, seconds: float) -> None:
        """Wait, but not longer than the run lasts."""
        time.sleep(max(0.0, min(seconds, self.settings.seconds - self.seconds)))

    def _turn(self) -> float:
        """Return the start time for the latency of the next request. With a rate, that is when the
        request was due; a service that delays its clients cannot hide it."""
        with self._lock:
            if self.is_over:
                raise Over
            self.asked += 1
            rate = self.settings.rate
            due = self.begun + self.asked / rate if rate else time.perf_counter()
        self.rest(due - time.perf_counter())
        return due


def report(run: Run, busy: float) -> dict[str, Any]:
    """Return the results of a run; ``busy`` is this process's CPU time in seconds."""
    seconds, settings = max(0.001, run.answered - run.begun), run.settings
    everything = [one for times in run.latencies.values() for one in times]
    return {
        "server": settings.server, "loop": "open" if settings.rate else "closed",
        "clients": settings.clients, "rate": settings.rate,
        "seconds": round(seconds, 2), "busy": round(busy / seconds, 3),
        "requests": figures(everything, seconds),
        "by_request": {what: figures(times, seconds)
                       for what, times in sorted(run.latencies.items())},
        "seen_by_watchers": figures(run.delays, seconds),
        "errors": dict(run.errors.most_common()),
    }


def figures(latencies: list[float], seconds: float) -> dict[str, Any]:
    """Return the count, the rate per second, and percentiles in milliseconds."""
    milliseconds: list[float | None] = [None] * len(PERCENTILES)
    if latencies:
        at = quantiles(latencies * 2, n=100, method="inclusive")  # quantiles() needs two values
        milliseconds = [round(1000 * at[point - 1], 2) for point in PERCENTILES]
    return {"count": len(latencies), "per_second": round(len(latencies) / seconds, 2),
            **{f"p{point}": value for point, value in zip(PERCENTILES, milliseconds, strict=True)}}


def _code(failure: Exception) -> str:
    """Return a label of a failure: the status and the problem's code, or that there was no answer.
    """
    if isinstance(failure, Problem):
        return f"{failure.status} {failure.code or ''}".strip()
    return f"no answer ({type(failure).__name__})"
