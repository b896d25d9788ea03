"""Measures an action over HTTP: load, decide, append durably, answer with the view.

The requests are those of ``fogg_client``: the view is grouped and compressed. The yardstick is
``benchmarks.bare``, which does one XADD and one GET: on the same server and the same Redis, for the
same requests over as many connections. The client sends prepared requests and reads only the status
and the length of an answer, so that the server is measured, and not the client.
"""

from __future__ import annotations

import os
import secrets
import select
import socket
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import IO, Annotated
from unittest.mock import patch
from urllib.parse import urlsplit

import orjson
from fogg_client.client import Client

from benchmarks.runner import Rounds, by_turns, command, ratio
from domain.board.board import Board
from domain.boards import load_folder
from service.operation.stack import Stack
from service.starting import APP
from tools import processes
from tools.games import create_command, random_game

AT_LEAST = 0.5
BARE = "benchmarks.bare:create_app()"
GAMES = 2  # for each connection and turn: enough for its seconds
TIMEOUT = 30  # seconds that an answer may take


def measure(
    rounds: Rounds = 5,
    seconds: Annotated[float, "The longest that a turn lasts, in seconds."] = 3.0,
    clients: Annotated[int, "How many connections send requests at a time."] = 32,
) -> dict:
    """Return actions a second against requests a second of the bare endpoint.

    Each client plays both seats of games for two over one connection. With too few clients both
    sides would wait for the disk, and be equally fast.
    """
    board = load_folder()["usa"]
    with server() as ours, server(ours.redis.url, BARE) as bare:
        couples = [Couple(ours.url, board) for _ in range(clients)]
        scripts: list[list[bytes]] = []

        def actions() -> tuple[Slice, float]:
            scripts[:] = [couple.requests(GAMES) for couple in couples]
            return _driven(ours, scripts, seconds)

        def bare_requests() -> tuple[Slice, float]:
            return _driven(bare, [cycle(script) for script in scripts], seconds)

        turns = by_turns(rounds, actions, bare_requests)
    rates = [[one.rate for one, _ in kind] for kind in turns]
    efforts = [[1000 * used / len(one.latencies) for one, used in kind] for kind in turns]
    rows = [ratio("an action", "requests/s", *rates, at_least=AT_LEAST)]
    if all(efforts[1]):
        rows.append(ratio("an action's processor time", "ms in the server", *efforts))
    return {
        "benchmark": "http",
        "yardstick": "one XADD and one GET on the same server",
        "ratios": rows,
        "figures": {
            f"{name}, {what}": value
            for name, kind in zip(("actions", "bare"), turns, strict=True)
            for what, value in _figures([one for one, _ in kind]).items()
        },
    }


def _driven(stack: Stack, scripts: list[Iterable[bytes]], seconds: float) -> tuple[Slice, float]:
    before = processor_seconds(stack)
    measured = drive(stack.url, scripts, seconds)
    return measured, processor_seconds(stack) - before


def _figures(slices: list[Slice]) -> dict[str, float]:
    latencies = [1000 * latency for one in slices for latency in one.latencies]
    return {
        "median ms": median(latencies),
        "99th percentile ms": quantiles(latencies, n=100)[98],
        "bytes an answer": round(sum(one.bytes for one in slices) / len(latencies)),
        "client's share of a processor": median(one.busy / one.seconds for one in slices),
    }


