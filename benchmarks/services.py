"""Starts the whole service for a benchmark, on data that is deleted afterwards."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from service.operation.stack import Stack
from tools import processes


@contextmanager
def service(workers: int = 0, web: int = 1) -> Iterator[Stack]:
    # FOGG_REDIS_URL is ignored: a benchmark must not fill a Redis that is in use
    with _folder() as folder, _redis_url(None), Stack(folder, workers=workers, web=web) as stack:
        yield stack


@contextmanager
def same_server(app: str, beside: Stack) -> Iterator[Stack]:
    """Run another application in the way in which a stack runs the service, on the same Redis."""
    with (_folder() as folder, _redis_url(beside.redis.url),
          patch("service.starting.APP", app), Stack(folder, workers=0) as stack):
        yield stack


def processor_seconds(stack: Stack) -> float:
    """Return the processor time of all web processes; 0 where the system has no /proc."""
    return sum(map(processes.processor_seconds, processes.children(stack.web.pid)))


@contextmanager
def _redis_url(url: str | None) -> Iterator[None]:
    with patch.dict(os.environ):
        os.environ.pop("FOGG_REDIS_URL", None)
        if url:
            os.environ["FOGG_REDIS_URL"] = url
        yield


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="fogg-bench-") as folder:
        yield Path(folder)
