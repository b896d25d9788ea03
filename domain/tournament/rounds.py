"""The tables of a tournament's next round, by its format."""

from dataclasses import replace
from math import ceil, log2

from domain.tournament import pairing
from domain.tournament.circle import circle, circle_length
from domain.tournament.events import DUPLICATE, KNOCKOUT, LADDER, ROUND_ROBIN, SWISS
from domain.tournament.standings import leaders, standings
from domain.tournament.state import FINISHED, Tournament

MOST_ROUNDS = 1000


def last_round(state: Tournament) -> int:
    """Return the maximum of rounds. A former ladder ends like a swiss, or after this round."""
    settings, count = state.settings, max(2, len(state.entrants))
    match settings.format:
        case "round_robin" if settings.seats == 2:
            rounds = circle_length(count) * (settings.rounds or 1)
        case "round_robin":
            rounds = ceil((count - 1) / (settings.seats - 1)) * (settings.rounds or 1)
        case "swiss" | "ladder":
            rounds = settings.rounds or max(ceil(log2(count)), len(state.rounds))
        case "knockout" if state.rounds and state.rounds[-1].is_final:
            rounds = len(state.rounds)
        case _:
            rounds = settings.rounds or MOST_ROUNDS
    return min(rounds, MOST_ROUNDS)


def next_round_at(state: Tournament) -> str | None:
    """Return the earliest time of the next round (RFC 3339); None if it or its time is missing."""
    times, number = state.settings.round_times or (), len(state.rounds)
    is_last = state.status == FINISHED or number >= (state.last_round or last_round(state))
    return None if is_last or number >= len(times) else times[number]


def contenders(state: Tournament) -> list[str]:
    """Return the entrants to pair: in a knockout the winners, in the order of their tables."""
    if state.settings.format != KNOCKOUT or not state.rounds:
        return state.active
    active, last = set(state.active), state.rounds[-1]
    tables = [*map(leaders, last.tables), *([entrant] for entrant in last.byes)]
    there = ([entrant for entrant in best if entrant in active] for best in tables)
    return [best[0] for best in there if best]


def next_tables(state: Tournament) -> tuple[pairing.Tables, list[str]]:
    settings, past, order = state.settings, past_of(state), contenders(state)
    if settings.format in (SWISS, LADDER):
        return _swiss_tables(state, past)
    if settings.format == ROUND_ROBIN and settings.seats == 2:
        pairs = circle(state.drawn, len(state.rounds), len(settings.boards))
        tables: pairing.Tables = [pair for pair in pairs if set(order).issuperset(pair)]
        at_tables = {entrant for pair in tables for entrant in pair}
        return tables, [entrant for entrant in order if entrant not in at_tables]
    knockout = settings.format == KNOCKOUT
    there, byes = pairing.set_aside(order, settings.seats, settings.least, past, first=knockout)
    group = pairing.neighbours if knockout else pairing.balanced
    return group(there, settings.seats, past), byes


def is_search(state: Tournament, at: str) -> bool:
    """Return whether pairing a round at this time takes a search, of up to two seconds of processor
    time. Nothing is paired before the round's time."""
    own, due = state.settings, next_round_at(state)
    return (
        own.format != KNOCKOUT
        and (own.format != ROUND_ROBIN or own.seats > 2)
        and not (due and at < due)
    )


def past_of(state: Tournament) -> pairing.Past:
    """Return the past rounds. With duplicate deals everybody has had each seat as often."""
    past, is_duplicate = pairing.Past(), state.settings.deals == DUPLICATE
    for over in state.rounds:
        tables = [
            table.seated(rotation)
            for table in over.tables
            for rotation in range(1 if is_duplicate else len(table.games))
        ]
        past.add(tables, over.byes, here=over.board == state.next_board)
    return pairing.Past(met=past.met, byes=past.byes) if is_duplicate else past


def _swiss_tables(state: Tournament, past: pairing.Past) -> tuple[pairing.Tables, list[str]]:
    """Return a swiss' tables and byes. Entrants who met fewer points last round have floated."""
    now, before = (
        {row["entrant"]: row["points"] for row in standings(then)}
        for then in (state, replace(state, rounds=state.rounds[:-1]))
    )
    active, seats = set(state.active), state.settings.seats
    there, byes = pairing.set_aside(
        [entrant for entrant in now if entrant in active],
        seats,
        state.settings.least,
        past,
        first=False,
    )
    floated = {
        one
        for paired in state.rounds[-1:]
        for table in paired.tables
        for one in table.entrants
        if before[one] > min(before[x] for x in table.entrants)
    }
    return pairing.grouped(there, seats, past, now, floated), byes