class Couple:
    """Two accounts that play each other. They choose the seed, so they know the game in advance."""

    def __init__(self, url: str, board: Board):
        self._board, self._rng = board, Random()
        self._clients = [Client(url).sign_up(name) for name in ("Ann", "Bob")]
        # invited, as nobody gets many open seats without playing
        self._invited = {"invite": self._clients[1].get("/v1/me")["id"]}

    def requests(self, games: int) -> list[bytes]:
        """Create games; return the requests that play them from the first action to the last."""
        return [request for _ in range(games) for request in self._requests_of_a_game()]

    def _requests_of_a_game(self) -> list[bytes]:
        ann, bob = self._clients
        seed = secrets.token_bytes(32)
        game = ann.post(
            "/v1/games",
            {
                "board": self._board.id,
                "seats": [{"player": "me"}, self._invited],
                "options": {"seed": seed.hex()},
            },
        )["id"]
        before = bob.post(f"/v1/games/{game}/seats", {})["version"]
        _, *steps = random_game(self._board, create_command(2, seed), self._rng)
        return [
            post(
                f"/v1/games/{game}/actions?legal_actions=grouped",
                orjson.dumps(action.json),
                Accept_Encoding="gzip",
                User_Agent="python-urllib3/2.5.0",
                Authorization=f"Bearer {self._clients[seat].token}",
                If_Match=f'"{version}"',
                Idempotency_Key=secrets.token_hex(16),
            )
            for version, (seat, action, _, _) in enumerate(steps, before)
        ]


@contextmanager
def server(redis_url: str | None = None, app: str = APP) -> Iterator[Stack]:
    """Run the service, or another application in its way, on a new Redis or on the one at a URL."""
    with (
        tempfile.TemporaryDirectory(prefix="fogg-bench-") as folder,
        patch.dict(os.environ),
        patch("service.starting.APP", app),
    ):
        os.environ.pop("FOGG_REDIS_URL", None)  # which may be in use: do not fill it
        if redis_url:
            os.environ["FOGG_REDIS_URL"] = redis_url
        with Stack(Path(folder), workers=0) as stack:
            yield stack


def processor_seconds(stack: Stack) -> float:
    """Return the processor time of all web processes; 0 where the system has no /proc."""
    return sum(map(processes.processor_seconds, processes.children(stack.web.pid)))


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
    lines = [
        f"POST {path} HTTP/1.1",
        "Host: 127.0.0.1",
        *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def drive(url: str, scripts: list[Iterable[bytes]], seconds: float) -> Slice:
    """Send the requests of each script over its own connection, until a script or the time ends."""
    measured, since = Slice(), dict[int, float]()  # of each connection that waits: when it asked
    with ExitStack() as stack:
        poll, lines = select.poll(), {}
        for script in scripts:
            connection = stack.enter_context(connect(url))
            file = stack.enter_context(connection.makefile("rb"))
            lines[connection.fileno()] = connection, file, iter(script)
            poll.register(connection, select.POLLIN)

        def ask(number: int) -> bool:
            """Send a connection's next request; return whether there was one."""
            connection, _, script = lines[number]
            if request := next(script, None):
                since[number] = time.perf_counter()
                connection.sendall(request)
            return request is not None

        start, busy = time.perf_counter(), time.process_time()
        goes_on = all(ask(number) for number in lines)
        while goes_on and time.perf_counter() < start + seconds:
            ready = poll.poll(TIMEOUT * 1000)
            if not ready:
                raise TimeoutError(f"no answer within {TIMEOUT} seconds")
            for number, _ in ready:
                measured.bytes += read_answer(lines[number][1])
                measured.latencies.append(time.perf_counter() - since.pop(number))
                goes_on = goes_on and ask(number)
        measured.seconds = time.perf_counter() - start
        measured.busy = time.process_time() - busy
        measured.bytes += sum(read_answer(lines[number][1]) for number in since)
    return measured


def connect(url: str) -> socket.socket:
    at = urlsplit(url)
    connection = socket.create_connection((at.hostname, at.port), TIMEOUT)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def read_answer(file: IO[bytes]) -> int:
    """Read an answer; return its bytes. Raise UnexpectedAnswer unless its status is 200 or 201."""
    line, head, length = file.readline(), 0, 0
    if not line.startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 201 ")):
        raise UnexpectedAnswer(line.decode(errors="replace") or "the connection was closed")
    while line.strip():
        head, line = head + len(line), file.readline()
        if line[:15].lower() == b"content-length:":
            length = int(line[15:])
    return head + len(line) + len(file.read(length))


if __name__ == "__main__":
    command(measure)()
