"""A worker process: ``python -m workers`` plays built-in bots and, when no game waits for one,
analyses games; ``python -m workers deliveries`` calls webhooks. It takes jobs off its queues, one
after another.

FOGG_QUEUE_URL, else FOGG_REDIS_URL, is the queue's Redis, FOGG_URL the service.
"""

import gc
import json
import logging
import signal
import sys
import threading
import time
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

from redis import Redis, RedisError
from rq import Queue, SimpleWorker, worker_registration
from rq.exceptions import DeserializationError
from rq.job import Job
from rq.worker import WorkerStatus

from service import settings
from workers import tokens
from workers.queue import ANALYSES, BOTS, DELIVERIES, EXPIRES_S, GUESTS, WORKER, of

log = logging.getLogger("fogg.workers")
JOBS = {"workers.play.play", "workers.analyse.analyse", "workers.deliver.deliver"}
# by the kind of worker: for what it waits, the module of its jobs, its queues, the first one first
KINDS = {
    BOTS: ("games to play", "workers.play", (GUESTS, BOTS, ANALYSES)),
    DELIVERIES: ("webhooks to call", "workers.deliver", (DELIVERIES,)),
}
# RQ waits for a job 15 s less, then sends a heartbeat; 60 s later it counts as dead
WORKER_TTL_S = 45
HEARTBEAT_S = 30
SERVE_S = 1.0  # after which a worker that calls webhooks sees whether it is to stop


class JsonLines(logging.Formatter):
    """Writes a record as a line of JSON, like those of the web processes (service/http/logs.py), so
    that both can be read together. The code is not shared: workers use the service over HTTP."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {
            "time": at.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line)


class Worker(SimpleWorker):
    """Runs jobs in this process, so that modules are imported once; stops after the move."""

    _last_heartbeat_s: float = -HEARTBEAT_S
    stopping: threading.Event  # set when it is to end

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """Touch the file that the liveness probe reads. Write to Redis only every ``HEARTBEAT_S``:
        RQ would write several times a job, and the bot's move would wait for each. Register again
        each time, as the queue's Redis may have lost its data."""
        if file := settings.HEARTBEAT_FILE.value():
            Path(file).touch()
        if pipeline is None:
            if time.monotonic() < self._last_heartbeat_s + HEARTBEAT_S:
                return
            self._last_heartbeat_s = time.monotonic()
            worker_registration.register(self)
        super().heartbeat(timeout, pipeline)

    def get_heartbeat_ttl(self, job: Job) -> int:
        """Return the seconds after which a worker that is busy counts as dead, with its job. RQ
        would wait for seven minutes, as jobs of the service have no time limit."""
        return EXPIRES_S

    def perform_job(self, job: Job, queue: Queue) -> bool:
        """Perform a job of the service. Delete any other job without running it or its callbacks:
        someone with access to the queue could have enqueued any function."""
        if is_ours(job):
            return super().perform_job(job, queue)
        log.error("deleted a job that the service did not enqueue")
        job.delete()
        return False

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        self.stopping.set()
        super().request_stop(signum, frame)


class LaneWorker(Worker):
    """Serves lanes of webhooks in threads, as they mostly wait for other machines."""

    def dequeue_job_and_maintain_ttl(
        self, timeout: int | None, max_idle_time: int | None = None
    ) -> None:
        from workers import deliver

        while not self.stopping.is_set():
            try:
                self.heartbeat()
                if self.should_run_maintenance_tasks:
                    self.run_maintenance_tasks()
                state = WorkerStatus.BUSY if deliver.shares.is_busy() else WorkerStatus.IDLE
                if self.get_state() != state:
                    self.set_state(state)
                deliver.serve(SERVE_S)
            except RedisError as error:
                log.warning("no lane could be taken: %r; the service will ask anew", error)
                self.stopping.wait(SERVE_S)

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        self.stopping.set()


def begin_log() -> None:
    """Write all log records of this process to stderr, from FOGG_LOG_LEVEL on."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    level = settings.LOG_LEVEL.value().upper()
    logging.basicConfig(level=level, handlers=[handler])
    logging.getLogger("rq.worker").setLevel(max(logging.WARNING, logging.root.level))


def is_ours(job: Job) -> bool:
    try:
        return (
            job.func_name in JOBS
            and job.instance is None
            and len(job.args) == 1
            and not (
                job._success_callback_name
                or job._failure_callback_name
                or job._stopped_callback_name
                or job.webhooks
            )
        )
    except DeserializationError:
        return False


def main(kind: str = BOTS) -> None:
    if kind not in KINDS:
        sys.exit(f"there is no queue called {kind}; they are {', '.join(KINDS)}")
    about, module_name, queues = KINDS[kind]
    try:
        settings.check()
        settings.URL.needed()
        queue_url = tokens.queue_url()
    except settings.BadSetting as error:
        sys.exit(str(error))
    begin_log()
    gc.disable()  # imports make no garbage, and collecting would double their time
    module = import_module(module_name)
    Worker.stopping = module.stopping
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    log.info("waiting for %s", about)
    if kind == BOTS:
        from workers import preparing  # not where webhooks are called: bots take long to import

        preparing.begin(queue_url)
    gc.freeze()
    gc.enable()
    worker = (Worker if kind == BOTS else LaneWorker)(
        [of(name) for name in queues],
        connection=Redis.from_url(queue_url),
        serializer="json",
        worker_ttl=WORKER_TTL_S,
        name=WORKER,
    )
    worker.work(logging_level="WARNING")
    if kind == DELIVERIES:
        module.finish()


if __name__ == "__main__":
    main(*sys.argv[1:])
