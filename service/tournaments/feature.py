from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from domain.tournament.state import OPEN
from service.accounts.accounts import Account
from service.feature import Feature, Loop, Services
from service.records.following import follow_rollbacks
from service.records.keeping import KeptTournaments
from service.store.guarding import log_errors
from service.tournaments import entering, index
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


def _leave_all(services: Services, account: Account) -> None:
    tournaments = services.find(Tournaments)
    for some_id in index.under_way(tournaments.store):
        with log_errors(f"{some_id} was not left"):  # it has ended in between, or is broken
            _leave(tournaments, account, some_id)


def _leave(tournaments: Tournaments, account: Account, tournament: str) -> None:
    """Withdraw; end a tournament that would wait for its creator for ever."""
    state = tournaments.get(tournament).state
    if account.id in state.active:
        entering.withdraw(tournaments, account, tournament, account.id)
    if state.settings.creator == account.id and state.status == OPEN:
        entering.end(tournaments, account, tournament)


FEATURE = Feature("tournaments", _blueprints, _build, _loops, on_account_closed=_leave_all)
