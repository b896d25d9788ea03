"""Rate limits: so many requests in a window of time, counted in Redis (FOGG_LIMITS).

An account, its tokens and its bots count as one caller: another token or bot gives no further
requests.

``limit:KIND:WHO:WINDOW``  how many requests were taken in the current window

A process reserves requests in Redis in handfuls, a fiftieth of the limit at a time, so that
counting costs next to nothing. Each of several processes may allow up to a handful too few, and
together they never allow one too many.
"""

import time
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from socket import socket
from threading import Lock
from typing import NamedTuple

from redis import Redis, ResponseError

from service import settings
from service.errors import TooMany

NAMES = {  # kind of FOGG_LIMITS -> words for it in a message
    "accounts": "accounts from this address",
    "address": "requests without a token from this address",
    "address_requests": "requests of all accounts from this address",
    "requests": "requests of this account and its bots",
    "actions": "actions of this account and its bots",
    "creations": "games and tournaments created by this account and its bots",
    "invitations": "invitations of this account and its bots",
    "invited": "invitations of this account and its bots to one player",
    "views": "downloads of a game's views by this caller",
}
HANDFULS = 50  # that a process takes one by one from Redis, of each limit
SWEEP_EVERY_S = 60


class Standing(NamedTuple):
    """How many requests a caller has left: ``remaining`` of ``limit``. The window of ``window``
    seconds ends in ``reset`` seconds."""

    kind: str
    limit: int
    window: int
    remaining: int
    reset: int


class Streams(defaultdict[tuple[str, str], list[socket | None]]):
    """The open streams and waiting requests of a process, by kind of cap and holder: their
    connections, or None where the server gives none."""

    def __init__(self) -> None:
        super().__init__(list)


class Limits:
    """The limits of one service."""

    def __init__(self, redis: Redis, names: Mapping[str, str]):
        """``names``: the kinds that features add, each with the words for it."""
        self._redis, self._names = redis, {**NAMES, **names}
        self._kinds = settings.LIMITS.value()
        self._handfuls: dict[tuple[str, str], list[int]] = {}  # window, left here, taken by all
        self._refilling = Lock()
        self._swept = 0

    def take(self, kind: str, who: str) -> Standing:
        """Count a request; raise TooMany if there are none left."""
        limit, seconds = self._kinds[kind]
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
                    try:
                        key, pipe = f"limit:{kind}:{who}:{window}", self._redis.pipeline(False)
                        pipe.incrby(key, handful)
                        pipe.expire(key, 2 * seconds)
                        held[2] = pipe.execute()[0]
                    except ResponseError:  # a full Redis can be read: each process counts alone
                        held[2] += handful
                    held[1] = max(0, handful - max(0, held[2] - limit))
            if not held[1]:
                raise TooMany(self._names[kind], reset)
        held[1] -= 1
        return Standing(kind, limit, seconds, max(0, limit - held[2]) + held[1], reset)

    def _sweep(self, now: int) -> None:
        if now > self._swept + SWEEP_EVERY_S:
            self._swept = now
            self._handfuls = {
                (kind, who): held
                for (kind, who), held in self._handfuls.items()
                if held[0] == now // self._kinds[kind][1]
            }


@lru_cache(10_000)
def is_public(address: str) -> bool:
    """Return whether the whole internet can reach an address."""
    parsed = _parsed(address)
    return parsed is not None and parsed.is_global


@lru_cache(10_000)
def counted_address(address: str) -> str:
    """Return the address that a client is counted by. IPv6 clients are counted per /64, as a client
    with one address has all others of the same /64."""
    parsed = _parsed(address)
    if parsed is None:
        return "nowhere"
    if isinstance(parsed, IPv6Address):
        return str(ip_network((parsed, 64), strict=False))
    return str(parsed)


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    """Return an address, that of IPv4 where IPv6 only carries it; None if it is none."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return None
    return getattr(parsed, "ipv4_mapped", None) or parsed
