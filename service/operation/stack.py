"""The whole service on one machine: Redis, web processes and workers, watched over."""

import logging
import socket
import sys
import time
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from prometheus_client.multiprocess import mark_process_dead

from service import settings, starting
from service.processes import Child
from service.records.database import sqlite_url
from service.redis import durability, layout
from service.redis.connection import EmbeddedRedis, connect

QUICK = 1  # seconds; a start fails if the process does not live longer
MEND_EVERY = 0.5  # seconds between two calls of `Stack.mend`, for the code that runs a stack
LONGEST_WAIT = 5  # seconds between two attempts at starting the same process
log = logging.getLogger(__name__)


class StackFailed(Exception):
    """The service could not be started; the message says why."""


class Patience:
    """Backoff for restarts of a process: at once, then after longer and longer waits while starts
    fail (for example on a full disk), up to ``LONGEST_WAIT`` seconds."""

    def __init__(self) -> None:
        self._vain = 0  # failed starts in a row
        self._started: float | None = None  # the last start, None once is_over has counted it
        self._next = 0.0

    def is_over(self) -> bool:
        """Return whether to start a stopped process now."""
        now = time.monotonic()
        if self._started is not None:
            self._vain = self._vain + 1 if now - self._started < QUICK else 0
            self._next = now + min(self._vain and 2.0 ** (self._vain - 2), LONGEST_WAIT)
            self._started = None
        return now >= self._next

    def note_start(self) -> None:
        self._started = time.monotonic()


