"""The final scoring and the ranking (5.3, 6.2, 6.3, 7.2, 7.3, 7.4)."""

from __future__ import annotations

from domain import network
from domain.game.state import State
from domain.rules import borrowing

PARTS = ("routes", "tickets", "longest_path", "stations", "districts", "flags")  # of a total
UNUSED_STATION = 4  # points (6.3)

def results(state: State) -> tuple[dict[str, int], ...]:
    """Return each seat's parts, total, tie-breakers and rank (1 is best, equals share a rank)."""
    lengths = [longest_path_length(state, seat) for seat in state.seats]
    scored = [_result(state, seat, lengths) for seat in state.seats]
    keys = [_key(state, seat, scored[seat]) for seat in state.seats]
    return tuple(result | {"rank": 1 + sum(other > key for other in keys)}
                 for result, key in zip(scored, keys, strict=True))


def longest_path_length(state: State, seat: int) -> int:
    """Return the longest trail over a seat's own routes, in trains (7.2)."""
    routes = [state.board.routes[r] for r in state.routes[seat]]
    return network.longest_trail_length([(r.a, r.b, r.length) for r in routes])


def completed_tickets(state: State, seat: int) -> list[int]:
    """Return the tickets of a seat that its routes and stations connect (5.3, 6.2)."""
    group = network.connections([*_own_links(state, seat), *borrowing.borrowed(state, seat)])
    tickets = state.board.tickets
    return [t for t in state.tickets[seat] if group[tickets[t].a] == group[tickets[t].b]]


def district_points(state: State, seat: int) -> int:
    """Return the numbers of the districts whose places a seat's routes all connect (7.3)."""
    group = network.connections(_own_links(state, seat))
    return sum(
        number
        for number, places in state.board.districts.items()
        if len({group[place] for place in places}) == 1
    )


def _own_links(state: State, seat: int) -> list[tuple[str, str]]:
    routes = state.board.routes
    return [(routes[r].a, routes[r].b) for r in state.routes[seat]]


def _result(state: State, seat: int, lengths: list[int]) -> dict[str, int]:
    board, done = state.board, completed_tickets(state, seat)
    value = sum((1 if t in done else -1) * board.tickets[t].points for t in state.tickets[seat])
    longest = "longest_path" in board.rules and lengths[seat] == max(lengths) > 0
    parts = {
        "routes": sum(board.points[board.lengths[r]] for r in state.routes[seat]),
        "tickets": value,
        "longest_path": board.longest_path_bonus if longest else 0,
        "stations": UNUSED_STATION * state.stations_left(seat),
        "districts": district_points(state, seat),
        "flags": state.flag_points[seat],
    }
    return parts | {
        "total": sum(parts[part] for part in PARTS),
        "tickets_completed": len(done),
        "longest_path_length": lengths[seat],
    }


def _key(state: State, seat: int, result: dict[str, int]) -> tuple:
    """Return what seats are ranked by: staying, points, the board's tie-breaks (7.4, 8.2)."""
    stayed = len(state.players) if seat not in state.leavers else state.leavers.index(seat)
    return (stayed, result["total"], *(result[part] for part in state.board.tie_breaks))
