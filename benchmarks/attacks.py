"""How long others wait for an answer while one machine does its worst, against a quiet service.

Four clients at a time send what is too large, without end or in crumbs; others hold thousands of
connections and streams. Who waits makes a new connection for each request.
"""

from __future__ import annotations

import resource
import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, contextmanager, suppress
from urllib.parse import urlsplit

import click
from fogg_client.client import Client

from benchmarks.compare import ratio, show
from benchmarks.temporary import children, resident, service

AT_MOST = 30  # times as long as when it is quiet, or it may be said to freeze
ATTACKERS, TIMEOUT = 4, 30  # clients, seconds
GET = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
POST = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
SENT: dict[str, Callable[[], bytes]] = {
    "a body of 50 MB": lambda: POST + b"Content-Length: 50000000\r\n\r\n" + bytes(50_000_000),
    "50 MB in one chunk": lambda: CHUNKED + b"2faf080\r\n" + bytes(50_000_000),
    "12 MB in chunks of a byte": lambda: CHUNKED + b"1\r\na\r\n" * 2_000_000,
    "12 MB of headers": lambda: GET + b"X: y\r\n" * 2_000_000,
    "20,000 requests at once": lambda: (GET + b"\r\n") * 20_000,
}


def measure(seconds: float = 3.0, connections: int = 10_000, streams: int = 2000) -> dict:
    """Return the slowest of a hundred answers under each attack, against a quiet service."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    rows, figures = [], {}
    with service() as stack:
        quiet = [waiting(stack.url, seconds)]
        for name, sent in SENT.items():
            with attacked(stack.url, sent()):
                rows.append((name, waiting(stack.url, seconds)))
        for name, request, count in (("connections", b"", connections),
                                     ("streams", stream(stack.url), streams)):
            with held(stack.url, request, count) as served:
                rows.append((f"{count:,} {name}", waiting(stack.url, seconds)))
                figures[f"{name} of one client that are served"] = still_open(served)
        process = max(children(stack.web.pid), key=resident, default=None)
        figures["MB of the web process"] = resident(process) if process else 0.0
    return {"benchmark": "attacks", "yardstick": "the same service when it is quiet",
            "ratios": [ratio(f"an answer beside {name}", "ms, 99th of 100", [found], quiet,
                             at_most=AT_MOST) for name, found in rows], "figures": figures}


def connect(url: str) -> socket.socket:
    """Return a new connection."""
    at = urlsplit(url)
    return socket.create_connection((at.hostname, at.port), TIMEOUT)


def waiting(url: str, seconds: float) -> float:
    """Return for how many milliseconds one waits for an answer, but for one time in a hundred."""
    times, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.monotonic()
        with connect(url) as connection:
            connection.sendall(GET + b"Connection: close\r\n\r\n")
            while connection.recv(4096):
                pass
        times.append(1000 * (time.monotonic() - began))
        time.sleep(0.005)
    return sorted(times)[len(times) * 99 // 100]


@contextmanager
def attacked(url: str, sent: bytes):
    """Let clients send this, and hear what is answered."""

    def attack() -> None:
        with suppress(OSError), connect(url) as connection:
            connection.sendall(sent)
            while connection.recv(1 << 16):
                pass

    attackers = [threading.Thread(target=attack) for _ in range(ATTACKERS)]
    for attacker in attackers:
        attacker.start()
    yield
    for attacker in attackers:
        attacker.join()


def stream(url: str) -> bytes:
    """Return the request for a stream of an account."""
    token = Client(url).sign_up("Ann").token
    return (f"GET /v1/me/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n"
            f"Authorization: Bearer {token}\r\n\r\n").encode()


@contextmanager
def held(url: str, request: bytes, count: int):
    """Hold so many connections; give those on which a request, if there is one, is served."""
    with ExitStack() as opened:
        connections = [opened.enter_context(connect(url)) for _ in range(count)]
        if request:
            for connection in connections:
                connection.sendall(request)
            connections = [c for c in connections if c.recv(12) == b"HTTP/1.1 200"]
        yield connections


def still_open(connections: list[socket.socket]) -> int:
    """Return how many of them have not ended."""
    count = 0
    for connection in connections:
        connection.setblocking(False)
        try:
            count += connection.recv(1) != b""
        except BlockingIOError:
            count += 1
        except OSError:
            pass
    return count


@click.command()
@click.option("--seconds", default=3.0, show_default=True, help="How long each attack is measured.")
@click.option("--connections", default=10_000, show_default=True, help="Idle ones to hold.")
@click.option("--streams", default=2000, show_default=True, help="Streams to hold.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(seconds: float, connections: int, streams: int, as_json: bool) -> None:
    """Compare answers under attack with answers of a quiet service.

    \b
    Example:
      python -m benchmarks.attacks --seconds 2
    """
    show(measure(seconds, connections, streams), as_json)


if __name__ == "__main__":
    main()
