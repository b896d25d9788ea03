"""A Redis and a service for the length of a benchmark; nothing is left of them afterwards."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from redis import Redis

from service.operation.redis import EmbeddedRedis, connect
from service.operation.stack import Stack


@contextmanager
def redis() -> Iterator[Redis]:
    """Give a client of an embedded Redis of its own, empty."""
    with _folder() as folder, EmbeddedRedis(folder) as server, connect(server.url) as client:
        yield client


@contextmanager
def service(workers: int = 0) -> Iterator[Stack]:
    """Give the whole service, with one web process, on an embedded Redis of its own."""
    # no FOGG_REDIS_URL: a benchmark fills no Redis of anybody's
    with _folder() as folder, _redis_url(None), Stack(folder, workers=workers) as stack:
        yield stack


@contextmanager
def same_server(app: str, beside: Stack) -> Iterator[Stack]:
    """Give another application, run just as ``beside`` runs the service, and on its Redis."""
    with (_folder() as folder, _redis_url(beside.redis.url),
          patch("service.operation.stack.APP", app), Stack(folder, workers=0) as stack):
        yield stack


def processor_seconds(stack: Stack) -> float:
    """Return the processor time that the web processes have used; 0 where the system tells none."""
    return sum(map(used, _children(stack.web.pid)))


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


def _children(process: int) -> list[int]:
    listed = Path(f"/proc/{process}/task/{process}/children")
    return [int(child) for child in listed.read_text().split()] if listed.exists() else []


def used(process: int) -> float:
    """Return a process's seconds of processor time, its own and the system's for it."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
