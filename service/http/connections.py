"""The connections of a web process, limited in total and for each address.

At a limit, a new connection replaces those whose clients have hung up, or else the one that has
been idle for longest (of its address, or of the address with most idle ones). If none is idle, the
new one is refused.

An answer stays in memory until the client has read it. The bytes of large answers are limited in
total. Beyond the limit, the connections with most unread bytes are closed.
"""

import resource
import socket
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress

import gevent
from gevent.lock import Semaphore

from service import settings
from service.http import metrics
from service.http.limits import counted_address
from service.http.reading import Ended, Refusal
from service.http.sockets import has_hung_up

RESERVED_FILES = 256  # for all other files, and for connections that are refused
TURN = 0.001  # seconds between two requests of an address that were sent without waiting


class Connections:
    """All connections of a process, with the address of each, and the idle ones."""

    def __init__(self) -> None:
        _, files = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
        caps, is_behind_a_proxy = settings.CAPS.value(), settings.PROXIES.value() > 0
        self.most = min(caps["connections"], files - min(RESERVED_FILES, files // 2))
        # a proxy has many clients, so only the total limits it
        self._of_one = self.most if is_behind_a_proxy else caps["address_connections"]
        self._open: dict[socket.socket, str] = {}
        self._counts: Counter[str] = Counter()
        self._idle: dict[str, dict[socket.socket, None]] = {}  # longest idle first
        self._turns: defaultdict[str, Semaphore] = defaultdict(Semaphore)  # by address
        self._most_unread = caps["unread"]
        self._unread: dict[socket.socket, int] = {}  # bytes of large answers, oldest first

    def enter(self, client: socket.socket, address: str) -> None:
        """Accept a connection; raise Refusal if there is no room. Connections from this machine
        have no address."""
        who = counted_address(address)
        if (
            address
            and self._counts[who] >= self._of_one
            and not (self._end_hung_up(who) or self._end_idle(who))
        ):
            raise _refusal(429, "address_connections", f"an address may have {self._of_one}")
        if len(self._open) >= self.most and not (
            self._end_hung_up() or self._end_idle(self._idlest())
        ):
            raise _refusal(503, "connections", f"a process may have {self.most}")
        self._open[client] = who
        self._counts[who] += 1
        metrics.CONNECTIONS.inc()

    def wait(self, client: socket.socket) -> None:
        """Note that a connection is idle."""
        if who := self._open.get(client):
            self._idle.setdefault(who, {})[client] = None

    def serve(self, client: socket.socket) -> None:
        """Note that a connection is used again."""
        who = self._open.get(client, "")
        if who in self._idle:
            self._idle[who].pop(client, None)
            if not self._idle[who]:
                del self._idle[who]

    def take_turn(self, client: socket.socket) -> None:
        """Wait until a pipelined request may be answered. Connections of one address take turns, so
        that other clients are served. Raise Ended if the client hung up."""
        with self._turns[self._open.get(client, "")]:
            if has_hung_up(client):
                raise Ended
            gevent.sleep(TURN)

    def send(self, client: socket.socket, length: int, body: Iterable[bytes]) -> Iterator[bytes]:
        """Yield a large answer, and count its bytes until the client has read them. If too many
        bytes are unread, end other connections with such answers: first those of the address with
        the most unread bytes, the longest answer first, of equals the oldest."""
        self._unread[client] = length
        while sum(self._unread.values()) > self._most_unread and len(self._unread) > 1:
            held: Counter[str] = Counter()
            for other, count in self._unread.items():
                held[self._open.get(other, "")] += count
            self._end(
                max(
                    (other for other in self._unread if other is not client),
                    key=lambda other: (held[self._open.get(other, "")], self._unread[other]),
                )
            )
            metrics.count_refusal("unread")
        try:
            yield from body
        finally:
            self._unread.pop(client, None)
            if hasattr(body, "close"):
                body.close()

    def leave(self, client: socket.socket) -> None:
        self.serve(client)
        self._unread.pop(client, None)
        if who := self._open.pop(client, None):
            self._counts[who] -= 1
            metrics.CONNECTIONS.dec()
            if not self._counts[who]:
                del self._counts[who]
                self._turns.pop(who, None)

    def end_idle(self) -> None:
        while self._end_idle(self._idlest()):
            pass

    def _idlest(self) -> str:
        return max(self._idle, key=lambda who: len(self._idle[who]), default="")

    def _end_idle(self, who: str) -> bool:
        client = next(iter(self._idle.get(who, ())), None)
        if client is None:
            return False
        self._end(client)
        return True

    def _end_hung_up(self, who: str | None = None) -> bool:
        """Close the connections, of an address or of all, that the client has already closed.
        Return whether there were any. The process had not noticed, as it neither sent nor read:
        it waits for the next request on idle ones, and so notices."""
        hung_up = [
            client
            for client, other in self._open.items()
            if who in (None, other)
            and client not in self._idle.get(other, ())
            and has_hung_up(client)
        ]
        for client in hung_up:
            self._end(client)
        return bool(hung_up)

    def _end(self, client: socket.socket) -> None:
        self.leave(client)
        with suppress(OSError):
            client.shutdown(socket.SHUT_RDWR)


def _refusal(status: int, kind: str, words: str) -> Refusal:
    metrics.count_refusal(kind)
    return Refusal(
        status,
        f"{words} connections at a time, and something goes on on all of them; "
        "use one for many requests",
        "too-many-connections",
    )