class Stack:
    """All processes that ``fogg up`` runs, as a context manager that stops them all. With ``port``
    0 the service listens on a free port. The output of the processes goes to ``DATA/*.log``."""

    def __init__(
        self, data: Path, *, host: str = "127.0.0.1", port: int = 0, workers: int = 1, web: int = 1
    ):
        self.data, self.web_processes = data.absolute(), web
        self._address, self._worker_count = (host, port), workers
        self.redis: EmbeddedRedis | None = None
        self.queue: EmbeddedRedis | None = None  # not durable: the sweep restores jobs
        self.web: Child | None = None
        self.workers: list[Child] = []
        self.deliveries: Child | None = None
        self.recorder: Child | None = None
        self.metrics: Path | None = None
        self.warnings: list[str] = []  # about the Redis, found at the start
        self._patience: dict[int, Patience] = defaultdict(Patience)

    def __enter__(self) -> "Stack":
        try:
            self._start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _start(self) -> None:
        self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._socket = self._listen()
        host, port = self._socket.getsockname()[:2]
        at = "127.0.0.1" if host in ("0.0.0.0", "::") else host
        self.url = f"http://[{at}]:{port}" if ":" in at else f"http://{at}:{port}"
        redis_url = settings.REDIS_URL.value()
        if not redis_url:
            self.redis = EmbeddedRedis(self.data / "redis").start()
            self.queue = EmbeddedRedis(self.data / "queue", durable=False).start()
            redis_url = self.redis.url
        queue = self.queue.url if self.queue else starting.queue_url()
        with connect(redis_url) as redis:  # fail on a wrong URL before anything starts
            redis.ping()
            durability.refuse_unfit(redis)
            self.warnings = [*durability.risky_settings(redis), *layout.warnings(redis)]
        if not self.queue:
            with connect(queue) as redis:
                redis.ping()
        self.metrics = Path(starting.metrics_folder())
        self._env: dict[str, Any] = {
            settings.REDIS_URL.name: redis_url,
            settings.QUEUE_URL.name: queue,
            settings.URL.name: self.url,
            settings.PROMETHEUS_MULTIPROC_DIR.name: str(self.metrics),
        }
        if not settings.DATABASE.is_set():
            self._env[settings.DATABASE.name] = sqlite_url(self.data / "records.sqlite3")
        self._start_recorder()
        self._start_web()
        self._wait_until_ready()
        for number in range(self._worker_count):
            self._start_worker(number)
        if self.workers:
            self._start_deliveries()

    def _listen(self) -> socket.socket:
        host, port = self._address
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            return socket.create_server(self._address, family=family, backlog=2048)
        except OSError as error:
            raise StackFailed(f"cannot listen on {host} port {port}: {error.strerror}") from error

    def _start_web(self) -> None:
        number = self._socket.fileno()
        self.web = self._child(
            "web",
            "-m",
            "service.web",
            starting.APP,
            "--bind",
            f"fd://{number}",
            "--workers",
            str(self.web_processes),
            pass_fds=[number],
        )

    def _start_worker(self, number: int) -> None:
        self.workers[number : number + 1] = [self._child("workers", "-m", "workers")]

    def _start_recorder(self) -> None:
        if self.recorder:  # it has died: its counts stay, its gauges go
            mark_process_dead(self.recorder.pid, str(self.metrics))
        self.recorder = self._child("recorder", "-m", "service.recorder")

    def _start_deliveries(self) -> None:
        self.deliveries = self._child("workers", "-m", "workers", "deliveries")

    def _child(self, log: str, *arguments: str, pass_fds: Sequence[int] = ()) -> Child:
        with (self.data / f"{log}.log").open("ab") as output:
            return Child(
                [sys.executable, *arguments], env=self._env, output=output, pass_fds=pass_fds
            )

    def _wait_until_ready(self, timeout: float = 60) -> None:
        end, was_away = time.monotonic() + timeout, False
        while time.monotonic() < end:
            with suppress(OSError), urllib.request.urlopen(f"{self.url}/readyz", timeout=2):
                return
            was_away |= any(server and not server.is_running for server in (self.redis, self.queue))
            if was_away:  # a process that starts without its Redis may end
                self.mend()
            elif not (self.web and self.web.is_running):
                break
            time.sleep(0.05)
        raise StackFailed(f"the web service did not start: {_last_words(self.data / 'web.log')}")

    def mend(self) -> list[str]:
        """Restart dead processes; return the names of the restarted ones. A process that cannot be
        started, or dies again at once, is retried with backoff. A single call may leave it dead, so
        call this every ``MEND_EVERY`` seconds."""
        started = []
        for place, (name, process, start) in enumerate(self._processes()):
            patience = self._patience[place]
            if process.is_running or not patience.is_over():
                continue
            process.kill()
            try:
                start()
                started.append(name)
            except (starting.RedisUnavailable, OSError) as error:
                log.warning(
                    "%s cannot be started, and is tried again: %s",
                    name,
                    str(error).partition("\n")[0],
                )
            patience.note_start()
        return started

    def dead(self) -> list[str]:
        """Return the names of the processes that are not running."""
        return [name for name, process, _ in self._processes() if not process.is_running]

    def _processes(self) -> Iterator[tuple[str, Child | EmbeddedRedis, Callable[[], object]]]:
        if self.redis and self.queue:
            yield "redis", self.redis, self.redis.start
            yield "queue", self.queue, self.queue.start
        if self.recorder:
            yield "recorder", self.recorder, self._start_recorder
        if self.web:
            yield "web", self.web, self._start_web
        for number, worker in enumerate(self.workers):
            yield "worker", worker, partial(self._start_worker, number)
        if self.deliveries:
            yield "deliveries", self.deliveries, self._start_deliveries

    def stop(self) -> None:
        """Stop everything that was started: workers, then web processes, then the Redis servers."""
        for worker in (*self.workers, *filter(None, [self.deliveries])):
            worker.stop(starting.STOP_GRACE_S)
        if self.web:
            self.web.stop(2 * starting.STOP_GRACE_S)
        if self.recorder:
            self.recorder.stop(starting.STOP_GRACE_S)
        for server in (self.queue, self.redis):
            if server:
                server.stop()
        if hasattr(self, "_socket"):
            self._socket.close()
        if self.metrics:
            starting.drop_metrics(self.metrics)
        self.workers, self.deliveries, self.web, self.recorder = [], None, None, None
        self.redis, self.queue = None, None


def _last_words(log: Path) -> str:
    """Return why a process has ended: the last line of its log that is not a JSON line, else the
    last ten lines."""
    lines = log.read_text(errors="replace").splitlines()
    why = next((line for line in reversed(lines) if line and not line.startswith("{")), None)
    return f"{why} (more in {log})" if why else "\n".join([f"the end of {log}:", *lines[-10:]])
