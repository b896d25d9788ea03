"""The metrics of the service, for Prometheus.

Web processes count in files of one folder, PROMETHEUS_MULTIPROC_DIR, so that any of them answers
for all; without it a process answers for itself. Metrics of Redis are read when asked for. Every
label except the route has only a few values.

Requests, their times and appends are summed in memory and written every few seconds (``flush``).
That takes a tenth of the time of writing each to the file.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector

from service import settings
from service.accounts.bots import BOTS
from service.games import analyses, index, workers
from service.games.games import Games
from service.operation import durability, workforce
from service.records import keeping
from service.store import backup
from service.store.conflicts import Conflict
from service.store.games import GameStore, LoadedGame
from service.store.guarding import UNREACHABLE
from service.store.store import Lease, NewEntry
from service.times import CLOCK
from service.webhooks import lanes

ACTION = ("POST", "/v1/games/{game}/actions")
QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
COARSE = (0.005, 0.025, 0.1, 0.5, 2.5, 10.0)
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
REQUEST_SECONDS = Histogram("fogg_request_seconds", "From a request's arrival to the beginning of "
                            "its answer.", ["method", "route"], buckets=COARSE, registry=COUNTED)
MOST_STREAMS = Gauge("fogg_process_streams", "Streams open in the web process that has most.",
                     multiprocess_mode="livemax", registry=COUNTED)
PROCESSES = Gauge("fogg_web_processes", "Web processes that live.", multiprocess_mode="livesum",
                  registry=COUNTED)
CPU = Counter("fogg_process_cpu_seconds", "Processor time of all web processes.", registry=COUNTED)
MEMORY = Gauge("fogg_process_memory_bytes", "Resident memory of the web process that has most.",
               multiprocess_mode="livemax", registry=COUNTED)
FILES = Gauge("fogg_process_files", "Files and connections open in the web process that has most.",
              multiprocess_mode="livemax", registry=COUNTED)
LIMITED = Counter("fogg_rate_limited", "Requests and connections refused for their rate or a cap.",
                  ["limit"], registry=COUNTED)
LOST = Counter("fogg_lost_entries", "Entries that histories had and Redis has no more.",
               registry=COUNTED)
DELIVERIES = Counter("fogg_deliveries", "Attempts at calling webhooks; calls given up or out of "
                     "date.", ["outcome"], registry=COUNTED)


_counts: dict[Counter, int] = {}
_times: dict[tuple[str, str], list[float]] = {}  # seconds of each request, by route
_cpu_counted = [0.0]  # CPU seconds counted so far


def count_request(method: str, route: str, status: int, seconds: float) -> None:
    """Count a request and its ``seconds``; for a stream, these last until the answer begins."""
    _count(_requests(method, route, status))
    _times.setdefault((method, route), []).append(seconds)
    if status == 200 and (method, route) == ACTION:
        count_actions(1, seconds)


def count_actions(played: int, seconds: float) -> None:
    """Count the actions of one request, which took ``seconds`` in all."""
    for _ in range(played):
        ACTIONS.observe(seconds)


@cache
def _requests(method: str, route: str, status: int) -> Counter:
    return REQUESTS.labels(method, route, status)


def _count(counter: Counter) -> None:
    _counts[counter] = _counts.get(counter, 0) + 1


def flush() -> None:
    """Write the sums of this process, and its use of CPU, memory and files."""
    for counter in [*_counts]:
        counter.inc(_counts.pop(counter))
    for route in [*_times]:
        for seconds in _times.pop(route):
            REQUEST_SECONDS.labels(*route).observe(seconds)
    PROCESSES.set(1)
    used = time.process_time()
    CPU.inc(max(0.0, used - _cpu_counted[0]))
    _cpu_counted[0] = used
    about = Path("/proc/self")
    if about.exists():  # on Linux
        pages = int((about / "statm").read_text().split()[1])
        MEMORY.set(pages * os.sysconf("SC_PAGE_SIZE"))
        FILES.set(len(os.listdir(about / "fd")))


@contextmanager
def count_stream() -> Iterator[None]:
    """Count a stream as open until the block ends."""
    STREAMS.inc()
    MOST_STREAMS.inc()
    try:
        yield
    finally:
        STREAMS.dec()
        MOST_STREAMS.dec()


def count_connections(more: int) -> None:
    """Count ``more`` open connections; a negative number counts closed ones."""
    CONNECTIONS.inc(more)


def count_refusal(limit: str) -> None:
    """Count a request that was refused; ``limit`` is the name of one of the service's limits."""
    LIMITED.labels(limit).inc()


def count_outcome(outcome: str) -> None:
    """Count how a call of a webhook ended, or an attempt at it."""
    DELIVERIES.labels(outcome).inc()


def count_lost(entries: int) -> None:
    LOST.inc(entries)


