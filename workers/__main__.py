"""A worker process: ``python -m workers`` plays built-in bots and, when no game waits for one,
analyses games; ``python -m workers deliveries`` calls webhooks. It takes jobs off its queues, one
after another.

FOGG_QUEUE_URL, else FOGG_REDIS_URL, is the queue's Redis, FOGG_URL the service.
"""

from __future__ import annotations

import gc
import logging
import signal
import sys
import threading
import time
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

from redis import Redis
from rq import Queue, SimpleWorker, worker_registration
from rq.exceptions import DeserializationError
from rq.job import Job

from service import settings
from workers import logs, tokens, turns

log = logging.getLogger("fogg.workers")
JOBS = {"workers.play.play", "workers.analyse.analyse", "workers.deliver.deliver"}
QUEUES = {"bots": "games to play", "deliveries": "webhooks to call"}
# RQ waits for a job 15 s less, then sends a heartbeat; 60 s later it counts as dead
WORKER_TTL_S = 45
MODULES = {"bots": "workers.play", "deliveries": "workers.deliver"}  # queue -> module of its job
MORE = {"bots": ["analyses"]}  # queue -> those whose jobs run when it has none
HEARTBEAT_S = 30


class Worker(SimpleWorker):
    """Runs jobs in this process, so that modules are imported only once. It stops after the current
    move."""

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


def is_ours(job: Job) -> bool:
    """Return whether a job is one of the service's jobs, without callbacks."""
    try:
        return job.func_name in JOBS and job.instance is None and not (
            job._success_callback_name or job._failure_callback_name
            or job._stopped_callback_name or job.webhooks)
    except DeserializationError:
        return False


def main(queue: str = "bots") -> None:
    """Work until told to stop."""
    if queue not in QUEUES:
        sys.exit(f"there is no queue called {queue}; they are {', '.join(QUEUES)}")
    try:
        settings.check()
        settings.URL.needed()
        queue_url = tokens.queue_url()
    except settings.BadSetting as error:
        sys.exit(str(error))
    logs.begin()
    gc.disable()  # imports make no garbage, and collecting would double their time
    module = import_module(MODULES[queue])
    Worker.stopping = module.stopping
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    log.info("waiting for %s", QUEUES[queue])
    redis = Redis.from_url(queue_url)
    if queue == turns.QUEUE:
        from workers import preparing  # not where webhooks are called: bots take long to import

        preparing.begin(queue_url)
    gc.freeze()
    gc.enable()
    queues = [Queue(name, connection=redis, serializer="json")
              for name in (queue, *MORE.get(queue, ()))]
    Worker(queues, connection=redis, serializer="json", worker_ttl=WORKER_TTL_S).work(
        logging_level="WARNING")
    if queue != turns.QUEUE:
        module.finish()


if __name__ == "__main__":
    main(*sys.argv[1:])
