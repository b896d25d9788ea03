"""Measures the download of finished games, in one process and from the whole service.

The yardstick of the download is reading the same streams from Redis without using them.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from random import Random
from statistics import median, quantiles
from subprocess import Popen
from typing import Annotated

import urllib3
from redis import Redis

from benchmarks.runner import Rounds, by_turns, command, ratio, seconds
from benchmarks.services import redis as temporary_redis
from benchmarks.services import service
from domain.boards import load_folder
from service.operation.redis import connect
from service.projections.histories import BATCH_SIZE, HistoryFilter, all_decisions, histories
from service.store.games import GameStore
from tests.games import store_random_game

SEATS = (2, 3, 4, 5)
LONG = 300  # late versions of a game are asked for up to this one
READER = """
import sys, urllib.request
while True:
    with urllib.request.urlopen(sys.argv[1]) as answer:
        while answer.read(1 << 20):
            pass
"""
AT_LEAST = 0.4


def measure(
    rounds: Rounds = 5, games: Annotated[int, "Finished games, of 2 to 5 players."] = 200
) -> dict:
    """Return how many finished games are downloaded a second, and how long the service takes for
    any version of a long game, alone and during a download."""
    boards = load_folder()
    with temporary_redis() as redis:
        store, rng = GameStore(redis, boards), Random()
        ids = _filled(store, games, rng)
        download, bare = by_turns(
            rounds, lambda: seconds(lambda: _drained(histories(store, HistoryFilter(), None))),
            lambda: seconds(lambda: _read(redis, ids)))
        size = _drained(histories(store, HistoryFilter(), None))
        few = HistoryFilter(limit=max(1, games // 20))
        deciding = seconds(lambda: _drained(all_decisions(store, few, None)))
        lines = sum(part is not None for part in all_decisions(store, few, None))
    return {
        "benchmark": "histories", "yardstick": "XRANGE alone",
        "ratios": [ratio("bulk histories", "games/s",
                         *([games / took for took in times] for times in (download, bare)),
                         at_least=AT_LEAST)],
        "figures": {
            "megabytes/s": size / median(download) / 1e6,
            "kilobytes a game": size / games / 1000,
            "decisions/s with their views": lines / deciding,
        } | _of_service(games, rng),
    }


def _of_service(games: int, rng: Random) -> dict[str, float]:
    """Return the same over HTTP, with one web process."""
    with service() as stack, connect(stack.redis.url) as redis:
        store, pool = GameStore(redis, load_folder()), urllib3.PoolManager(maxsize=4)
        ids = _filled(store, games, rng)
        long = max(ids, key=lambda game: redis.xlen(GameStore.key(game, "log")))
        count = redis.xlen(GameStore.key(long, "log"))

        def version() -> None:
            at = rng.randrange(max(1, min(count, LONG) - 100), min(count, LONG))
            answer = pool.request("GET", f"{stack.url}/v1/games/{long}?at={at}")
            assert answer.status == 200

        def download(encoding: str = "identity") -> float:
            answer = pool.request("GET", f"{stack.url}/v1/histories", preload_content=False,
                                  headers={"Accept-Encoding": encoding})
            return float(sum(map(len, answer.stream(1 << 20, decode_content=False))))

        def view() -> None:
            pool.request("GET", f"{stack.url}/v1/games/{ids[0]}?legal_actions=false")

        whole, small = seconds(download), seconds(lambda: download("gzip"))
        figures = {
            "entries of the long game": count,
            "milliseconds for a late version of it": 1000 * median(_times(version, 100)),
            "the slowest hundredth of these": 1000 * quantiles(_times(version, 100), n=100)[-1],
            "games/s over HTTP": games / whole, "games/s over HTTP, gzip": games / small,
            "milliseconds for a view": 1000 * median(_times(view, 100)),
        }
        for kind in ("histories", "decisions"):
            with Popen([sys.executable, "-c", READER, f"{stack.url}/v1/{kind}"]) as reader:
                time.sleep(1)
                beside = _times(view, 200)
                reader.kill()
            figures[f"milliseconds for a view beside {kind}"] = 1000 * median(beside)
            figures[f"the slowest hundredth beside {kind}"] = 1000 * quantiles(beside, n=100)[-1]
    return figures


def _filled(store: GameStore, games: int, rng: Random) -> list[str]:
    board = store.boards["usa"]
    return [store_random_game(store, board, SEATS[i % len(SEATS)], rng).id for i in range(games)]


def _read(redis: Redis, games: list[str]) -> None:
    for start in range(0, len(games), BATCH_SIZE):
        pipe = redis.pipeline(transaction=False)
        for game in games[start:start + BATCH_SIZE]:
            pipe.xrange(GameStore.key(game, "log"))
        pipe.execute()


def _drained(parts: Iterator[bytes | None]) -> int:
    return sum(len(part or b"") for part in parts)


def _times(work: Callable[[], object], count: int) -> list[float]:
    return [seconds(work) for _ in range(count)]


if __name__ == "__main__":
    command(measure)()
