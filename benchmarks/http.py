"""Measures an action over HTTP: load, decide, append durably, answer with the view.

The requests are those of ``fogg_client``: the view is grouped and compressed. The yardstick is
``benchmarks.bare``, which does one XADD and one GET: on the same server and the same Redis, for the
same requests over as many connections.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from itertools import cycle
from random import Random
from statistics import median, quantiles
from typing import Annotated

import orjson
from fogg_client.client import Client

from benchmarks.runner import Rounds, by_turns, command, ratio
from benchmarks.services import processor_seconds, same_server, service
from benchmarks.wire import Slice, drive, post
from domain.board.board import Board
from domain.boards import load_folder
from service.operation.stack import Stack
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
    with service() as ours, same_server(BARE, beside=ours) as bare:
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


def _driven(server: Stack, scripts: list[Iterable[bytes]], seconds: float) -> tuple[Slice, float]:
    """Send the requests; return the measurement and the server's processor seconds."""
    before = processor_seconds(server)
    measured = drive(server.url, scripts, seconds)
    return measured, processor_seconds(server) - before


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


if __name__ == "__main__":
    command(measure)()
