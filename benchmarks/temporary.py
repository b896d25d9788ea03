"""A Redis and a service for the length of a benchmark; nothing is left of them afterwards."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from redis import Redis

from service.operation.redis import EmbeddedRedis, connect
from service.operation.stack import Stack
from tests.clusters import Cluster


@contextmanager
def redis() -> Iterator[Redis]:
    """Give a client of an embedded Redis of its own, empty."""
    with _folder() as folder, EmbeddedRedis(folder) as server, connect(server.url) as client:
        yield client


@contextmanager
def service(workers: int = 0, web: int = 1) -> Iterator[Stack]:
    """Give the whole service, on an embedded Redis of its own."""
    # no FOGG_REDIS_URL: a benchmark fills no Redis of anybody's
    with _folder() as folder, _redis_url(None), Stack(folder, workers=workers, web=web) as stack:
        yield stack


@contextmanager
def same_server(app: str, beside: Stack) -> Iterator[Stack]:
    """Give another application, run just as ``beside`` runs the service, and on its Redis."""
    with (_folder() as folder, _redis_url(beside.redis.url),
          patch("service.operation.stack.APP", app), Stack(folder, workers=0) as stack):
        yield stack


@contextmanager
def cluster_service() -> Iterator[tuple[Stack, list[int]]]:
    """Give the whole service on a Redis Cluster of its own, and the processes of its masters."""
    with (_folder() as folder, Cluster(folder / "cluster") as cluster,
          EmbeddedRedis(folder / "queue", durable=False) as queue, _redis_url(cluster.url),
          patch.dict(os.environ, FOGG_QUEUE_URL=queue.url),
          Stack(folder / "service", workers=0) as stack):
        yield stack, [node.process.pid for node in cluster.nodes if node.is_master]


def processor_seconds(stack: Stack) -> float:
    """Return the processor time that the web processes have used; 0 where the system tells none."""
    return sum(map(used, children(stack.web.pid)))


@contextmanager
def _redis_url(url: str | None) -> Iterator[None]:
    """Let FOGG_REDIS_URL be this for a while, or be missing."""
    with patch.dict(os.environ):
        os.environ.pop("FOGG_REDIS_URL", None)
        if url:
            os.environ["FOGG_REDIS_URL"] = url
        yield


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="fogg-bench-") as folder:
        yield Path(folder)


def children(process: int) -> list[int]:
    """Return the processes that a process has started; none where the system does not tell."""
    listed = Path(f"/proc/{process}/task/{process}/children")
    return [int(child) for child in listed.read_text().split()] if listed.exists() else []


def used(process: int) -> float:
    """Return a process's seconds of processor time, its own and the system's for it."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(process: int) -> float:
    """Return a process's megabytes of memory."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1000
