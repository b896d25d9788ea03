from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from service.eventlog.loaded import Rollback
from service.feature import Blueprints, Feature, Loop, Services
from service.games import listing, measures, rollbacks, workers
from service.games.games import Games
from service.games.leaving import leave_games
from service.games.live import Live
from service.games.playing import enforce_deadlines
from service.games.store import LoadedGame
from service.games.sweep import sweep
from service.redis.queue import Crew


def _blueprints() -> Blueprints:
    from service.games.api import games, live, notices, playing

    for module in (games, playing, live):
        yield module.blueprint
    yield notices.blueprint


def _build(services: Services) -> None:
    games = services.games
    services.add(Live(games.store, games.news))
    games.store.on_append.append(measures.count_append)
    games.store.on_conflict.append(measures.CONFLICTS.inc)
    games.on_rollback.insert(0, partial(_on_rollback, games))  # other listeners read its note


def _on_rollback(games: Games, rollback: Rollback[LoadedGame]) -> None:
    rollbacks.note(games, rollback)
    if rollback.now:
        listing.move(games.store, rollback.now.state.id, rollback.was.state)


def _loops(services: Services) -> Iterable[Loop]:
    games = services.games
    yield Loop("sweep", 2.0, partial(sweep, games), is_shared=True)
    yield Loop("beat", 0.25, games.clocks.beat)
    yield Loop("clocks", 0.25, partial(enforce_deadlines, games), is_shared=True)


FEATURE = Feature(
    "games", _blueprints, _build, _loops, works=(workers.GUESTS, workers.BOTS),
    crew=Crew(workers.BOTS.queue, "plays built-in bots", "games"), measures=measures.measures,
    on_account_closed=leave_games)
