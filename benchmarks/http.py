"""An action over HTTP: loaded, checked, appended durably, answered with the view. The requests are
those that ``fogg_client`` sends: the view is grouped and compressed.

The yardstick is ``benchmarks.bare``, an endpoint that does one XADD and one GET and answers a small
JSON. It is served in the same way, from the same Redis, and gets the same requests over as many
connections.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from itertools import cycle
from random import Random
from statistics import median, quantiles

import click
import orjson
from fogg_client.client import Client

from benchmarks.compare import by_turns, ratio, show
from benchmarks.games import create_command, random_game
from benchmarks.temporary import processor_seconds, same_server, service
from benchmarks.wire import Slice, drive, post
from domain.board.board import Board
from domain.boards import load_folder
from service.operation.stack import Stack

AT_LEAST = 0.5
BARE = "benchmarks.bare:create_app()"
GAMES = 2  # for each connection and round, enough for a slice


def measure(rounds: int = 5, seconds: float = 3.0, clients: int = 32) -> dict:
    """Return requests a second of actions, against those of the bare endpoint.

    Each client plays games for two, both seats of them, over a connection that stays open. With
    too few clients both would wait for the disk, and be as quick as each other.
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
    """Send the scripts' requests; return what was measured, and the server's processor seconds."""
    before = processor_seconds(server)
    measured = drive(server.url, scripts, seconds)
    return measured, processor_seconds(server) - before


def _figures(slices: list[Slice]) -> dict[str, float]:
    """Return what else may be known of the slices of one kind."""
    latencies = [1000 * latency for one in slices for latency in one.latencies]
    return {
        "median ms": median(latencies),
        "99th percentile ms": quantiles(latencies, n=100)[98],
        "bytes an answer": round(sum(one.bytes for one in slices) / len(latencies)),
        "client's share of a processor": median(one.busy / one.seconds for one in slices),
    }


class Couple:
    """Two accounts that play each other. They know the seed, and so the whole game beforehand."""

    def __init__(self, url: str, board: Board):
        self._board, self._rng = board, Random()
        self._clients, self.tokens = [], list[str]()
        self.games: list[str] = []  # that were created last
        for name in ("Ann", "Bob"):
            token = Client(url).post("/v1/players", {"name": name})["token"]
            self._clients.append(Client(url, token))
            self.tokens.append(token)

    def requests(self, games: int) -> list[bytes]:
        """Create games; return the requests that play them from the first action to the last."""
        self.games = []
        return [request for _ in range(games) for request in self._requests_of_a_game()]

    def joins(self, games: int) -> list[bytes]:
        """Create games for three; return the requests by which the other joins them."""
        wish = {"board": self._board.id,
                "seats": [{"player": "me"}, {"open": True}, {"open": True}]}
        ids = [self._clients[0].post("/v1/games", wish)["id"] for _ in range(games)]
        return [post(f"/v1/games/{game}/seats", b"{}", Authorization=f"Bearer {self.tokens[1]}")
                for game in ids]

    def begin(self) -> tuple[str, int, Iterable[tuple]]:
        """Create a game; return its id, its version, and the steps that it will take."""
        ann, bob = self._clients
        seed = secrets.token_bytes(32)
        game = ann.post("/v1/games", {
            "board": self._board.id, "seats": [{"player": "me"}, {"open": True}],
            "options": {"seed": seed.hex()}})["id"]
        self.games.append(game)
        before = bob.post(f"/v1/games/{game}/seats", {})["version"]
        _, *steps = random_game(self._board, create_command(2, seed), self._rng)
        return game, before, steps

    def _requests_of_a_game(self) -> list[bytes]:
        game, before, steps = self.begin()
        return [
            post(f"/v1/games/{game}/actions?legal_actions=grouped", orjson.dumps(action.json),
                 Accept_Encoding="gzip", User_Agent="python-urllib3/2.5.0",
                 Authorization=f"Bearer {self.tokens[seat]}", If_Match=f'"{version}"',
                 Idempotency_Key=secrets.token_hex(16))
            for version, (seat, action, _, _) in enumerate(steps, before)
        ]


@click.command()
@click.option("--rounds", default=5, show_default=True, help="How often each server has its turn.")
@click.option("--seconds", default=3.0, show_default=True, help="How long a turn lasts, at most.")
@click.option("--clients", default=32, show_default=True, help="Connections that ask at a time.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(rounds: int, seconds: float, clients: int, as_json: bool) -> None:
    """Compare an action over HTTP with the least that a durable request can cost.

    \b
    Example:
      python -m benchmarks.http --rounds 3
    """
    show(measure(rounds, seconds, clients), as_json)


if __name__ == "__main__":
    main()
