"""Folding a finished game from its history in Redis, none of it known beforehand.

The yardstick is reading the same history and doing nothing with it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from statistics import median

import click
import orjson
from redis import Redis

from benchmarks.compare import by_turns, ratio, show
from benchmarks.games import store_random_game
from benchmarks.temporary import redis as temporary_redis
from domain.board.board import Board
from domain.boards import load_folder
from service.store.games import GameStore

SEATS = (2, 3, 4, 5)


def measure(rounds: int = 9, games: int = 40) -> dict:
    """Return how many entries and events a second are folded, and how many are read.

    ``games`` finished ones, of 2 to 5 players, are gone through in each round.
    """
    boards = load_folder()
    with temporary_redis() as redis:
        redis.config_set("appendonly", "no")  # it is the reading that counts here
        store, rng = GameStore(redis, boards), Random()
        ids = [store_random_game(store, boards["usa"], SEATS[i % len(SEATS)], rng).id
               for i in range(games)]
        counts = [len(orjson.loads(entry)["events"])
                  for game in ids for entry in _read(redis, game)]
        entries, events = len(counts), sum(counts)
        folding, reading = by_turns(
            rounds, lambda: _seconds(lambda: _fold(redis, boards, ids)),
            lambda: _seconds(lambda: [_read(redis, game) for game in ids]))
    took = median(folding)
    return {
        "benchmark": "folding", "yardstick": "XRANGE alone",
        "ratios": [ratio("a finished game", "entries/s",
                         *([entries / took for took in times] for times in (folding, reading)))],
        "figures": {"events/s": events / took, "milliseconds a game": 1000 * took / games,
                    "entries a game": entries / games, "events an entry": events / entries},
    }


def _fold(redis: Redis, boards: dict[str, Board], games: list[str]) -> None:
    store = GameStore(redis, boards)  # a new one knows no game
    for game in games:
        store.load(game)


def _read(redis: Redis, game: str) -> list[bytes]:
    return [fields[b"e"] for _, fields in redis.xrange(GameStore.key(game, "log"))]


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


@click.command()
@click.option("--rounds", default=9, show_default=True, help="How often each has its turn.")
@click.option("--games", default=40, show_default=True, help="Finished games to go through.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(rounds: int, games: int, as_json: bool) -> None:
    """Compare folding finished games from Redis with reading them.

    \b
    Example:
      python -m benchmarks.folding --games 20
    """
    show(measure(rounds, games), as_json)


if __name__ == "__main__":
    main()
