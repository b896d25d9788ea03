"""The whole service on one machine: Redis, web processes and workers, watched over."""

from __future__ import annotations

import os
import socket
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

from service.accounts import bots
from service.operation.processes import Child
from service.operation.redis import EmbeddedRedis
from service.operation.settings import APP, GRACE, METRICS


class StackFailed(Exception):
    """The service could not be started; the message says why."""


class Stack:
    """Everything that ``fogg up`` runs; a context manager that leaves nothing running.

    ``port`` 0 takes a free one. What the processes print goes to ``DATA/*.log``.
    """

    def __init__(
        self, data: Path, *, host: str = "127.0.0.1", port: int = 0, workers: int = 1, web: int = 1
    ):
        self.data, self.web_processes = data.absolute(), web
        self._address, self._worker_count = (host, port), workers
        self.redis: EmbeddedRedis | None = None
        self.queue: EmbeddedRedis | None = None  # jobs need not survive: the sweep calls anew
        self.web: Child | None = None
        self.workers: list[Child] = []
        self.deliveries: Child | None = None

    def __enter__(self) -> Stack:
        try:
            self._start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    def _start(self) -> None:
        self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._socket = self._listen()
        host, port = self._socket.getsockname()[:2]
        at = "127.0.0.1" if host in ("0.0.0.0", "::") else host
        self.url = f"http://[{at}]:{port}" if ":" in at else f"http://{at}:{port}"
        redis_url = os.environ.get("FOGG_REDIS_URL")
        if not redis_url:
            self.redis = EmbeddedRedis(self.data / "redis").start()
            self.queue = EmbeddedRedis(self.data / "queue", durable=False).start()
            redis_url = self.redis.url
        queue_url = self.queue.url if self.queue else os.environ.get("FOGG_QUEUE_URL", redis_url)
        tokens = self.data / "bots.json"
        bots.write_tokens(tokens)
        self._env = {"FOGG_REDIS_URL": redis_url, "FOGG_QUEUE_URL": queue_url,
                     "FOGG_URL": self.url, "FOGG_BOTS": str(tokens),
                     METRICS: str(self.data / "metrics")}
        self.web = self._start_web()
        self._wait_until_ready()
        self.workers = [self._start_worker() for _ in range(self._worker_count)]
        if self.workers:
            self.deliveries = self._start_deliveries()

    def _listen(self) -> socket.socket:
        host, port = self._address
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            return socket.create_server(self._address, family=family, backlog=2048)
        except OSError as error:
            raise StackFailed(f"cannot listen on {host} port {port}: {error.strerror}") from error

    def _start_web(self) -> Child:
        number = self._socket.fileno()
        return self._child(
            "web", "-m", "service.web", APP, "--bind", f"fd://{number}",
            "--workers", str(self.web_processes), pass_fds=[number])

    def _start_worker(self) -> Child:
        return self._child("workers", "-m", "workers")

    def _start_deliveries(self) -> Child:
        return self._child("workers", "-m", "workers", "deliveries")

    def _child(self, log: str, *arguments: str, pass_fds=()) -> Child:
        with (self.data / f"{log}.log").open("ab") as output:
            return Child([sys.executable, *arguments], env=self._env, output=output,
                         pass_fds=pass_fds)

    def _wait_until_ready(self, timeout: float = 60) -> None:
        end = time.monotonic() + timeout
        while self.web.is_running and time.monotonic() < end:
            with suppress(OSError), urllib.request.urlopen(f"{self.url}/readyz", timeout=2):
                return
            time.sleep(0.05)
        said = (self.data / "web.log").read_text(errors="replace")[-2000:]
        raise StackFailed(f"the web service did not start; the end of its log:\n{said}")

    def mend(self) -> list[str]:
        """Start again whatever has died; return the names of what was started."""
        started = []
        for name, server in (("redis", self.redis), ("queue", self.queue)):
            if server and not server.is_running:
                server.kill()
                server.start()
                started.append(name)
        if not self.web.is_running:
            self.web.kill()
            self.web = self._start_web()
            started.append("web")
        for i, worker in enumerate(self.workers):
            if not worker.is_running:
                worker.kill()
                self.workers[i] = self._start_worker()
                started.append("worker")
        if self.deliveries and not self.deliveries.is_running:
            self.deliveries.kill()
            self.deliveries = self._start_deliveries()
            started.append("deliveries")
        return started

    def stop(self) -> None:
        """Stop everything that was started, in the order in which it is needed."""
        for worker in (*self.workers, *filter(None, [self.deliveries])):
            worker.stop(GRACE)
        if self.web:
            self.web.stop(2 * GRACE)
        for server in (self.queue, self.redis):
            if server:
                server.stop()
        if hasattr(self, "_socket"):
            self._socket.close()
        self.workers, self.deliveries, self.web = [], None, None
        self.redis, self.queue = None, None
