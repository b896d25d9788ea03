"""Preparing bots that cannot play at once: ``expert`` is compiled, once on a machine. Until then
its games wait with their clocks stopped; other games go on.

``fogg:bots:preparing``  bot -> progress (0 to 1), as JSON, in the queue's Redis; it expires
"""

import json
import logging
import subprocess
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress

from workers.bots import BOTS

KEY = "fogg:bots:preparing"
COMMAND = [sys.executable, "-m", "workers.bots.search", "--beside"]
POLL_S = 1.0  # seconds between two reports of progress
RETRY_S = 60.0  # seconds until the next attempt after a failure
EXPIRES_S = 75  # seconds after which a report of progress expires
log = logging.getLogger(__name__)
_ready: set[str] = set()


def is_ready(bot: str) -> bool:
    if bot not in _ready and bot in BOTS and bot not in missing():
        _ready.add(bot)
    return bot in _ready


def begin(url: str) -> None:
    """Prepare the bots in a thread, and report the progress to the queue's Redis. The thread has
    its own connection: RQ's have long time-outs, and with a short one RQ would believe that Redis
    is gone."""
    if missing():
        threading.Thread(target=_prepare, args=(url,), daemon=True).start()


def start() -> subprocess.Popen:
    """Start compiling at low priority, in a process that ends with this one, even if killed."""
    return subprocess.Popen(COMMAND, stdin=subprocess.PIPE)


def missing() -> dict[str, float]:
    done = {name: kind.prepared() for name, kind in BOTS.items() if hasattr(kind, "prepared")}
    return {name: share for name, share in done.items() if share < 1}


def hindrance(names: Iterable[str]) -> str | None:
    """Return why one of these bots cannot be prepared here, and what to do; None if all can."""
    for name in names:
        if why := BOTS[name].hindrance():
            return f"{name} cannot be prepared, and will not play: {why}"
    return None


def _prepare(url: str) -> None:
    from redis import Redis, RedisError

    queue = Redis.from_url(url)
    log.warning(
        "preparing %s, once on this machine: this takes half a minute", ", ".join(missing())
    )
    compiler: subprocess.Popen | None = None
    rest, said = threading.Event(), None
    while progress := missing():
        with suppress(RedisError):
            queue.set(KEY, json.dumps(progress), ex=EXPIRES_S)
        if compiler and compiler.poll() is not None and missing():
            log.error("the compiler has ended with %d before it was done", compiler.returncode)
            compiler = None
            rest.wait(RETRY_S)
        elif compiler is None and (why := hindrance(progress)):
            if why != said:
                log.error("%s", why)
            said = why
            rest.wait(RETRY_S)
        else:
            compiler = compiler or start()
            rest.wait(POLL_S)
    with suppress(RedisError):
        queue.delete(KEY)
    log.warning("all bots are ready")
