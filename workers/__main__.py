"""A worker process: ``python -m workers``. It takes jobs off the queue, one after another.

FOGG_REDIS_URL is the queue's Redis, FOGG_URL the service, FOGG_BOTS the file of the bots' tokens.
"""

from __future__ import annotations

import logging
import os
import signal

from redis import Redis
from rq import Queue, SimpleWorker

from workers import play

QUEUE = "bots"


class Worker(SimpleWorker):
    """Runs jobs in this process, with everything imported once; ends after the move under way."""

    def request_stop(self, signum, frame):
        play.stopping.set()
        super().request_stop(signum, frame)


def main() -> None:
    """Work until told to stop."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    logging.getLogger("rq.worker").setLevel(logging.WARNING)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    redis = Redis.from_url(os.environ["FOGG_REDIS_URL"])
    Worker([Queue(QUEUE, connection=redis)], connection=redis).work(logging_level="WARNING")


if __name__ == "__main__":
    main()
