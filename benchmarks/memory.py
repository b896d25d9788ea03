"""What a finished game takes in Redis. There is nothing to compare with: bytes do not vary."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import click
from redis import Redis

from benchmarks.compare import show
from benchmarks.games import store_random_game
from benchmarks.temporary import redis as temporary_redis
from domain.boards import load_folder
from service.store.games import GameStore
from service.store.histories import PAGE

SEATS = (2, 3, 4, 5)


def measure(games: int = 1000) -> dict:
    """Return bytes of Redis's memory that a finished game takes, and what they are used for.

    The games have 2 to 5 seats, as many of each, with players who play anything; every action has
    an Idempotency-Key. A player plays in no more than one of them.
    """
    board = load_folder()["usa"]
    with temporary_redis() as redis:
        redis.config_set("appendonly", "no")  # what is in memory is the same, and sooner
        store, rng = GameStore(redis, {board.id: board}), Random()
        ends = [store_random_game(store, board, SEATS[i % len(SEATS)], rng)
                for i in range(games)]
        logs, heads = ([store.key(end.id, part) for end in ends] for part in ("log", "head"))
        text = sum(len(fields[b"e"]) for log in logs for _, fields in redis.xrange(log))
        stream, head = _freed(redis, logs), _freed(redis, heads)
        indexes = _freed(redis, [*redis.scan_iter("games*"), *redis.scan_iter("player:*:games")])
    entries, whole = sum(end.version for end in ends), stream + head + indexes
    return {
        "benchmark": "memory",
        "figures": {
            "games": games,
            "entries a game": entries / games,
            "bytes a game": round(whole / games),
            "of these, the history": _share(stream, whole, games),
            "of these, the head": _share(head, whole, games),
            "of these, the indexes": _share(indexes, whole, games),
            "bytes an entry in the history": round(stream / entries),
            "of these, the entry's JSON": round(text / entries),
        },
    }


def _freed(redis: Redis, names: Sequence) -> int:
    """Delete these keys; return by how much that lowered Redis's ``used_memory``."""
    before = redis.info("memory")["used_memory"]
    for start in range(0, len(names), PAGE):
        redis.delete(*names[start : start + PAGE])
    return before - redis.info("memory")["used_memory"]


def _share(part: int, whole: int, games: int) -> str:
    return f"{part / games:,.0f} ({part / whole:.1%})"


@click.command()
@click.option("--games", default=1000, show_default=True, help="Finished games to store.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(games: int, as_json: bool) -> None:
    """Count the bytes that a finished game takes in Redis.

    \b
    Example:
      python -m benchmarks.memory --games 200
    """
    show(measure(games), as_json)


if __name__ == "__main__":
    main()
