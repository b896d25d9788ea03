"""Advance tournaments: start them in time or expire them, create the games of a round, record
results, pair the next round, end.

Every step is derived from the history and the heads of the games. So if a process dies, the next
run does the remaining steps. A step is written once, even if two processes attempt it.
"""

from __future__ import annotations

from domain.errors import BrokenHistory, Refused
from domain.game.state import FINISHED
from domain.tournament.commands import End, PairRound, RecordTable, Start
from domain.tournament.fold import decide
from domain.tournament.rounds import is_search, next_round_at
from domain.tournament.state import OPEN, RUNNING, Round
from service.errors import UnknownThing
from service.store.conflicts import Conflict
from service.store.games import GameHead
from service.store.guarding import log_errors
from service.store.tournaments import LoadedTournament, TournamentHead, TournamentStore
from service.times import in_ms, now, now_in_ms
from service.tournaments import index, tables
from service.tournaments.apart import decide_apart
from service.tournaments.tournaments import Tournaments

CLAIM_MS = 5_000  # milliseconds for which one process claims tournaments
AT_ONCE = 8  # tournaments that a process claims: each may take half a second in a child process
SOON_MS = 250  # milliseconds until the next check after a conflict
LATER_MS = 30_000  # milliseconds until the next check of a running tournament
HOUR = 3_600_000
EXPIRES_MS = 7 * 24 * HOUR  # milliseconds until an open tournament expires if nobody comes or goes


def run_due(tournaments: Tournaments) -> None:
    """Advance every tournament that is due."""
    claim, ids = tournaments.due.claim(index.DUE, CLAIM_MS, AT_ONCE)
    again: dict[str, int | None] = {}
    for tournament_id in ids:
        again[tournament_id] = now_in_ms() + LATER_MS  # in case of an error
        with log_errors(f"{tournament_id} could not be moved on"):
            again[tournament_id] = _moved_on(tournaments, tournament_id)
    tournaments.due.end(index.DUE, claim, again)


def _moved_on(tournaments: Tournaments, tournament_id: str) -> int | None:
    """Advance a tournament; return when to check it again, in milliseconds since 1970, None if it
    is over."""
    try:
        tournament = tournaments.get(tournament_id)
    except UnknownThing:  # scheduled; another process may be creating it
        return None
    if not index.is_listed(tournaments.store, tournament):
        index.project(tournaments.store, tournament)
    return _next_check(move_on(tournaments, tournament_id))


def _next_check(tournament: LoadedTournament | None) -> int | None:
    """Return when to check a tournament again, None for never. It is None after a conflict."""
    if tournament is None:
        return now_in_ms() + SOON_MS
    state, head = tournament.state, TournamentStore.head(tournament)
    if state.status == OPEN:
        starts_at = head.get("starts_at")
        return in_ms(starts_at) if starts_at else min(now_in_ms() + HOUR, _expires(head))
    if state.status != RUNNING:
        return None
    due, is_between = next_round_at(state), not state.rounds or state.rounds[-1].is_over
    if due and is_between and in_ms(due) + LATER_MS > now_in_ms():
        return max(in_ms(due), now_in_ms() + SOON_MS)
    return now_in_ms() + LATER_MS


def move_on(tournaments: Tournaments, tournament_id: str) -> LoadedTournament | None:
    """Take every step that a tournament can take now; return the tournament after them. Return None
    after a conflict: the next run goes on."""
    tournament = tournaments.get(tournament_id)
    try:
        while after := _step(tournaments, tournament):
            tournament = after
    except Conflict:  # another process, or the creator
        return None
    return tournament


def _step(tournaments: Tournaments, tournament: LoadedTournament) -> LoadedTournament | None:
    """Take the next step; return the tournament after it, None if there is none to take now."""
    state = tournament.state
    if state.status == OPEN and _is_due(TournamentStore.head(tournament)):
        start = Start(tables.changed_players(tournaments.games, state), now())
        return (_after(tournaments, tournament, start)
                or _after(tournaments, tournament, End("too_few")))
    if state.status == OPEN and _is_abandoned(TournamentStore.head(tournament)):
        return _after(tournaments, tournament, End("expired"))
    if state.status != RUNNING:
        return None
    if not state.rounds or state.rounds[-1].is_over:
        if not is_search(state) or now() < (next_round_at(state) or ""):  # then nothing is paired
            return _after(tournaments, tournament, PairRound(now()))
        events = decide_apart(state, PairRound(now()))
        return tournaments.append(tournament, events) if events else None
    return _after_round(tournaments, tournament, state.rounds[-1])


def _after(
    tournaments: Tournaments, tournament: LoadedTournament, command: object
) -> LoadedTournament | None:
    """Return the tournament after a command, None if that is refused."""
    try:
        return tournaments.append(tournament, decide(tournament.state, command))
    except Refused:
        return None


def _after_round(
    tournaments: Tournaments, tournament: LoadedTournament, paired: Round
) -> LoadedTournament | None:
    """Create the missing games of a round and record its finished tables; return the tournament
    after that, None if no table was finished."""
    games, waiting = tournaments.games, [table for table in paired.tables if not table.is_over]
    heads = iter(games.store.heads([table.games[rotation] for table in waiting
                                    for rotation in table.under_way]))
    after = None
    for table in waiting:
        of_deal: list[GameHead | None] = [next(heads) for _ in table.under_way]
        for rotation, head in zip(table.under_way, of_deal, strict=True):
            if head is None:
                tables.create_game(games, tournament.state, paired, table, rotation)
        if all(head and head["status"] == FINISHED for head in of_deal):
            try:
                results = tuple(tables.results(games, table.games[rotation])
                                for rotation in table.under_way)
            except BrokenHistory:  # go on, to record the other tables
                continue
            command = RecordTable(paired.number, table.number, results)
            after = tournament = _after(tournaments, tournament, command) or tournament
    return after


def _is_due(head: TournamentHead) -> bool:
    starts_at = head.get("starts_at")
    return starts_at is not None and in_ms(starts_at) <= in_ms(now())


def _is_abandoned(head: TournamentHead) -> bool:
    """Return whether an open tournament without a time to start has been idle for too long; up to
    the time of its first round it is not idle."""
    return "starts_at" not in head and in_ms(now()) > _expires(head)


def _expires(head: TournamentHead) -> int:
    since = max(head["updated"], head.get("next_round_at", ""))
    return in_ms(since) + EXPIRES_MS
