"""What the web processes are started with, and others must know."""

import os
import shutil
import tempfile
from pathlib import Path

APP = "service.api.app:create_app(sweeping=True)"
LARGEST_BODY = 64 * 1024  # bytes
LONGEST_QUERY = 4000  # bytes; the server reads no address that is much longer
GRACE = 2  # seconds for requests under way when the service is stopped
METRICS = "PROMETHEUS_MULTIPROC_DIR"  # names the folder in which web processes count
TEMPORARY = "fogg-metrics-"  # such a folder begins with, if nobody has named it
MEMORY = "/dev/shm"


class RedisUnavailable(Exception):
    """No Redis can be started or is named; the message says what to do about it."""


def is_of_cluster(url: str) -> bool:
    """Returns whether a URL names a cluster."""
    return "+cluster://" in url


def queue_url() -> str | None:
    """Returns where the queue is that calls workers, as the settings say: FOGG_QUEUE_URL, else
    FOGG_REDIS_URL."""
    url = os.environ.get("FOGG_QUEUE_URL") or os.environ.get("FOGG_REDIS_URL")
    if url and is_of_cluster(url):
        raise RedisUnavailable("the queue that calls workers cannot be in a cluster: set "
                               "FOGG_QUEUE_URL to a Redis of its own, a single server")
    return url


def metrics_folder() -> str:
    """Return the folder in which web processes are to count: the one that is named, else a new one,
    in memory where the system has a place for that. Counts are mapped files, and who writes to one
    when the disk is full is killed by the system."""
    memory = MEMORY if os.access(MEMORY, os.W_OK) else None
    return os.environ.get(METRICS) or tempfile.mkdtemp(prefix=TEMPORARY, dir=memory)


def drop_metrics(folder: str | os.PathLike) -> None:
    """Leave nothing behind of a folder of counts that nobody has named."""
    if Path(folder).name.startswith(TEMPORARY):
        shutil.rmtree(folder, ignore_errors=True)
