"""Measures how a check and a rebuild of archived games are spread over processes.

The yardstick is one process. Compared is the processor time of the busiest one, and of the one that
has started it: so much takes the work if each process has a core of its own.
"""

from __future__ import annotations

import os
import tempfile
import time
from multiprocessing import active_children
from random import Random
from typing import Annotated
from unittest.mock import patch

from benchmarks.runner import command, ratio
from benchmarks.services import redis as temporary_redis
from domain.boards import load_folder
from service.api import wiring
from service.operation.stores import game_store
from service.projections import PROJECTIONS, archiving, checking, projecting
from service.store.archive import Archive
from service.store.cores import Cores
from service.store.games import GameStore
from service.store.vaults import Folder
from tests.games import store_random_game
from tests.processes import processor_seconds


def measure(
    games: Annotated[int, "Archived games, of 2 to 4 players on all boards."] = 2000,
    jobs: Annotated[int, "Processes that work together."] = 2,
) -> dict:
    """Return the processor time of each process of a check and of a rebuild."""
    boards, figures, ratios = [*load_folder().values()], {}, []
    with temporary_redis() as redis, tempfile.TemporaryDirectory() as folder, patch.dict(
            os.environ, FOGG_ARCHIVE=folder,
            FOGG_REDIS_URL=f"unix://{redis.connection_pool.connection_kwargs['path']}"):
        store = GameStore(redis, load_folder(), Archive(Folder(folder)))
        for number in range(games):
            board = boards[number % len(boards)]
            store_random_game(store, board, 2 + number % 3, Random(number))
        while any(projection.backlog(redis) for projection in PROJECTIONS):
            projecting.catch_up(store)
        archiving.run(store, days=0)
        for work in (_check, _rebuild):
            alone, together = (_seconds(work, count) for count in (1, jobs))
            longest = [sum(each[:1]) + max(each[1:], default=0) for each in (alone, together)]
            name = work.__name__.strip("_")
            ratios.append(ratio(name, "s", [longest[1]], [longest[0]]))
            figures |= {f"{name}: the process that starts others, s": together[0]} | {
                f"{name}: process {number}, s": each
                for number, each in enumerate(together[1:], 1)}
    return {"benchmark": "cores", "yardstick": "one process", "ratios": ratios, "figures": figures}


def _check(cores: Cores, look) -> None:
    services = wiring.services()
    report = checking.check(services.games, services.tournaments, look, cores)
    assert not report.findings, report.findings


def _rebuild(cores: Cores, look) -> None:
    projecting.rebuild(game_store(), look, cores)


def _seconds(work, count: int) -> list[float]:
    """Do some work; return the processor time of this process, then of each that it started."""
    found: dict[int, float] = {}

    def look(*_: object) -> None:
        found.update((child.pid, processor_seconds(child.pid)) for child in active_children()
                     if child.pid)

    began = time.process_time()
    work(Cores(game_store, count), look)
    return [time.process_time() - began, *found.values()]


if __name__ == "__main__":
    command(measure)()
