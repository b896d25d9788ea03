"""Measures folding a finished game from its history in Redis, with nothing cached.

The yardstick is reading the same history without folding it.
"""

from __future__ import annotations

from random import Random
from statistics import median
from typing import Annotated

import orjson
from redis import Redis

from benchmarks.runner import Rounds, by_turns, command, ratio, seconds
from benchmarks.services import redis as temporary_redis
from domain.board.board import Board
from domain.boards import load_folder
from service.games.store import GameStore
from tools.games import store_random_game

SEATS = (2, 3, 4, 5)


def measure(
    rounds: Rounds = 9, games: Annotated[int, "Finished games, of 2 to 5 players."] = 40
) -> dict:
    """Return how many entries and events a second are folded, and how many are read."""
    boards = load_folder()
    with temporary_redis() as redis:
        store, rng = GameStore(redis, boards), Random()
        ids = [store_random_game(store, boards["usa"], SEATS[i % len(SEATS)], rng).id
               for i in range(games)]
        counts = [len(orjson.loads(entry)["events"])
                  for game in ids for entry in _read(redis, game)]
        entries, events = len(counts), sum(counts)
        folding, reading = by_turns(
            rounds, lambda: seconds(lambda: _fold(redis, boards, ids)),
            lambda: seconds(lambda: [_read(redis, game) for game in ids]))
    took = median(folding)
    return {
        "benchmark": "folding", "yardstick": "XRANGE alone",
        "ratios": [ratio("a finished game", "entries/s",
                         *([entries / took for took in times] for times in (folding, reading)))],
        "figures": {"events/s": events / took, "milliseconds a game": 1000 * took / games,
                    "entries a game": entries / games, "events an entry": events / entries},
    }


def _fold(redis: Redis, boards: dict[str, Board], games: list[str]) -> None:
    store = GameStore(redis, boards)  # a new store has nothing cached
    for game in games:
        store.load(game)


def _read(redis: Redis, game: str) -> list[bytes]:
    return [fields[b"e"] for _, fields in redis.xrange(GameStore.key(game, "log"))]


if __name__ == "__main__":
    command(measure)()
