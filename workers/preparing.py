"""Bots that cannot play yet: something has to be done before, once on a machine. ``expert`` is
compiled. Games wait for it, on nobody's clock, while others go on.

``fogg:bots:preparing``  bot -> how much is done, of 1, as JSON, in the queue's Redis; it expires
"""

from __future__ import annotations

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
LOOK = 1.0  # seconds between two looks at how far it is ...
AGAIN = 60.0  # ... and after which it is tried again, should it have failed
KEPT = 75  # ... and for which the service believes what it was told
log = logging.getLogger(__name__)
_ready: set[str] = set()


def is_ready(bot: str) -> bool:
    """Return whether a bot can play here and now; one that is not installed cannot."""
    if bot not in _ready and bot in BOTS and bot not in missing():
        _ready.add(bot)
    return bot in _ready


def begin(url: str) -> None:
    """Do what has to be done before, beside what this process does; say to the service how far it
    is, over a connection of its own to the queue's Redis: RQ waits long on those that it makes, and
    takes one that does not for a Redis that is gone."""
    if missing():
        threading.Thread(target=_prepare, args=(url,), daemon=True).start()


def start() -> subprocess.Popen:
    """Let another process compile, at low priority; it ends with this one, however that ends."""
    return subprocess.Popen(COMMAND, stdin=subprocess.PIPE)


def missing() -> dict[str, float]:
    """Return the bots that cannot play yet, and of each how much is done, of 1."""
    done = {name: kind.prepared() for name, kind in BOTS.items() if hasattr(kind, "prepared")}
    return {name: share for name, share in done.items() if share < 1}


def hindrance(names: Iterable[str]) -> str | None:
    """Return why one of these bots, which cannot play yet, cannot be prepared here, and what to do,
    in a sentence; None if all can."""
    for name in names:
        if why := BOTS[name].hindrance():
            return f"{name} cannot be prepared, and will not play: {why}"
    return None


def _prepare(url: str) -> None:
    from redis import Redis, RedisError

    queue = Redis.from_url(url)
    log.warning("preparing %s, once on this machine: this takes a minute or two",
                ", ".join(missing()))
    compiler: subprocess.Popen | None = None
    rest, said = threading.Event(), None
    while found := missing():
        with suppress(RedisError):
            queue.set(KEY, json.dumps(found), ex=KEPT)
        if compiler and compiler.poll() is not None and missing():
            log.error("the compiler has ended with %d before it was done", compiler.returncode)
            compiler = None
            rest.wait(AGAIN)
        elif compiler is None and (why := hindrance(found)):
            if why != said:
                log.error("%s", why)
            said = why
            rest.wait(AGAIN)
        else:
            compiler = compiler or start()
            rest.wait(LOOK)
    with suppress(RedisError):
        queue.delete(KEY)
    log.warning("all bots are ready")
