"""The job that analyses finished games (``service/analyses/analyses.py``), decision after decision.

A job is a game, of which a worker judges decisions for a time slice; then it leaves the game to
another job. So games that wait for a bot come first, and accounts take turns. The worker reports
each decision over HTTP, and is answered which to judge next; what a worker that dies has judged is
kept.
"""

import json
import logging
import random
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache, lru_cache
from typing import Any

import urllib3
from fogg_client.problems import Problem

from service import settings
from workers import play, queue, tokens
from workers.judgement import judged
from workers.preparing import is_ready

JOB_S = 1.0  # seconds after which a game is left to its next turn
RENEW_S = 5.0  # seconds after which a worker that judges one decision says that it lives
MAX_CACHED = 2  # games whose decisions this process keeps; up to some MB each
log = logging.getLogger(__name__)


def analyse(game: str) -> None:
    queue.current()
    if not is_ready("expert"):
        return  # the service calls again
    try:
        analyse_game(game)
    except (Problem, urllib3.exceptions.HTTPError) as error:
        tokens.forget_after(error)
        log.warning("%s: %s; the service will ask anew", game, error)


def analyse_game(game: str) -> None:
    """Judge decisions for ``JOB_S``, at least one; stop earlier if a game waits for a bot."""
    path, end = f"/internal/games/{game}/analysis", time.monotonic() + JOB_S
    report: dict[str, Any] = {"worker": queue.WORKER}
    while task := tokens.service().post(path, report):
        report = {"worker": queue.WORKER} | _judged(game, task["judged"], _renewing(path))
        if (
            play.stopping.is_set()
            or time.monotonic() > end
            or (queue.count(queue.GUESTS, queue.BOTS))
        ):
            report["last"] = True


def _renewing(path: str) -> Callable[[], float]:
    """Return a function that is called again and again while a decision is judged. It renews the
    lease every ``RENEW_S``, and returns the CPU seconds that this took."""
    last = time.monotonic()

    def renew() -> float:
        nonlocal last
        if time.monotonic() < last + RENEW_S:
            return 0.0
        began = time.thread_time()
        with suppress(Problem, urllib3.exceptions.HTTPError):  # else the report is refused
            tokens.service().post(path, {"worker": queue.WORKER})
        last = time.monotonic()
        return time.thread_time() - began

    return renew


def _judged(game: str, number: int, renew: Callable[[], float]) -> dict[str, Any]:
    rows = _decisions(game)
    try:
        row = json.loads(rows[number])
        judgement = judged(
            _board(row["view"]["board"]),
            row["version"],
            row["view"],
            row["action"],
            random.SystemRandom(),
            seconds=settings.ANALYSIS_SECONDS.value(),
            meanwhile=renew,
        )
    except Exception:
        log.exception("decision %d of %s cannot be judged", number, game)
        return {"failed": True}
    return {"number": number, "decisions": len(rows), "row": judgement}


@lru_cache(MAX_CACHED)
def _decisions(game: str) -> list[bytes]:
    return [*tokens.service().download(f"/v1/games/{game}/decisions")]


@cache
def _board(board: str) -> Any:
    return tokens.service().get(f"/v1/boards/{board}")
