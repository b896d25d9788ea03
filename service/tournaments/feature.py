from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from service.feature import Feature, Loop, Services
from service.records.following import follow_rollbacks
from service.records.keeping import KeptTournaments
from service.tournaments.director import run_due
from service.tournaments.notices import TournamentNotices
from service.tournaments.tournaments import Tournaments

if TYPE_CHECKING:
    from flask import Blueprint


def _blueprints() -> Iterable[Blueprint]:
    from service.api import tournaments

    yield tournaments.blueprint


def _build(services: Services) -> None:
    tournaments = Tournaments(services.games)
    services.add(tournaments)
    services.games.notices.append(TournamentNotices(tournaments.store))
    follow_rollbacks(KeptTournaments(tournaments.store), services.games.news,
                     [tournaments.reproject])


def _loops(services: Services) -> Iterable[Loop]:
    yield Loop("director", 0.25, partial(run_due, services.find(Tournaments)), is_shared=True)


FEATURE = Feature("tournaments", _blueprints, _build, _loops)
