"""Measures fifty actions in one request against a request for each action.

The same account sends both to the same service, equally durable, with versions and idempotency
keys. The single requests use as many connections as a batch has actions, so that they share the
waits for the disk too. Two more rows compare with a single connection and with ``benchmarks.bare``.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from itertools import cycle
from statistics import median

import orjson
from fogg_client.client import Client

from benchmarks.http import BARE, Couple
from benchmarks.runner import Rounds, Seconds, by_turns, command, ratio
from benchmarks.services import processor_seconds, same_server, service
from benchmarks.wire import drive, post
from domain.boards import load_folder

AT_LEAST = 3.0
AT_LEAST_OF_BARE = 1.1
SIZE = 50  # actions in a batch
GAMES = 2 * SIZE  # so that usually one of the two accounts can act in SIZE games
Wish = tuple[int, dict]  # the seat that acts, and the item of a batch


class Many(Couple):
    """Two accounts that play many games with each other."""

    def wishes(self) -> list[list[Wish]]:
        """Create games; return the actions of each game, in order."""
        return [[*self._wishes_of_a_game()] for _ in range(GAMES)]

    def _wishes_of_a_game(self) -> Iterator[Wish]:
        game, before, steps = self.begin()
        for version, (seat, action, _, _) in enumerate(steps, before):
            yield seat, {"game": game, "action": action.json, "if_match": version,
                         "key": secrets.token_hex(16)}

    def single(self, seat: int, wish: dict) -> bytes:
        """Return the request for one action."""
        return post(f"/v1/games/{wish['game']}/actions", orjson.dumps(wish["action"]),
                    Authorization=f"Bearer {self.tokens[seat]}",
                    If_Match=f'"{wish["if_match"]}"', Idempotency_Key=wish["key"])

    def batches(self, games: list[list[Wish]], query: str = "") -> Iterator[bytes]:
        """Yield requests with SIZE actions each, for as long as one account has that many."""
        waiting: tuple[list, list] = [], []

        def add_next(wishes: Iterator[Wish]) -> None:
            if wish := next(wishes, None):
                waiting[wish[0]].append((wish[1], wishes))

        for wishes in games:
            add_next(iter(wishes))
        while max(map(len, waiting)) >= SIZE:
            seat = max((0, 1), key=lambda one: len(waiting[one]))
            now, waiting[seat][:] = waiting[seat][:SIZE], waiting[seat][SIZE:]
            yield post(f"/v1/me/actions{query}", orjson.dumps({"items": [w for w, _ in now]}),
                       Authorization=f"Bearer {self.tokens[seat]}")
            for _, wishes in now:
                add_next(wishes)


def measure(rounds: Rounds = 5, seconds: Seconds = 3.0) -> dict:
    """Return actions a second in batches, one by one, and of the bare endpoint."""
    board = load_folder()["usa"]
    with service() as stack, same_server(BARE, beside=stack) as bare:
        many = Many(stack.url, board)
        client = Client(stack.url, many.tokens[0])

        def played(scripts_of, size: int = 1) -> tuple[float, float, float]:
            """Return actions a second, and for each action the server's milliseconds of processor
            time and the bytes of its answer."""
            many.games.clear()
            scripts = scripts_of(many.wishes())
            versions = _versions(client, many.games)
            before = processor_seconds(stack)
            measured = drive(stack.url, scripts, seconds)
            used = processor_seconds(stack) - before
            actions = size * len(measured.latencies)
            # a refused item does not count as an action
            assert actions <= _versions(client, many.games) - versions
            return actions / measured.seconds, 1000 * used / actions, measured.bytes / actions

        def bare_requests() -> tuple[float, float, float]:
            scripts = one_by_one(many.wishes())
            before = processor_seconds(bare)
            measured = drive(bare.url, [cycle(script) for script in scripts], seconds)
            used, asked = processor_seconds(bare) - before, len(measured.latencies)
            return measured.rate, 1000 * used / asked, measured.bytes / asked

        def one_by_one(games):
            return [[many.single(*wish) for game in games[place::SIZE] for wish in game]
                    for place in range(SIZE)]

        def on_one_connection(games):
            return [[many.single(*wish) for game in games for wish in game]]

        turns = by_turns(
            rounds, lambda: played(lambda games: [many.batches(games)], SIZE),
            lambda: played(one_by_one),
            lambda: played(lambda games: [many.batches(games, "?legal_actions=false")], SIZE),
            lambda: played(on_one_connection), bare_requests)
    rates, efforts, sizes = ([[turn[what] for turn in kind] for kind in turns] for what in range(3))
    return {
        "benchmark": "batch", "yardstick": "the same actions, each in a request of its own",
        "ratios": [
            ratio(f"{SIZE} actions in a request", "actions/s", rates[0], rates[1],
                  at_least=AT_LEAST),
            ratio("an action's processor time", "ms in the server", efforts[0], efforts[1]),
            ratio("without legal actions", "actions/s", rates[2], rates[1]),
            ratio("beside one connection", "actions/s", rates[0], rates[3]),
            ratio("beside the bare endpoint", "a second", rates[0], rates[4],
                  at_least=AT_LEAST_OF_BARE),
        ],
        "figures": {"bytes an action": median(sizes[0]),
                    "bytes an action, without legal actions": median(sizes[2])},
    }


def _versions(client: Client, games: list[str]) -> int:
    """Return the sum of the games' versions."""
    return sum(client.get(f"/v1/games/{game}", legal_actions="false")["version"] for game in games)


if __name__ == "__main__":
    command(measure)()
