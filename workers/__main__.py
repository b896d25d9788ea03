"""A worker process: ``python -m workers``. It takes jobs off the queue, one after another.

FOGG_QUEUE_URL, else FOGG_REDIS_URL, is the queue's Redis, FOGG_URL the service, FOGG_BOTS the file
of the bots' tokens.
"""

from __future__ import annotations

import logging
import os
import signal
import time

from redis import Redis
from rq import Queue, SimpleWorker

from workers import logs, play

log = logging.getLogger("fogg.workers")
QUEUE = "bots"
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
        super().request_stop(signum, frame)


def main() -> None:
    """Work until told to stop."""
    logs.begin()
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    log.info("waiting for games to play")
    redis = Redis.from_url(os.environ.get("FOGG_QUEUE_URL") or os.environ["FOGG_REDIS_URL"])
    Worker([Queue(QUEUE, connection=redis)], connection=redis).work(logging_level="WARNING")


if __name__ == "__main__":
    main()
