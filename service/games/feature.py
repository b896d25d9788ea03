from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from service.feature import Feature, Loop, Services
from service.games import listing, rollbacks
from service.games.games import Games
from service.games.leaving import leave_games
from service.games.live import Live
from service.games.playing import enforce_deadlines
from service.operation.sweep import sweep
from service.store.games import LoadedGame
from service.store.loaded import Rollback

if TYPE_CHECKING:
    from flask import Blueprint


def _blueprints() -> Iterable[Blueprint]:
    from service.api import games, live, notices, playing

    for module in (games, playing, live):
        yield module.blueprint
    yield notices.blueprint


def _build(services: Services) -> None:
    games = services.games
    services.add(Live(games.store, games.news))
    games.on_rollback.append(partial(_on_rollback, games))


def _on_rollback(games: Games, rollback: Rollback[LoadedGame]) -> None:
    rollbacks.note(games, rollback)
    if rollback.now:
        listing.move(games.store, rollback.now.state.id, rollback.was.state)


def _loops(services: Services) -> Iterable[Loop]:
    games = services.games
    yield Loop("sweep", 2.0, partial(sweep, games), is_shared=True)
    yield Loop("beat", 0.25, games.clocks.beat)
    yield Loop("clocks", 0.25, partial(enforce_deadlines, games), is_shared=True)


FEATURE = Feature("games", _blueprints, _build, _loops, on_account_closed=leave_games)
