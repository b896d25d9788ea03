"""Facts of a game that is over, as rows: its seats, the claimed routes, the kept tickets.

The service records them when a game ends, and ``fogg export --sqlite`` computes them from a history
that it has downloaded. Both by these functions, so both have the same values.
"""

from collections.abc import Iterable, Iterator

from domain.board.board import Board
from domain.codec import Json
from domain.entry import Entry
from domain.game.fold import evolve_from_json
from domain.game.pace import TIMED_OUT, Pace, counted, pace_after, time_at, turns_of_claims
from domain.game.scoring import SeatRow
from domain.game.state import State
from domain.game.timing import since_after
from domain.rules.tickets import completed_tickets


def fold(board: Board, entries: Iterable[Entry]) -> tuple[State, Pace]:
    state, pace, since = State(board), b"", dict[int, tuple[int, str]]()
    for entry in entries:
        pace, before, state = pace_after(pace, since, entry), state, state.copy()
        evolve_from_json(state, entry["events"])
        since = since_after(since, before, state, entry, (state.version, entry["at"]))
    return state, pace


def seats(state: State, pace: Pace) -> Iterator[Json]:
    """Yield the facts of each seat, with its numbers if the game has a result. ``milliseconds`` is
    the time for all decisions that the seat made itself, to 12 %."""
    for seat, player in enumerate(state.players):
        took = counted(pace, seat)
        took.pop(TIMED_OUT, None)
        row: SeatRow = {
            "seat": seat,
            "player": player.id if player else None,
            "name": player.name if player else None,
            "bot": player.bot if player else None,
            "bot_version": player.version if player else None,
            "is_built_in": bool(player and player.is_built_in),
            "reason_left": state.left[seat] if state.left else None,
            "is_first": state.was_begun and state.first_seat == seat,
            "decisions": sum(took.values()),
            "milliseconds": sum(time_at(place) * count for place, count in took.items()),
        }
        if state.results:
            row["tickets_kept"] = len(_kept(state, seat))
        yield {**row, **(state.results[seat] if state.results else {})}


def claims(state: State, pace: Pace) -> Iterator[Json]:
    """Yield the claimed routes, each with its seat's turn, from 1; 0 if claimed before a fork."""
    for seat in state.seats if state.was_begun else ():
        routes, turns = state.routes[seat], turns_of_claims(pace, seat)
        before = [0] * (len(routes) - len(turns))
        for number, turn in zip(routes, before + turns, strict=True):
            route = state.board.routes[number]
            yield {"route": route.id, "length": route.length, "seat": seat, "turn": turn}


def tickets(state: State) -> Iterator[Json]:
    for seat in state.seats if state.results else ():
        completed = completed_tickets(state, seat)
        for number in _kept(state, seat):
            is_completed, ways = number in completed, state.board.ways[number]
            yield {
                "ticket": state.board.tickets[number].id,
                "points": completed[number] if is_completed else ways[0][2],
                "seat": seat,
                "is_completed": is_completed,
            }


def _kept(state: State, seat: int) -> tuple[int, ...]:
    return (*state.tickets[seat], *state.removed[seat])
