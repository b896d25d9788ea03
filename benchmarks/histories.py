"""Handing out finished games: from Redis in one process, and by the whole service.

The yardstick of the bulk download is reading the same streams and doing nothing with them.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from random import Random
from statistics import median, quantiles
from subprocess import Popen

import click
import urllib3
from redis import Redis

from benchmarks.compare import by_turns, ratio, show
from benchmarks.games import store_random_game
from benchmarks.temporary import redis as temporary_redis
from benchmarks.temporary import service
from domain.boards import load_folder
from service.operation.redis import connect
from service.projections.histories import AT_ONCE, HistoryFilter, all_decisions, histories
from service.store.games import GameStore

SEATS = (2, 3, 4, 5)
LONG = 300  # entries of the game whose versions are asked for
READER = """
import sys, urllib.request
while True:
    with urllib.request.urlopen(sys.argv[1]) as answer:
        while answer.read(1 << 20):
            pass
"""
BUSY = 0.4  # of the yardstick, at least


def measure(rounds: int = 5, games: int = 200) -> dict:
    """Return how many of so many finished games, of 2 to 5 players, are handed out a second, and
    how long any version of a long game takes the service, alone and beside a download."""
    boards = load_folder()
    with temporary_redis() as redis:
        redis.config_set("appendonly", "no")  # it is the reading that counts here
        store, rng = GameStore(redis, boards), Random()
        ids = _filled(store, games, rng)
        download, bare = by_turns(
            rounds, lambda: _seconds(lambda: _drained(histories(store, HistoryFilter(), None))),
            lambda: _seconds(lambda: _read(redis, ids)))
        size = _drained(histories(store, HistoryFilter(), None))
        some = max(1, games // 20)
        few = HistoryFilter(limit=some)
        deciding = _seconds(lambda: _drained(all_decisions(store, few, None)))
        lines = sum(part is not None for part in all_decisions(store, few, None))
    return {
        "benchmark": "histories", "yardstick": "XRANGE alone",
        "ratios": [ratio("bulk histories", "games/s",
                         *([games / took for took in times] for times in (download, bare)),
                         at_least=BUSY)],
        "figures": {
            "megabytes/s": size / median(download) / 1e6,
            "kilobytes a game": size / games / 1000,
            "decisions/s with their views": lines / deciding,
        } | _of_service(games, rng),
    }


def _of_service(games: int, rng: Random) -> dict[str, float]:
    """Return what HTTP makes of it, with one web process."""
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

        def glance() -> None:
            pool.request("GET", f"{stack.url}/v1/games/{ids[0]}?legal_actions=false")

        whole, small = _seconds(download), _seconds(lambda: download("gzip"))
        figures = {
            "entries of the long game": count,
            "milliseconds for a late version of it": 1000 * median(_times(version, 100)),
            "the slowest hundredth of these": 1000 * quantiles(_times(version, 100), n=100)[-1],
            "games/s over HTTP": games / whole, "games/s over HTTP, gzip": games / small,
            "milliseconds for a view": 1000 * median(_times(glance, 100)),
        }
        for kind in ("histories", "decisions"):
            with Popen([sys.executable, "-c", READER, f"{stack.url}/v1/{kind}"]) as reader:
                time.sleep(1)
                beside = _times(glance, 200)
                reader.kill()
            figures[f"milliseconds for a view beside {kind}"] = 1000 * median(beside)
            figures[f"the slowest hundredth beside {kind}"] = 1000 * quantiles(beside, n=100)[-1]
    return figures


def _filled(store: GameStore, games: int, rng: Random) -> list[str]:
    board = store.boards["usa"]
    return [store_random_game(store, board, SEATS[i % len(SEATS)], rng).id for i in range(games)]


def _read(redis: Redis, games: list[str]) -> None:
    for start in range(0, len(games), AT_ONCE):
        pipe = redis.pipeline(transaction=False)
        for game in games[start:start + AT_ONCE]:
            pipe.xrange(GameStore.key(game, "log"))
        pipe.execute()


def _drained(parts: Iterator[bytes | None]) -> int:
    return sum(len(part or b"") for part in parts)


def _times(work: Callable[[], object], count: int) -> list[float]:
    return [_seconds(work) for _ in range(count)]


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


@click.command()
@click.option("--rounds", default=5, show_default=True, help="How often each has its turn.")
@click.option("--games", default=200, show_default=True, help="Finished games to hand out.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(rounds: int, games: int, as_json: bool) -> None:
    """Measure how fast finished games are handed out, and games as they were.

    \b
    Example:
      python -m benchmarks.histories --games 100
    """
    show(measure(rounds, games), as_json)


if __name__ == "__main__":
    main()
