"""Update, undo and rebuild all projections. Everything here goes through ``PROJECTIONS``."""

from __future__ import annotations

import re
from collections.abc import Callable

from redis import Redis, ResponseError

from domain.game.state import State
from service.games.games import Games
from service.games.marks import Marks
from service.projections import PROJECTIONS
from service.store.games import GameStore, LoadedGame
from service.store.loaded import Rollback
from service.store.steps import Steps

BATCH = 50  # games that one process reads before it reports


def project(store: GameStore, game: LoadedGame, was: State | None = None) -> None:
    """Update every projection after a game's last entry. ``was`` is the state before, which shows
    who has left. It is idempotent; if a crash interrupts it, the sweep repeats it."""
    steps = Steps(store.redis)
    for projection in PROJECTIONS:
        projection.apply(store, steps, game, was)
    try:
        steps.execute()
    except ResponseError:  # perhaps not of the command that removes the mark
        Marks(store.redis).mark(game.state.id, game.state.version)
        raise


def repair(games: Games, game: LoadedGame) -> None:
    """Do all work that follows from a game's last entry, for a process that wrote the entry and did
    not finish."""
    project(games.store, game, game.state)
    for projection in PROJECTIONS:
        projection.repair(games, game)


def roll_back(store: GameStore, rollback: Rollback[LoadedGame]) -> None:
    """Undo the effects of lost entries, and update every projection to the game's present state."""
    for projection in PROJECTIONS:
        projection.take_back(store, rollback)
    if rollback.now:
        project(store, rollback.now)


def catch_up(store: GameStore) -> None:
    """Have every projection finish its pending work."""
    for projection in PROJECTIONS:
        projection.catch_up(store)


def forget(redis: Redis, state: State) -> None:
    """Remove a game from every projection, before its history is removed."""
    for projection in PROJECTIONS:
        projection.forget(redis, state)


def derived_keys() -> re.Pattern[str]:
    """Return a pattern of the names of all keys of projections."""
    return re.compile("|".join(projection.keys for projection in PROJECTIONS))


# Rebuilding


def rebuild(
    store: GameStore, progress: Callable[[int], object] = lambda done: None
) -> int:
    """Rebuild every projection, and the heads of games, from the histories; return how many games
    there are. Games that are broken stay where they are listed, and count nowhere."""
    ids: set[str] = set()
    rebuilds = [each.begin_rebuild(store) for each in PROJECTIONS]
    for game in store.refold_all():
        for each in rebuilds:
            each.add(store, game)
        ids.add(game.state.id)
        progress(len(ids))
    for each in rebuilds:
        each.finish(store, ids | {*store.broken})
    catch_up(store)
    return len(ids)
