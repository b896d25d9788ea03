"""How web processes are started, as far as other modules need to know it. This module imports
nothing that gevent has to patch."""

import os
import shutil
import tempfile
from pathlib import Path

from service import settings

APP = "service.app:create_app(sweeping=True)"
MAX_BODY_BYTES = 64 * 1024  # of a request
MAX_QUERY_BYTES = 4000  # of an address; the server reads no address that is much longer
STOP_GRACE_S = 2  # for requests under way when the service is stopped
METRICS_PREFIX = "fogg-metrics-"  # of a folder of metrics that no setting names
MEMORY_FOLDER = "/dev/shm"
CLUSTER_MARK = "+cluster://"  # in the URL of a Redis Cluster


class RedisUnavailable(Exception):
    """No Redis can be started or is named; the message says what to do about it."""


def is_of_cluster(url: str) -> bool:
    return CLUSTER_MARK in url


def queue_url() -> str | None:
    """Return the URL of the Redis of the job queue: FOGG_QUEUE_URL, else FOGG_REDIS_URL."""
    url = settings.QUEUE_URL.value() or settings.REDIS_URL.value()
    if url and is_of_cluster(url):
        raise RedisUnavailable(
            "the queue that calls workers cannot be in a cluster: set "
            "FOGG_QUEUE_URL to a Redis of its own, a single server"
        )
    return url


def metrics_folder() -> str:
    """Return the folder for metrics that a setting names, else a new one, in memory if possible.
    Metrics are mapped files: a process that writes to one on a full disk is killed by the
    system."""
    memory = MEMORY_FOLDER if os.access(MEMORY_FOLDER, os.W_OK) else None
    return settings.PROMETHEUS_MULTIPROC_DIR.value() or tempfile.mkdtemp(
        prefix=METRICS_PREFIX, dir=memory
    )


def drop_metrics(folder: str | os.PathLike) -> None:
    """Delete a folder for metrics, unless a setting has named it."""
    if Path(folder).name.startswith(METRICS_PREFIX):
        shutil.rmtree(folder, ignore_errors=True)
