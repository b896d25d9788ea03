"""Measures the size of finished games and the speed of reading them, in the archive and in Redis.

The yardstick is the same games in Redis.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Annotated

from redis import Redis

from benchmarks.runner import Rounds, by_turns, command, ratio, seconds
from benchmarks.services import redis as temporary_redis
from domain.boards import load_folder
from service.projections import archiving, projecting
from service.projections.histories import HistoryFilter, histories
from service.store.archive import Archive
from service.store.games import GameStore
from service.store.vaults import Folder
from tests.games import store_random_game

SEATS = (2, 3, 4)


def measure(
    games: Annotated[int, "Finished games, of 2 to 4 players on all boards."] = 250,
    rounds: Rounds = 5,
) -> dict:
    """Return how much smaller archived games are, including what stays in Redis, and how long it
    takes to read one and all of them."""
    boards, figures = load_folder(), {}
    with temporary_redis() as here, temporary_redis() as gone, tempfile.TemporaryDirectory() as at:
        empty = _used(gone)
        store = GameStore(here, boards)
        archived = GameStore(gone, boards, Archive(Folder(at)))
        ids = {board: [] for board in boards}
        for number in range(games):
            board, rng = list(boards)[number % len(boards)], Random(number)
            seats = SEATS[number // len(boards) % len(SEATS)]
            ids[board].append(store_random_game(store, boards[board], seats, rng).id)
        projecting.catch_up(store)
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
    """Return for each board the bytes of memory that the keys of its games take."""
    return {board: sum(redis.memory_usage(key, samples=0) or 0
                       for game in of_board for key in _keys(game))
            for board, of_board in ids.items()}


def _keys(game: str) -> Sequence[str]:
    return [GameStore.key(game, part)
            for part in ("log", "head", "archived", "bots", "imported", "rematch")]


def _replay(store: GameStore, ids: list[str]) -> float:
    """Return the milliseconds for folding one game that is not cached."""
    for cache in (store.archive._history, store.archive._dictionary):
        cache.cache_clear()

    def replay() -> None:
        for game in ids:
            for _ in store.fold(game):
                pass

    return seconds(replay) / len(ids) * 1000


def _download(store: GameStore) -> float:
    """Return the milliseconds for one game in a download of all games."""
    games = store.redis.zcard("{stats}:games")
    return seconds(lambda: list(histories(store, HistoryFilter(), None))) / games * 1000


if __name__ == "__main__":
    command(measure)()
