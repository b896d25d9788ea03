"""The tokens of the built-in bots, with which a worker signs in: from the queue's Redis, where web
processes store them.

``fogg:bots`` ``{"planner": ["token of planner on seat 0", ...], ...}`` as JSON; it expires
"""

import json
import time
from functools import cache

from fogg_client.client import Client
from fogg_client.problems import Problem
from redis import Redis

from service import settings

SHARED = "fogg:bots"
TOKENS_WAIT_S = 15.0  # a service that has just started stores the tokens within this time


class NoTokens(Exception):
    """The service has stored no tokens for workers."""


def queue_url() -> str:
    return str(settings.QUEUE_URL.value() or settings.REDIS_URL.needed())


@cache
def of_bots() -> dict[str, list[str]]:
    end = time.monotonic() + TOKENS_WAIT_S
    with Redis.from_url(queue_url()) as redis:
        while (raw := redis.get(SHARED)) is None:
            if time.monotonic() > end:
                raise NoTokens(
                    f"there are no tokens of bots in the queue's Redis ({SHARED}): does "
                    "a web process run that has the same FOGG_QUEUE_URL?"
                )
            time.sleep(0.2)
    return json.loads(raw)


@cache
def service() -> Client:
    return Client(
        str(settings.URL.needed()), next(iter(of_bots().values()))[0], compressed=False
    )  # compression costs more than it saves on this link


def of_account(account: str) -> str:
    _, bot, number = account.split("_")
    return of_bots()[bot][int(number)]


def forget_after(error: Exception) -> None:
    if isinstance(error, Problem) and error.status == 401:
        forget()


def forget() -> None:
    of_bots.cache_clear()
    service.cache_clear()
