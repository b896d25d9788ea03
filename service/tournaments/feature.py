from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from service.feature import Feature, Job, Loop, Services
from service.records.following import add_kind
from service.store.tournaments import TournamentStore
from service.tournaments.director import run_due
from service.tournaments.notices import TournamentNotices
from service.tournaments.records import (
    KeptTournaments,
    TournamentRecorder,
    TournamentRows,
    tournament_records,
)
from service.tournaments.tournaments import Tournaments

if TYPE_CHECKING:
    from flask import Blueprint


def _blueprints() -> Iterable[Blueprint]:
    from service.api import tournaments

    yield tournaments.blueprint


def _build(services: Services) -> None:
    games = services.games
    store = TournamentStore(games.redis, tournament_records(games.database))
    tournaments = Tournaments(games, store)
    services.add(tournaments)
    games.notices.append(TournamentNotices(store))
    games.projections.append(partial(TournamentRows, store))
    add_kind(games, KeptTournaments(store, games.store), [tournaments.reproject])


def _loops(services: Services) -> Iterable[Loop]:
    yield Loop("director", 0.25, partial(run_due, services.find(Tournaments)), is_shared=True)


def _jobs(services: Services) -> Iterable[Job]:
    store = services.find(Tournaments).store
    yield Job(TournamentRecorder(store, services.games.database).run, 60.0)


FEATURE = Feature("tournaments", _blueprints, _build, _loops, _jobs)
