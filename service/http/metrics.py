"""The metrics of the service, for Prometheus.

Web processes count in files of one folder, PROMETHEUS_MULTIPROC_DIR, so that any of them answers
for all; without it a process answers for itself. ``service.operation.measures`` adds what is read
when asked for. Every label except the route has only a few values.

Requests, their times and what ``count`` gets are kept in memory and written every few seconds
(``flush``), so that no request waits for the file.
"""

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily, Metric

ACTION = ("POST", "/v1/games/{game}/actions")
QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
COARSE = (0.005, 0.025, 0.1, 0.5, 2.5, 10.0)
SLOW = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

COUNTED = CollectorRegistry()
REQUESTS = Counter(
    "fogg_requests", "Requests answered.", ["method", "route", "status"], registry=COUNTED
)
ACTIONS = Histogram(
    "fogg_action_seconds",
    "From an action's arrival to its answer, if played.",
    buckets=QUICK,
    registry=COUNTED,
)
STREAMS = Gauge("fogg_streams", "Streams open.", multiprocess_mode="livesum", registry=COUNTED)
CONNECTIONS = Gauge(
    "fogg_connections",
    "Connections open, idle ones included.",
    multiprocess_mode="livesum",
    registry=COUNTED,
)
REQUEST_SECONDS = Histogram(
    "fogg_request_seconds",
    "From a request's arrival to the beginning of its answer.",
    ["method", "route"],
    buckets=COARSE,
    registry=COUNTED,
)
MOST_STREAMS = Gauge(
    "fogg_process_streams",
    "Streams open in the web process that has most.",
    multiprocess_mode="livemax",
    registry=COUNTED,
)
PROCESSES = Gauge(
    "fogg_web_processes", "Web processes that live.", multiprocess_mode="livesum", registry=COUNTED
)
CPU = Counter("fogg_process_cpu_seconds", "Processor time of all web processes.", registry=COUNTED)
MEMORY = Gauge(
    "fogg_process_memory_bytes",
    "Resident memory of the web process that has most.",
    multiprocess_mode="livemax",
    registry=COUNTED,
)
FILES = Gauge(
    "fogg_process_files",
    "Files and connections open in the web process that has most.",
    multiprocess_mode="livemax",
    registry=COUNTED,
)
LIMITED = Counter(
    "fogg_rate_limited",
    "Requests and connections refused for their rate or a cap.",
    ["limit"],
    registry=COUNTED,
)
LOST = Counter(
    "fogg_lost_entries", "Entries that histories had and Redis has no more.", registry=COUNTED
)


_counts: dict[Counter, int] = {}
_times: dict[tuple[str, str], list[float]] = {}  # seconds of each request, by route
_cpu_counted = [0.0]  # CPU seconds counted so far


def count_request(method: str, route: str, status: int, seconds: float) -> None:
    """Count a request and its ``seconds``; for a stream, these last until the answer begins."""
    count(_requests(method, route, status))
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


def count(counter: Counter) -> None:
    """Count one, written to the file with the next ``flush``."""
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


def count_refusal(limit: str) -> None:
    """Count a request that was refused; ``limit`` is the name of one of the service's limits."""
    LIMITED.labels(limit).inc()


def gauge(name: str, about: str, value: float) -> Metric:
    """Return a gauge that was read just now."""
    return GaugeMetricFamily(name, about, value=value)


def gauges(name: str, about: str, label: str, values: Mapping[str, float]) -> Metric:
    """Return a gauge that has a value for each text of a label."""
    family = GaugeMetricFamily(name, about, labels=[label])
    for text, value in values.items():
        family.add_metric([text], value)
    return family
