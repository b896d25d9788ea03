"""Measures an action over HTTP: load, decide, append durably, answer with the view.

The requests are those of ``fogg_client``: the view is grouped and compressed. The yardstick is
``benchmarks.bare``, which does one XADD and one GET: on the same server and the same Redis, for the
same requests over as many connections.
"""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Annotated
from unittest.mock import patch

import orjson
from fogg_client.client import Client

from benchmarks.runner import Rounds, by_turns, command, ratio
from benchmarks.wire import Slice, drive, post
from domain.board.board import Board
from domain.boards import load_folder
from service.operation.stack import Stack
from service.starting import APP
from tools import processes
from tools.games import create_command, random_game

AT_LEAST = 0.5
BARE = "benchmarks.bare:create_app()"
GAMES = 2  # for each connection and turn: enough for its seconds


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
        "benchmark": "http", "yardstick": "one XADD and one GET on the same server",
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
        self._clients, self._tokens = [], list[str]()
        for name in ("Ann", "Bob"):
            token = Client(url).post("/v1/players", {"name": name})["token"]
            self._clients.append(Client(url, token))
            self._tokens.append(token)

    def requests(self, games: int) -> list[bytes]:
        """Create games; return the requests that play them from the first action to the last."""
        return [request for _ in range(games) for request in self._requests_of_a_game()]

    def _requests_of_a_game(self) -> list[bytes]:
        ann, bob = self._clients
        seed = secrets.token_bytes(32)
        game = ann.post("/v1/games", {
            "board": self._board.id, "seats": [{"player": "me"}, {"open": True}],
            "options": {"seed": seed.hex()}})["id"]
        before = bob.post(f"/v1/games/{game}/seats", {})["version"]
        _, *steps = random_game(self._board, create_command(2, seed), self._rng)
        return [
            post(f"/v1/games/{game}/actions?legal_actions=grouped", orjson.dumps(action.json),
                 Accept_Encoding="gzip", User_Agent="python-urllib3/2.5.0",
                 Authorization=f"Bearer {self._tokens[seat]}", If_Match=f'"{version}"',
                 Idempotency_Key=secrets.token_hex(16))
            for version, (seat, action, _, _) in enumerate(steps, before)
        ]


@contextmanager
def server(redis_url: str | None = None, app: str = APP) -> Iterator[Stack]:
    """Run the service, or another application in its way, on a new Redis or on the one at a URL."""
    with (tempfile.TemporaryDirectory(prefix="fogg-bench-") as folder, patch.dict(os.environ),
          patch("service.starting.APP", app)):
        os.environ.pop("FOGG_REDIS_URL", None)  # which may be in use: do not fill it
        if redis_url:
            os.environ["FOGG_REDIS_URL"] = redis_url
        with Stack(Path(folder), workers=0) as stack:
            yield stack


def processor_seconds(stack: Stack) -> float:
    """Return the processor time of all web processes; 0 where the system has no /proc."""
    return sum(map(processes.processor_seconds, processes.children(stack.web.pid)))


if __name__ == "__main__":
    command(measure)()
