"""What finished games take in Redis and in the archive, and how quickly they are read from both.

The yardstick of sizes is the same games in Redis, that of speeds reading them there.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import click
from redis import Redis

from benchmarks.compare import by_turns, ratio, show
from benchmarks.games import store_random_game
from benchmarks.temporary import redis as temporary_redis
from domain.boards import load_folder
from service.projections import archiving
from service.projections.histories import HistoryFilter, histories
from service.store.archive import Archive
from service.store.games import GameStore
from service.store.vaults import Folder

SEATS = (2, 3, 4)


def measure(games: int = 250, rounds: int = 5) -> dict:
    """Return how much smaller finished games are in the archive, what stays of them in Redis
    included, and how long reading one, and all, takes from there and from Redis.

    There are as many on each board, of 2 to 4 players who play anything, every action with an
    Idempotency-Key as clients send it."""
    boards, figures = load_folder(), {}
    with temporary_redis() as here, temporary_redis() as gone, tempfile.TemporaryDirectory() as at:
        for redis in (here, gone):
            redis.config_set("appendonly", "no")
        empty = _used(gone)
        store = GameStore(here, boards)
        archived = GameStore(gone, boards, Archive(Folder(at)))
        ids = {board: [] for board in boards}
        for number in range(games):
            board, rng = list(boards)[number % len(boards)], Random(number)
            seats = SEATS[number // len(boards) % len(SEATS)]
            ids[board].append(store_random_game(store, boards[board], seats, rng).id)
        for key in here.scan_iter(count=1000):
            gone.restore(key, 0, here.dump(key))
        start, busy = time.perf_counter(), time.process_time()
        report = archiving.run(archived, days=0)
        took, busy = time.perf_counter() - start, time.process_time() - busy
        assert report.archived == games, report
        before, after = _kept(here, ids), _kept(gone, ids)
        files = sum(path.stat().st_size for path in Path(at).iterdir())
        sizes = {board: sum(archived.place(game).length for game in of_board)
                 for board, of_board in ids.items()}
        shared = (files - sum(sizes.values())) / games  # dictionaries, index
        all_before, all_after = ((_used(redis) - empty) / games for redis in (here, gone))
        for board, of_board in ids.items():
            count = len(of_board)
            figures[f"{board}: bytes a game, before, after, archived, times smaller"] = (
                f"{before[board] / count:,.0f}  {after[board] / count:,.0f}  "
                f"{sizes[board] / count + shared:,.0f}  "
                f"{before[board] / (after[board] + sizes[board] + shared * count):.1f}")
        everything = [game for of_board in ids.values() for game in of_board]
        one = by_turns(rounds, lambda: _replay(archived, everything), lambda: _replay(
            store, everything))
        whole = by_turns(rounds, lambda: _download(archived), lambda: _download(store))
        return {
            "benchmark": "archive", "yardstick": "Redis",
            "ratios": [
                ratio("size of finished games", "bytes",
                      [(sum(after.values()) + files) / games], [sum(before.values()) / games],
                      at_most=1 / 15),
                ratio("replaying one game", "ms", *one, at_most=2),
                ratio("bulk histories", "ms a game", *whole),
            ],
            "figures": {
                "games archived a second by one process": games / took,
                "ms of its processor time a game": 1000 * busy / games,
                "bytes of Redis's memory a game, indexes included, before": all_before,
                "bytes of Redis's memory a game, indexes included, after": all_after,
            } | figures,
        }


def _used(redis: Redis) -> int:
    redis.memory_purge()
    return redis.info("memory")["used_memory"]


def _kept(redis: Redis, ids: dict[str, list[str]]) -> dict[str, int]:
    """Return the bytes of Redis's memory that the keys of each board's games take."""
    return {board: sum(redis.memory_usage(key, samples=0) or 0
                       for game in of_board for key in _keys(game))
            for board, of_board in ids.items()}


def _keys(game: str) -> Sequence[str]:
    return [GameStore.key(game, part)
            for part in ("log", "head", "archived", "bots", "imported", "rematch")]


def _replay(store: GameStore, ids: list[str]) -> float:
    """Return the milliseconds that folding a game takes that nobody has asked for before."""
    for cache in (store.archive._history, store.archive._dictionary):
        cache.cache_clear()

    def replay() -> None:
        for game in ids:
            for _ in store.fold(game):
                pass

    return _seconds(replay) / len(ids) * 1000


def _download(store: GameStore) -> float:
    """Return the milliseconds that a game takes in a download of all."""
    games = store.redis.zcard("{stats}:games")
    return _seconds(lambda: list(histories(store, HistoryFilter(), None))) / games * 1000


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


@click.command()
@click.option("--games", default=250, show_default=True, help="Finished games to store.")
@click.option("--rounds", default=5, show_default=True, help="Rounds of each measure.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(games: int, rounds: int, as_json: bool) -> None:
    """Compare finished games in the archive with the same in Redis.

    \b
    Example:
      python -m benchmarks.archive --games 500
    """
    show(measure(games, rounds), as_json)


if __name__ == "__main__":
    main()
