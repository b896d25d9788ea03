"""A worker process: ``python -m workers`` plays built-in bots, ``python -m workers deliveries``
calls webhooks. It takes jobs off that queue, one after another.

FOGG_QUEUE_URL, else FOGG_REDIS_URL, is the queue's Redis, FOGG_URL the service, FOGG_BOTS the file
of the bots' tokens.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import time

from redis import Redis
from rq import Queue, SimpleWorker

from workers import deliver, logs, play

log = logging.getLogger("fogg.workers")
QUEUES = {"bots": "games to play", "deliveries": "webhooks to call"}
HEARTBEAT = 30  # seconds; RQ gives a worker up after seven minutes without


class Worker(SimpleWorker):
    """Runs jobs in this process, with everything imported once; ends after the move under way."""

    _beaten = -HEARTBEAT

    def heartbeat(self, timeout=None, pipeline=None):
        """Tell that this worker lives, now and then: RQ would do so several times a job, and each
        is a write to disk that the bot's move waits for."""
        if pipeline is None:
            if time.monotonic() < self._beaten + HEARTBEAT:
                return
            self._beaten = time.monotonic()
        super().heartbeat(timeout, pipeline)

    def request_stop(self, signum, frame):
        play.stopping.set()
        deliver.stopping.set()
        super().request_stop(signum, frame)


def main(queue: str = "bots") -> None:
    """Work until told to stop."""
    if queue not in QUEUES:
        sys.exit(f"there is no queue called {queue}; they are {', '.join(QUEUES)}")
    logs.begin()
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    log.info("waiting for %s", QUEUES[queue])
    redis = Redis.from_url(os.environ.get("FOGG_QUEUE_URL") or os.environ["FOGG_REDIS_URL"])
    Worker([Queue(queue, connection=redis)], connection=redis).work(logging_level="WARNING")
    deliver.finish()


if __name__ == "__main__":
    main(*sys.argv[1:])
