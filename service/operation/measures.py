"""The page of metrics for Prometheus: what processes have counted, and what is read now."""

import platform
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector

from service import settings
from service.eventlog import backup
from service.feature import Services
from service.http.metrics import COUNTED, flush, gauge, gauges
from service.operation import workforce
from service.redis import durability
from service.redis.guarding import UNREACHABLE
from service.times import CLOCK


def page(services: Services) -> bytes:
    """Return everything in the text format of Prometheus."""
    flush()
    counted = COUNTED
    if settings.PROMETHEUS_MULTIPROC_DIR.value():
        counted = CollectorRegistry()
        MultiProcessCollector(counted)
    read = CollectorRegistry()
    read.register(_Read(services))
    return generate_latest(counted) + generate_latest(read)


class _Read:
    """The metrics that features read. If it does not answer, ``fogg_redis_up`` says so."""

    def __init__(self, services: Services):
        self._services = services

    def describe(self) -> list[Metric]:
        return []

    def collect(self) -> Iterator[Metric]:
        build = GaugeMetricFamily(
            "fogg_build_info", "Always 1; the labels say what runs.", labels=["version", "python"]
        )
        build.add_metric([_version(), platform.python_version()], 1)
        yield build
        yield gauge(
            "fogg_clock_ahead_seconds",
            "By how much the service's time is ahead of this machine's.",
            CLOCK.ahead() / 1e9,
        )
        try:
            read = [
                one
                for feature in self._services.features
                for one in feature.measures(self._services)
            ]
        except UNREACHABLE:
            read = []
        yield gauge("fogg_redis_up", "Whether Redis answers.", bool(read))
        yield from read


def measures(services: Services) -> Iterator[Metric]:
    """Yield the measures of Redis, its backups and the workers."""
    games, force = services.games, workforce.read(services)
    backup_at, backup_bytes = backup.last(games.redis)
    yield gauge(
        "fogg_redis_warnings",
        "Settings of Redis that may lose games.",
        len(durability.risky_settings(games.redis)),
    )
    yield gauge(
        "fogg_failed_jobs",
        "Workers' jobs that failed in the last day.",
        games.queues.failed(*(work for feature in services.features for work in feature.works)),
    )
    yield gauges(
        "fogg_queue_oldest_seconds",
        "For how long the game has waited for a bot that has waited longest.",
        "class",
        force.oldest,
    )
    yield gauges(
        "fogg_workers",
        "Workers that live; one that is killed counts for two minutes.",
        "queue",
        force.workers,
    )
    yield gauge(
        "fogg_backup_timestamp_seconds",
        "When the last backup was written, 0 if none was.",
        backup_at / 1000,
    )
    yield gauge("fogg_backup_bytes", "The size of the last backup.", backup_bytes)


@cache
def _version() -> str:
    try:
        return version("fogg-server")
    except PackageNotFoundError:  # it runs from a checkout that is not installed
        return "unknown"
