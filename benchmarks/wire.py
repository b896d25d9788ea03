"""A client that uses so little processor time that the server is measured, and not the client.

It sends prepared requests over open connections, one request at a time for each script, and reads
only the status and the length of an answer.
"""

from __future__ import annotations

import re
import select
import socket
import time
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from urllib.parse import urlsplit

TIMEOUT = 30  # seconds that an answer may take
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


@dataclass
class Slice:
    """The measurements of one turn."""

    seconds: float = 0
    busy: float = 0  # processor seconds of this client
    latencies: list[float] = field(default_factory=list)  # seconds, one for each answer
    bytes: int = 0  # of the answers, with headers

    @property
    def rate(self) -> float:
        return len(self.latencies) / self.seconds


class UnexpectedAnswer(Exception):
    """The status of an answer was not 200 or 201."""


def post(path: str, body: bytes, **headers: str) -> bytes:
    """Return a POST request; underscores in names of headers become hyphens."""
    headers |= {"Content_Type": "application/json", "Content_Length": str(len(body))}
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1",
             *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body




def drive(url: str, scripts: list[Iterable[bytes]], seconds: float) -> Slice:
    """Send the requests of each script over its own connection, until a script or the time ends."""
    measured = Slice()
    with ExitStack() as stack:
        poll, lines = select.poll(), {}
        for script in scripts:
            connection = stack.enter_context(connect(url))
            lines[connection.fileno()] = _Line(connection, iter(script))
            poll.register(connection, select.POLLIN)
        start, busy = time.perf_counter(), time.process_time()
        going = [line.ask() for line in lines.values()]
        while all(going) and time.perf_counter() < start + seconds:
            ready = poll.poll(TIMEOUT * 1000)
            if not ready:
                raise TimeoutError(f"no answer within {TIMEOUT} seconds")
            for number, _ in ready:
                line = lines[number]
                if line.hear():
                    measured.latencies.append(time.perf_counter() - line.since)
                    going = [line.ask()]
                    if not going[0]:
                        break
        measured.seconds = time.perf_counter() - start
        measured.busy = time.process_time() - busy
        for line in lines.values():
            line.finish()
            measured.bytes += line.bytes
    return measured


def connect(url: str) -> socket.socket:
    at = urlsplit(url)
    connection = socket.create_connection((at.hostname, at.port), TIMEOUT)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


class _Line:
    def __init__(self, connection: socket.socket, script):
        self._connection, self._script = connection, script
        self._heard, self._missing, self._waiting = b"", 0, False
        self.since, self.bytes = 0.0, 0

    def ask(self) -> bool:
        """Send the next request; return whether there was one."""
        request = next(self._script, None)
        if request is None:
            return False
        self.since, self._waiting = time.perf_counter(), True
        self._connection.sendall(request)
        return True

    def hear(self) -> bool:
        """Read received bytes; return whether they complete the answer."""
        part = self._connection.recv(1 << 17)
        if not part:
            raise UnexpectedAnswer("the connection was closed")
        self.bytes += len(part)
        if self._missing:
            self._missing -= len(part)
        else:
            self._heard += part
            head, end, body = self._heard.partition(b"\r\n\r\n")
            if not end:
                return False
            if not head.startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 201 ")):
                raise UnexpectedAnswer(self._heard.decode(errors="replace"))
            self._missing = int(LENGTH.search(head)[1]) - len(body)
            self._heard = b""
        self._waiting = self._missing > 0
        return not self._waiting

    def finish(self) -> None:
        while self._waiting:
            self.hear()
