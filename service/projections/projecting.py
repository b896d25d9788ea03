"""Update, undo and rebuild all projections. Everything here goes through ``PROJECTIONS``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from redis import Redis, ResponseError

from domain.errors import BrokenHistory
from domain.game.state import State
from service.games.games import Games
from service.games.marks import Marks
from service.projections import PROJECTIONS
from service.store.batches import batches_of
from service.store.cores import Cores, in_turn
from service.store.games import GameStore, LoadedGame
from service.store.loaded import Rollback
from service.store.steps import Steps

BATCH = 50  # games that one process reads before it reports


def project(redis: Redis, game: LoadedGame, was: State | None = None) -> None:
    """Update every projection after a game's last entry. ``was`` is the state before, which shows
    who has left. It is idempotent; if a crash interrupts it, the sweep repeats it."""
    steps = Steps(redis)
    for projection in PROJECTIONS:
        projection.apply(steps, game, was)
    try:
        steps.execute()
    except ResponseError:  # perhaps not of the command that removes the mark
        Marks(redis).mark(game.state.id, game.state.version)
        raise


def repair(games: Games, game: LoadedGame) -> None:
    """Do all work that follows from a game's last entry, for a process that wrote the entry and did
    not finish."""
    project(games.redis, game, game.state)
    for projection in PROJECTIONS:
        projection.repair(games, game)


def roll_back(store: GameStore, rollback: Rollback[LoadedGame]) -> None:
    """Undo the effects of lost entries, and update every projection to the game's present state."""
    for projection in PROJECTIONS:
        projection.take_back(store, rollback)
    if rollback.now:
        project(store.redis, rollback.now)


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


@dataclass
class _Part:
    """Some games that were read again: what each projection needs of each, and those that are
    broken, with the entry and the reason."""

    read: dict[str, dict[str, Any]]  # the projection's name -> game -> what it needs
    ids: set[str] = field(default_factory=set)
    broken: dict[str, tuple[int, str]] = field(default_factory=dict)


def rebuild(
    store: GameStore, progress: Callable[[int], object] = lambda done: None,
    cores: Cores | None = None,
) -> int:
    """Rebuild every projection, and the heads of games, from the histories; return how many games
    there are. Games that are broken stay where they are listed, and count nowhere. With ``cores``,
    several processes read the histories."""
    ids: set[str] = set()
    rebuilds = {each.name: each.begin_rebuild(store) for each in PROJECTIONS}
    spread = cores.spread if cores else in_turn
    for part in spread(store, _reread, batches_of(BATCH, dict.fromkeys(store.ids()))):
        ids |= part.ids
        for name, read in part.read.items():
            rebuilds[name].collect(read)
        for game_id, error in part.broken.items():
            store.set_aside(game_id, BrokenHistory(*error))
        progress(len(ids))
    for each in rebuilds.values():
        each.finish(store, ids | {*store.broken})
    catch_up(store)
    return len(ids)


def _reread(store: GameStore, game_ids: Iterable[str]) -> _Part:
    """Read some games for all projections."""
    ids = [*game_ids]
    part = _Part({each.name: dict.fromkeys(ids) for each in PROJECTIONS})
    for game in store.refold_all(ids):
        for projection in PROJECTIONS:
            part.read[projection.name][game.state.id] = projection.rebuild_game(store, game)
        part.ids.add(game.state.id)
    for game_id in ids:
        if error := store.broken.error(game_id):
            part.broken[game_id] = error.version, error.reason
    return part
