"""Advance tournaments: start them in time or expire them, create the games of a round, record
results, pair the next round, end.

Every step is derived from the history and the heads of the games. So if a process dies, the next
run does the remaining steps. A step is written once, even if two processes attempt it.
"""

from contextlib import suppress
from functools import partial

from domain.errors import Refused
from domain.tournament.fold import Step, end, start
from domain.tournament.rounds import next_round_at
from domain.tournament.state import OPEN, RUNNING, Tournament
from service.errors import UnknownThing
from service.redis.conflicts import Conflict
from service.redis.guarding import log_errors
from service.times import in_ms, now, now_in_ms
from service.tournaments import index
from service.tournaments.apart import pair_apart
from service.tournaments.store import LoadedTournament
from service.tournaments.tables import Tables
from service.tournaments.tournaments import Tournaments

CLAIM_MS = 5_000  # milliseconds for which one process claims tournaments
AT_ONCE = 8  # tournaments that a process claims: each may take half a second in a child process
SOON_MS = 250  # milliseconds until the next check after a conflict
LATER_MS = 30_000  # milliseconds until the next check of a running tournament
HOUR = 3_600_000
EXPIRES_MS = 7 * 24 * HOUR  # milliseconds until an open tournament expires if nobody comes or goes


def run_due(tournaments: Tournaments) -> None:
    claim, ids = tournaments.due.claim(index.DUE, CLAIM_MS, AT_ONCE)
    again: dict[str, int | None] = {}
    for tournament_id in ids:
        again[tournament_id] = now_in_ms() + LATER_MS  # in case of an error
        with log_errors(f"{tournament_id} could not be moved on"):
            again[tournament_id] = _advance(tournaments, tournament_id)
    tournaments.due.end(index.DUE, claim, again)


def _advance(tournaments: Tournaments, tournament_id: str) -> int | None:
    """Take every step that is due; return when to check again, None if the tournament is over."""
    try:
        tournament = tournaments.get(tournament_id)
    except UnknownThing:  # scheduled; another process may be creating it
        return None
    if not index.is_listed(tournaments.store, tournament):
        index.project(tournaments.store, tournament)
    try:
        is_new = True
        while is_new:
            due, is_new = _due(tournament), False
            for step in _steps(tournaments.tables, tournament.state, due):
                with suppress(Refused):
                    tournament = tournaments.append(tournament, step(tournament.state))
                    is_new = True
    except Conflict:  # another process, or the creator: the next run goes on
        return now_in_ms() + SOON_MS
    if due is None:
        return None
    at = now_in_ms()
    return max(due, at + SOON_MS) if due + LATER_MS > at else at + LATER_MS


def _due(tournament: LoadedTournament) -> int | None:
    """Return when a tournament can take its next step, in milliseconds since 1970: 0 if that does
    not depend on the time, None if it is over."""
    state = tournament.state
    first_at = next_round_at(state) or ""
    if state.status == OPEN:  # up to the time of its first round it is not idle
        starts_at = state.settings.starts_at
        return (
            in_ms(starts_at)
            if starts_at
            else (in_ms(max(tournament.updated, first_at)) + EXPIRES_MS)
        )
    if state.status != RUNNING:
        return None
    return in_ms(first_at) if first_at and _is_between(state) else 0


def _steps(tables: Tables, state: Tournament, due: int | None) -> list[Step]:
    if state.status == RUNNING:
        return (
            [partial(pair_apart, at=now())]
            if _is_between(state)
            else (tables.play(state, state.rounds[-1]))
        )
    if due is None or due > now_in_ms():
        return []
    if not state.settings.starts_at:
        return [partial(end, reason="expired")]
    if len(state.active) < state.settings.least:
        return [partial(end, reason="too_few")]
    return [partial(start, players=tables.changed_players(state), at=now())]


def _is_between(state: Tournament) -> bool:
    return not state.rounds or state.rounds[-1].is_over
