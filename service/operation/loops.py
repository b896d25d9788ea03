"""Periodic jobs of a web process."""

import logging
import sys
import tempfile
import threading
import time
from collections.abc import Callable

from redis import Redis

from service.eventlog.failovers import Failovers
from service.feature import Services
from service.http import metrics
from service.processes import Child
from service.redis import layout
from service.redis.guarding import log_errors
from service.redis.locks import try_lock
from service.redis.news import News

REBUILD = ["nice", sys.executable, "-P", "-m", "service.rebuild"]
RESTARTS = "restarts"  # a topic on which nothing is published
REBUILDING = "fogg:rebuilding"  # a lock, held while a process rebuilds the indexes
RETRY_AFTER_S = 60  # until a rebuild is retried whose process died or failed
log = logging.getLogger(__name__)


def begin(services: Services) -> None:
    """Start the jobs of all features, and those of the process itself."""
    games = services.games
    redis = games.redis
    for feature in services.features:
        for loop in feature.loops(services):
            repeat(loop.name, loop.seconds, loop.run, redis if loop.is_shared else None)
    watch_for_failovers(Failovers(redis, games.stores, games.mark_kept), games.news)
    repeat("indexes", 10.0, lambda: rebuild_if_old(redis))
    repeat("metrics", 5.0, metrics.flush)


def watch_for_failovers(
    failovers: Failovers, news: News, seconds: float = 1.0
) -> Callable[[], None]:
    """Look for failovers every so many seconds, and at once when news is heard again after its
    connection was cut off. Return the function that ends it, as ``repeat`` does."""
    is_back = threading.Event()
    news.on_reconnect.append(is_back.set)
    news.follow(RESTARTS).__enter__()  # so that there is a connection though nobody listens
    return repeat("failovers", seconds, failovers.check, at_once=is_back)


def repeat(
    name: str,
    seconds: float,
    work: Callable[[], object],
    redis: Redis | None = None,
    first: float = 0.0,
    at_once: threading.Event | None = None,
) -> Callable[[], None]:
    """Run a job periodically, the first time after ``first`` seconds, until the returned function
    is called. An error does not stop it. With a Redis, usually only one process at a time runs the
    job. Setting ``at_once`` ends the current wait."""
    is_over, wake = threading.Event(), at_once or threading.Event()

    def run() -> None:
        wake.wait(first)
        while not is_over.is_set():
            with log_errors(f"{name} failed; trying again", outages=True):
                if redis is None or try_lock(redis, f"fogg:{name}", int(seconds * 900)):
                    work()
            wake.wait(seconds)
            wake.clear()

    def end() -> None:
        is_over.set()
        wake.set()

    threading.Thread(target=run, name=name, daemon=True).start()
    return end


def rebuild_if_old(redis: Redis) -> None:
    """Rebuild the indexes in a child process if an earlier version made them. Return at once if
    another process is rebuilding them."""
    if not layout.are_indexes_old(redis) or not try_lock(redis, REBUILDING, RETRY_AFTER_S * 1000):
        return
    log.warning("an earlier version has made lists, statistics and ratings: rebuilding them")
    with tempfile.TemporaryFile() as said:
        child = Child(REBUILD, output=said)
        try:
            while child.is_running:
                redis.pexpire(REBUILDING, RETRY_AFTER_S * 1000)
                time.sleep(0.5)
        finally:
            code = child.wait()
        said.seek(0)
        text = said.read().decode(errors="replace").strip()[-2000:]
    log.log(logging.ERROR if code else logging.WARNING, "rebuilt: %s", text or "all is right")
