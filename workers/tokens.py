"""The tokens of the built-in bots, by which the service knows a worker: out of the file that
FOGG_BOTS names, else out of the queue's Redis, where web processes put them.

``fogg:bots``  ``{"planner": ["token of planner on seat 0", ...], ...}`` as JSON; it expires
"""

from __future__ import annotations

import json
import time
from functools import cache
from pathlib import Path

from fogg_client.client import Client
from fogg_client.problems import Problem
from redis import Redis

from service import settings

SHARED = "fogg:bots"
TOKENS_WAIT_S = 15.0  # in which a service that has just started puts the tokens there


class NoTokens(Exception):
    """The service has put no tokens where workers find them."""


def queue_url() -> str:
    """Return the URL of the Redis of the job queue."""
    return settings.QUEUE_URL.value() or settings.REDIS_URL.needed()


@cache
def of_bots() -> dict[str, list[str]]:
    """Return the tokens of all bots; wait a little for them."""
    if path := settings.BOTS.value():
        return json.loads(Path(path).read_text())
    end = time.monotonic() + TOKENS_WAIT_S
    with Redis.from_url(queue_url()) as redis:
        while (raw := redis.get(SHARED)) is None:
            if time.monotonic() > end:
                raise NoTokens(f"there are no tokens of bots in the queue's Redis ({SHARED}): does "
                               "a web process run that has the same FOGG_QUEUE_URL?")
            time.sleep(0.2)
    return json.loads(raw)


@cache
def service() -> Client:
    """Return the service, which knows us by a token of a built-in bot."""
    return Client(settings.URL.needed(), next(iter(of_bots().values()))[0],
                  compressed=False)  # on the way between us that costs more than it saves


def of_account(account: str) -> str:
    """Return the token of a built-in bot's account."""
    _, bot, number = account.split("_")
    return of_bots()[bot][int(number)]


def forget_after(error: Exception) -> None:
    """Forget the tokens if the service has rejected one."""
    if isinstance(error, Problem) and error.status == 401:
        forget()


def forget() -> None:
    """Forget the tokens, so that they are read again."""
    of_bots.cache_clear()
    service.cache_clear()
