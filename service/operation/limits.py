"""How often one may ask: so many requests in a window of time, counted in Redis.

An account with all of its tokens, and with all of the bots that it owns, counts as one: another
token or bot gives nobody more.

``limit:KIND:WHO:WINDOW``  how many were taken in the window under way

A process takes requests from Redis by the handful, a fiftieth of the limit at a time, so that the
count costs next to nothing; several processes together may let through a handful each too few,
and never one too many.
"""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from threading import Lock

from redis import Redis

from service.errors import TooMany
from service.store.numbers import BadSetting

# kind -> (requests, seconds, what is said): about what a process can serve, so that no one caller
# has more than all of it; who serves the world sets them lower (deploy/compose.yaml)
KINDS = {
    "accounts": (600, 60, "accounts from this address"),
    "address": (30_000, 60, "requests without a token from this address"),
    "requests": (60_000, 60, "requests of this account and its bots"),
    "actions": (60_000, 60, "actions of this account and its bots"),
    "creations": (12_000, 60, "games and tournaments created by this account and its bots"),
    "pings": (20, 60, "test calls of this account's webhooks"),
}
HANDFULS = 50


@dataclass(frozen=True)
class Standing:
    """What is left to a caller: of ``limit`` requests in ``window`` seconds ``remaining`` for the
    next ``reset`` seconds."""

    kind: str
    limit: int
    window: int
    remaining: int
    reset: int


class Limits:
    """The limits of one service."""

    def __init__(self, redis: Redis):
        self._redis = redis
        self._kinds = KINDS | settings(os.environ.get("FOGG_LIMITS", ""))
        self._handfuls: dict[tuple[str, str], list[int]] = {}  # window, left here, taken by all
        self._refilling = Lock()
        self._swept = 0

    def take(self, kind: str, who: str) -> Standing:
        """Count a request; raise TooMany if there are none left."""
        limit, seconds, words = self._kinds[kind]
        now = int(time.time())
        window, reset = now // seconds, seconds - now % seconds
        held = self._handfuls.get((kind, who))
        if held is None or held[0] != window:
            self._sweep(now)
            held = self._handfuls[kind, who] = [window, 0, 0]
        if not held[1]:
            with self._refilling:
                if not held[1] and held[2] < limit:
                    handful = max(1, limit // HANDFULS)
                    held[2] = self._take(f"limit:{kind}:{who}:{window}", handful, seconds)
                    held[1] = max(0, handful - max(0, held[2] - limit))
            if not held[1]:
                raise TooMany(words, reset)
        held[1] -= 1
        return Standing(kind, limit, seconds, max(0, limit - held[2]) + held[1], reset)

    def _take(self, key: str, count: int, seconds: int) -> int:
        pipe = self._redis.pipeline(transaction=False)
        pipe.incrby(key, count)
        pipe.expire(key, 2 * seconds)
        return pipe.execute()[0]

    def _sweep(self, now: int) -> None:
        """Forget, now and then, who has not asked in the window under way."""
        if now > self._swept + 60:
            self._swept = now
            self._handfuls = {
                (kind, who): held for (kind, who), held in self._handfuls.items()
                if held[0] == now // self._kinds[kind][1]
            }


@lru_cache(10_000)
def household(address: str) -> str:
    """Return the address by which somebody is counted: of IPv6 the first half, as whoever has one
    has all that begin with that."""
    try:
        found = ip_address(address)
    except ValueError:
        return "nowhere"
    if isinstance(found, IPv6Address) and not found.ipv4_mapped:
        return str(ip_network((found, 64), strict=False))
    return str(getattr(found, "ipv4_mapped", None) or found)


def settings(text: str) -> dict[str, tuple[int, int, str]]:
    """Return the kinds that FOGG_LIMITS sets otherwise, ``accounts=20/3600 requests=600/60`` say:
    so many requests in so many seconds."""
    found = {}
    for word in text.split():
        match = re.fullmatch(r"(\w+)=([1-9][0-9]{0,8})/([1-9][0-9]{0,6})", word)
        if not match or match[1] not in KINDS:
            raise BadSetting(f"FOGG_LIMITS has {word!r}; it should be KIND=REQUESTS/SECONDS, both "
                             f"at least 1, the kinds being {', '.join(KINDS)}")
        found[match[1]] = int(match[2]), int(match[3]), KINDS[match[1]][2]
    return found
