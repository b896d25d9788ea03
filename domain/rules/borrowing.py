"""The routes of others that stations lend to their owners at the end (6.2)."""

from __future__ import annotations

from itertools import product

from domain import network
from domain.game.state import State


def borrowed(state: State, seat: int) -> list[tuple[str, str]]:
    """Return the routes of others, as pairs of ends, that the seat's stations best count as its
    own: for the most points from tickets, then the most tickets (6.2)."""
    board, tickets = state.board, [state.board.tickets[t] for t in state.tickets[seat]]
    group = network.connections((board.routes[r].a, board.routes[r].b) for r in state.routes[seat])
    lent = [_lent(state, seat, board.locations[place].id, group) for place in state.stations[seat]]
    wanted = [(group[t.a], group[t.b], t.points) for t in tickets if group[t.a] != group[t.b]]
    best, choice = (0, 0), ()
    for links in product(*lent):
        joined = network.connections(link[:2] for link in links if link)
        done = [points for a, b, points in wanted if joined[a] == joined[b]]
        if (sum(done), len(done)) > best:
            best, choice = (sum(done), len(done)), links
    return [link[2] for link in choice if link]


def _lent(state: State, seat: int, place: str, group) -> list[tuple | None]:
    """Return what a station may lend: (group, group, ends) for each way out that connects anything
    new, and None for nothing."""
    routes = state.board.routes
    ends = {
        (routes[r].a, routes[r].b)
        for other in state.seats if other != seat
        for r in state.routes[other] if place in (routes[r].a, routes[r].b)
    }
    return [None, *((group[a], group[b], (a, b)) for a, b in sorted(ends) if group[a] != group[b])]
