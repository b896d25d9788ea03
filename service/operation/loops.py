"""What a web process does again and again, beside what it is asked."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from redis import Redis

from domain.tournament.state import OPEN, RUNNING
from service.games.games import Games
from service.games.playing import enforce_deadlines
from service.operation.sweep import sweep
from service.tournaments.director import direct
from service.tournaments.tournaments import Tournaments
from service.webhooks.deliveries import Deliveries
from service.webhooks.sweep import Sweep

log = logging.getLogger(__name__)


def begin(games: Games, tournaments: Tournaments, deliveries: Deliveries) -> None:
    """Look after games, clocks, tournaments and webhooks for as long as the process lives."""
    redis = games.redis
    repeat("sweep", 2.0, lambda: sweep(games), redis)
    repeat("deliveries", 2.0, Sweep(deliveries).run, redis)
    repeat("webhooks", 2.0, deliveries.refresh)
    repeat("clocks", 0.25, lambda: enforce_deadlines(games))
    repeat("director", 0.25, lambda: direct(tournaments, RUNNING), redis)
    repeat("entries", 1.0, lambda: direct(tournaments, OPEN), redis)  # of which there may be many


def repeat(name: str, seconds: float, work: Callable[[], object], redis: Redis | None = None):
    """Work every so many seconds, whatever goes wrong; given a Redis, mostly one process of all
    that use it does so at a time."""

    def run() -> None:
        while True:
            try:
                if redis is None or redis.set(f"fogg:{name}", 1, nx=True, px=int(seconds * 900)):
                    work()
            except Exception:
                log.exception("%s failed; trying again", name)
            time.sleep(seconds)

    threading.Thread(target=run, name=name, daemon=True).start()
