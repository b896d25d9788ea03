"""A worker process: ``python -m workers`` plays built-in bots, ``python -m workers deliveries``
calls webhooks. It takes jobs off that queue, one after another.

FOGG_QUEUE_URL, else FOGG_REDIS_URL, is the queue's Redis, FOGG_URL the service.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import threading
import time
from importlib import import_module
from pathlib import Path

from redis import Redis
from rq import Queue, SimpleWorker, worker_registration
from rq.exceptions import DeserializationError
from rq.job import Job

from workers import logs, tokens, turns

log = logging.getLogger("fogg.workers")
JOBS = {"workers.play.play", "workers.deliver.deliver"}
QUEUES = {"bots": "games to play", "deliveries": "webhooks to call"}
# seconds; RQ waits for a job for 15 less, then beats, and gives a worker up after 60 more
WORKER_TTL = 45
MODULES = {"bots": "workers.play", "deliveries": "workers.deliver"}  # what takes their jobs
HEARTBEAT = 30  # seconds


class Worker(SimpleWorker):
    """Runs jobs in this process, with everything imported once; ends after the move under way."""

    _beaten = -HEARTBEAT
    stopping: threading.Event  # set when it is to end

    def heartbeat(self, timeout=None, pipeline=None):
        """Touch the file that a probe of this process looks at. Tell Redis only now and then: RQ
        would do so several times a job, and each is a write to disk that the bot's move waits for.
        Register again, as the queue's Redis may have lost everything."""
        if file := os.environ.get("HEARTBEAT_FILE"):
            Path(file).touch()
        if pipeline is None:
            if time.monotonic() < self._beaten + HEARTBEAT:
                return
            self._beaten = time.monotonic()
            worker_registration.register(self)
        super().heartbeat(timeout, pipeline)

    def perform_job(self, job, queue):
        """Perform a job that the service asks for. Any other would be whatever somebody likes who
        has got at the queue: it is thrown away, with all that it asks to be done besides."""
        if is_ours(job):
            return super().perform_job(job, queue)
        log.error("a job was found in the queue that the service has not put there")
        job.delete()
        return False

    def request_stop(self, signum, frame):
        self.stopping.set()
        super().request_stop(signum, frame)


def is_ours(job: Job) -> bool:
    """Return whether a job is one of the two that the service asks for, and nothing but that."""
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
    logs.begin()
    gc.disable()  # nothing of what is loaded now is garbage, and looking takes as long as loading
    module = import_module(MODULES[queue])
    Worker.stopping = module.stopping
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    log.info("waiting for %s", QUEUES[queue])
    redis = Redis.from_url(tokens.queue_url())
    if queue == turns.QUEUE:
        from workers import preparing  # not where webhooks are called: bots take long to import

        preparing.begin(tokens.queue_url())
    gc.freeze()
    gc.enable()
    queues = [Queue(queue, connection=redis, serializer="json")]
    Worker(queues, connection=redis, serializer="json", worker_ttl=WORKER_TTL).work(
        logging_level="WARNING")
    if queue != turns.QUEUE:
        module.finish()


if __name__ == "__main__":
    main(*sys.argv[1:])