class CountedStore(GameStore):
    """A store that counts what is appended to it."""

    def append(
        self, known: LoadedGame, new: NewEntry, lease: Lease | None = None
    ) -> tuple[LoadedGame, bool]:
        """Append, and count the entries."""
        try:
            after, taken = super().append(known, new, lease)
        except Conflict:
            CONFLICTS.inc()
            raise
        _count(APPENDS)
        if new.action is not None:
            bot = new.state.players[new.seat].bot
            if bot in BOTS:
                BOT_ACTIONS.labels(bot).observe(_seconds(known.updated, after.updated))
        return after, taken


def page(games: Games) -> bytes:
    """Return everything in the text format of Prometheus."""
    flush()
    counted = COUNTED
    if settings.PROMETHEUS_MULTIPROC_DIR.value():
        counted = CollectorRegistry()
        MultiProcessCollector(counted)
    read = CollectorRegistry()
    read.register(_Read(games))
    return generate_latest(counted) + generate_latest(read)


class _Read:
    """The metrics that are read from Redis. If it does not answer, ``fogg_redis_up`` says so."""

    def __init__(self, games: Games):
        self._games = games

    def describe(self) -> list[Metric]:
        return []

    def collect(self) -> Iterator[Metric]:
        build = GaugeMetricFamily("fogg_build_info", "Always 1; the labels say what runs.",
                                  labels=["version", "python"])
        build.add_metric([_version(), platform.python_version()], 1)
        yield build
        yield _gauge("fogg_clock_ahead_seconds", "By how much the service's time is ahead of this "
                     "machine's.", CLOCK.ahead() / 1e9)
        try:
            read = [*self._of_redis()]
        except UNREACHABLE:
            read = []
        yield _gauge("fogg_redis_up", "Whether Redis answers.", bool(read))
        yield from read

    def _of_redis(self) -> Iterator[Metric]:
        games, queue, force = self._games, self._games.queue, workforce.read(self._games)
        not_recorded, oldest_s = keeping.waiting(games)
        backup_at, backup_bytes = backup.last(games.redis)
        yield _gauge("fogg_redis_warnings", "Settings of Redis that may lose games.",
                     len(durability.risky_settings(games.redis)))
        yield _gauge("fogg_queue_length", "Games whose bots wait for a worker.",
                     force.waiting[workers.QUEUE])
        yield _gauge("fogg_queue_guests", "Of these, games that others than built-in bots play in, "
                     "who wait as well.", workers.guests_waiting(queue))
        yield _gauge("fogg_analyses_queue_length", "Games that wait for a worker to analyse them.",
                     force.waiting[analyses.QUEUE])
        yield _gauge("fogg_deliveries_queue_length", "Lanes of webhooks that wait for a worker.",
                     force.waiting[lanes.QUEUE])
        yield _gauge("fogg_deliveries_waiting", "Calls of webhooks that are yet to be made, those "
                     "that are tried again later included.", lanes.count_due(games.redis))
        yield _gauge("fogg_failed_jobs", "Workers' jobs that failed in the last day.",
                     queue.failed_job_registry.count)
        yield _gauges("fogg_queue_oldest_seconds", "For how long the game has waited for a bot "
                      "that has waited longest.", "class", force.oldest)
        yield _gauges("fogg_workers", "Workers that live; one that is killed counts for two "
                      "minutes.", "queue", force.workers)
        yield _gauge("fogg_backup_timestamp_seconds", "When the last backup was written, 0 if none "
                     "was.", backup_at / 1000)
        yield _gauge("fogg_backup_bytes", "The size of the last backup.", backup_bytes)
        yield _gauge("fogg_keep_seconds", "For how long a game stays in Redis after it was "
                     "recorded.", 3600 * settings.KEEP_HOURS.value())
        yield _gauge("fogg_records_up", "Whether the database of what is over answers.",
                     games.database.answers())
        yield _gauge("fogg_records_waiting", "Games that are over and not recorded yet.",
                     not_recorded)
        yield _gauge("fogg_records_oldest_seconds", "For how long the one that has waited longest "
                     "has been over.", oldest_s)
        yield _gauges("fogg_games", "Games, as they are listed.", "status",
                      index.counts(games.store))


def _gauge(name: str, about: str, value: float) -> Metric:
    return GaugeMetricFamily(name, about, value=value)


def _gauges(name: str, about: str, label: str, values: Mapping[str, float]) -> Metric:
    """Return a gauge that has a value for each text of a label."""
    family = GaugeMetricFamily(name, about, labels=[label])
    for text, value in values.items():
        family.add_metric([text], value)
    return family


@cache
def _version() -> str:
    try:
        return version("fogg-server")
    except PackageNotFoundError:  # it runs from a checkout that is not installed
        return "unknown"


def _seconds(since: str, until: str) -> float:
    """Return the seconds between two times; not less than 0, as two machines' clocks may differ."""
    return max(0.0, (datetime.fromisoformat(until) - datetime.fromisoformat(since)).total_seconds())
