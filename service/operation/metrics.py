"""What the service counts, for Prometheus.

Web processes count in files of one folder, PROMETHEUS_MULTIPROC_DIR, so that whichever of them is
asked answers for all; without it a process answers for itself. What Redis knows is read when asked.
No label takes more than a few values.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from redis import RedisError

from domain.game.state import State
from service.accounts.bots import BOTS
from service.games import index, workers
from service.games.games import Games
from service.operation import workforce
from service.operation.settings import METRICS
from service.store.games import GameStore, KnownGame
from service.store.histories import Conflict
from service.times import CLOCK
from service.webhooks import lanes

ACTION = ("POST", "/v1/games/{game}/actions")
QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
SLOW = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

COUNTED = CollectorRegistry()
REQUESTS = Counter("fogg_requests", "Requests answered.", ["method", "route", "status"],
                   registry=COUNTED)
ACTIONS = Histogram("fogg_action_seconds", "From an action's arrival to its answer, if played.",
                    buckets=QUICK, registry=COUNTED)
APPENDS = Counter("fogg_appends", "Entries appended to histories.", registry=COUNTED)
CONFLICTS = Counter("fogg_conflicts", "Appends that found the history moved on; decided anew.",
                    registry=COUNTED)
BOT_ACTIONS = Histogram("fogg_bot_action_seconds", "From the entry before to a built-in bot's own: "
                        "the queue, its thinking and its request.", ["bot"], buckets=SLOW,
                        registry=COUNTED)
STREAMS = Gauge("fogg_streams", "Streams open.", multiprocess_mode="livesum", registry=COUNTED)
CONNECTIONS = Gauge("fogg_connections", "Connections open, idle ones included.",
                    multiprocess_mode="livesum", registry=COUNTED)
LIMITED = Counter("fogg_rate_limited", "Requests and connections refused for their rate or a cap.",
                  ["limit"], registry=COUNTED)
LOST = Counter("fogg_lost_entries", "Entries that histories had and Redis has no more.",
               registry=COUNTED)
DELIVERIES = Counter("fogg_deliveries", "Attempts at calling webhooks; calls given up or out of "
                     "date.", ["outcome"], registry=COUNTED)


def count_request(method: str, route: str, status: int, seconds: float) -> None:
    """Count a request; of a stream, ``seconds`` is when it began to be answered."""
    _requests(method, route, status).inc()
    if status == 200 and (method, route) == ACTION:
        count_actions(1, seconds)


def count_actions(played: int, seconds: float) -> None:
    """Count actions that were played by one request, which took so long."""
    for _ in range(played):
        ACTIONS.observe(seconds)


@cache
def _requests(method: str, route: str, status: int) -> Counter:
    return REQUESTS.labels(method, route, status)


@contextmanager
def count_stream() -> Iterator[None]:
    """Count a stream for as long as it is open."""
    STREAMS.inc()
    try:
        yield
    finally:
        STREAMS.dec()


def count_connections(more: int) -> None:
    """Count connections that are open, or with ``more`` below 0 no longer."""
    CONNECTIONS.inc(more)


def count_refusal(limit: str) -> None:
    """Count a request that was refused; ``limit`` is the name of one of the service's limits."""
    LIMITED.labels(limit).inc()


def count_outcome(outcome: str) -> None:
    """Count how a call of a webhook ended, or an attempt at it."""
    DELIVERIES.labels(outcome).inc()


def count_lost(entries: int) -> None:
    """Count entries that were lost."""
    LOST.inc(entries)


class CountedStore(GameStore):
    """A store that counts what is appended to it."""

    def append(self, game: KnownGame, events: list, state: State, **more) -> tuple[KnownGame, bool]:
        """Append as ever."""
        try:
            new, called = super().append(game, events, state, **more)
        except Conflict:
            CONFLICTS.inc()
            raise
        APPENDS.inc()
        if more.get("action") is not None:
            bot = state.players[more["seat"]].bot
            if bot in BOTS:
                BOT_ACTIONS.labels(bot).observe(_seconds(game.updated, new.updated))
        return new, called


def page(games: Games) -> bytes:
    """Return everything in the text format of Prometheus."""
    counted = COUNTED
    if METRICS in os.environ:
        counted = CollectorRegistry()
        MultiProcessCollector(counted)
    read = CollectorRegistry()
    read.register(_Read(games))
    return generate_latest(counted) + generate_latest(read)


class _Read:
    """What is read from Redis when asked. If it does not answer, that alone is said."""

    def __init__(self, games: Games):
        self._games = games

    def describe(self) -> list[Metric]:
        return []

    def collect(self) -> Iterator[Metric]:
        yield GaugeMetricFamily("fogg_clock_ahead_seconds", "By how much the service's time is "
                                "ahead of this machine's.", value=CLOCK.ahead() / 1e9)
        queue = self._games.queue
        try:
            counts = index.counts(self._games.redis)
            failed = queue.failed_job_registry.count
            guests = workers.guests_waiting(queue)
            force = workforce.look(self._games)
            due = lanes.count_due(self._games.redis)
        except (RedisError, OSError):
            yield GaugeMetricFamily("fogg_redis_up", "Whether Redis answers.", value=0)
            return
        yield GaugeMetricFamily("fogg_redis_up", "Whether Redis answers.", value=1)
        yield GaugeMetricFamily("fogg_queue_length", "Games whose bots wait for a worker.",
                                value=force.waiting[workers.QUEUE])
        yield GaugeMetricFamily("fogg_queue_guests", "Of these, games that others than built-in "
                                "bots play in, who wait as well.", value=guests)
        yield GaugeMetricFamily("fogg_deliveries_queue_length", "Lanes of webhooks that wait for a "
                                "worker.", value=force.waiting[lanes.QUEUE])
        yield GaugeMetricFamily("fogg_deliveries_waiting", "Calls of webhooks that are yet to be "
                                "made, those that are tried again later included.", value=due)
        yield GaugeMetricFamily("fogg_failed_jobs", "Workers' jobs that failed in the last day.",
                                value=failed)
        oldest = GaugeMetricFamily("fogg_queue_oldest_seconds", "For how long the game has waited "
                                   "for a bot that has waited longest.", labels=["class"])
        for kind, seconds in force.oldest.items():
            oldest.add_metric([kind], seconds)
        yield oldest
        alive = GaugeMetricFamily("fogg_workers", "Workers that live; one that is killed counts "
                                  "for two minutes.", labels=["queue"])
        for name, count in force.workers.items():
            alive.add_metric([name], count)
        yield alive
        games = GaugeMetricFamily("fogg_games", "Games, as they are listed.", labels=["status"])
        for status, count in counts.items():
            games.add_metric([status], count)
        yield games


def _seconds(since: str, until: str) -> float:
    """Return the seconds between two times; not less than 0, as two machines' clocks may differ."""
    return max(0.0, (datetime.fromisoformat(until) - datetime.fromisoformat(since)).total_seconds())
