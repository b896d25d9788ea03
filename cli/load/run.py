"""One run under load: how long, how fast, and what was measured."""

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
POINTS = (50, 95, 99)  # percentiles that are told


class Over(Exception):
    """The time or the requests of a run are used up."""


@dataclass(frozen=True)
class Settings:
    """How much is asked: by so many ``clients`` at a time, each of which asks again once it is
    answered; or, with a ``rate``, so many requests a second by those that are free. ``watchers``
    follow each game."""

    server: str
    clients: int
    seconds: float
    requests: int | None = None  # None: as many as there is time for
    rate: float | None = None
    watchers: int = 0
    actions: int | None = None  # after which a player resigns; None: games are played to the end
    board: str = "usa"


@dataclass
class Run:
    """What threads do together, and measure."""

    settings: Settings
    begun: float = field(default_factory=time.perf_counter)
    asked: int = 0  # requests so far, those under way included
    answered: float = field(default_factory=time.perf_counter)  # when the last answer came
    latencies: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    # from when an action was sent until a watcher had its entry
    delays: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    _is_stopped: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, what: str, call: Callable[..., T], *arguments: Any, **more: Any) -> T:
        """Return what a request comes to, measured; raise Over instead of asking once the run is,
        and what the client raises for a request that fails, once it is counted."""
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
        """Count what has failed, by what was asked and the problem's code."""
        with self._lock:
            self.errors[f"{what}: {_code(failure)}"] += 1

    @property
    def is_over(self) -> bool:
        """Whether nothing is to be asked any more."""
        most = self.settings.requests
        return (self._is_stopped or (most is not None and self.asked >= most)
                or self.seconds >= self.settings.seconds)

    def stop(self) -> None:
        """Let nothing be asked any more."""
        self._is_stopped = True

    @property
    def seconds(self) -> float:
        """For how long the run has lasted."""
        return time.perf_counter() - self.begun

    def rest(self, seconds: float) -> None:
        """Wait, but no longer than the run lasts."""
        time.sleep(max(0.0, min(seconds, self.settings.seconds - self.seconds)))

    def _turn(self) -> float:
        """Return since when a request that is made now is to be measured: with a rate, since it was
        due, so that a service that keeps its clients waiting cannot hide it."""
        with self._lock:
            if self.is_over:
                raise Over
            self.asked += 1
            rate = self.settings.rate
            due = self.begun + self.asked / rate if rate else time.perf_counter()
        self.rest(due - time.perf_counter())
        return due


def report(run: Run, busy: float) -> dict[str, Any]:
    """Return what came of a run, for which this process was busy for some processor seconds."""
    seconds, settings = max(0.001, run.answered - run.begun), run.settings
    everything = [one for found in run.latencies.values() for one in found]
    return {
        "server": settings.server, "loop": "open" if settings.rate else "closed",
        "clients": settings.clients, "rate": settings.rate,
        "seconds": round(seconds, 2), "busy": round(busy / seconds, 3),
        "requests": figures(everything, seconds),
        "by_request": {what: figures(found, seconds)
                       for what, found in sorted(run.latencies.items())},
        "seen_by_watchers": figures(run.delays, seconds),
        "errors": dict(run.errors.most_common()),
    }


def figures(latencies: list[float], seconds: float) -> dict[str, Any]:
    """Return how many there were, how many a second, and percentiles in milliseconds."""
    points: list[float | None] = [None] * len(POINTS)
    if latencies:
        at = quantiles(latencies * 2, n=100, method="inclusive")  # of one, too
        points = [round(1000 * at[point - 1], 2) for point in POINTS]
    return {"count": len(latencies), "per_second": round(len(latencies) / seconds, 2),
            **{f"p{point}": value for point, value in zip(POINTS, points, strict=True)}}


def _code(failure: Exception) -> str:
    """Return what is told of a failure: the status and the problem's code, or that no answer
    came."""
    if isinstance(failure, Problem):
        return f"{failure.status} {failure.code or ''}".strip()
    return f"no answer ({type(failure).__name__})"
