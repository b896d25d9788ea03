"""Stations: building them, and the routes they lend at the end (6)."""

from __future__ import annotations

from itertools import product

from domain import network
from domain.commands import BuildStation
from domain.errors import Refused
from domain.events import StationBuilt
from domain.rules import claiming, settling
from domain.state import Draft, State, add, put, take

UNUSED_POINTS = 4  # (6.3)


def build_station(draft: Draft, seat: int, command: BuildStation) -> None:
    """Build a station; the first costs one card, the second two of a colour, and so on (6.1)."""
    state, board = draft.state, draft.state.board
    if command.location not in board.location_index:
        raise Refused("unknown-location", "6.1", f"{board.name} has no such place", "location")
    if board.location_index[command.location] in [x for built in state.stations for x in built]:
        raise Refused("station-there", "6.1", "there is a station already", "location")
    if state.stations_left(seat) == 0:
        raise Refused("no-stations-left", "6.1", "all your stations are built", "type")
    claiming.check_set(board, command.cards, len(state.stations[seat]) + 1, "6.1")
    claiming.check_held(state, seat, command.cards, "6.1")
    draft.emit(StationBuilt(seat, command.location, command.cards))
    settling.finish_turn(draft)


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


def station_built(state: State, event: StationBuilt) -> None:
    seat, paid = event.seat, state.board.counts(event.cards)
    state.hands = put(state.hands, seat, take(state.hands[seat], paid))
    state.discards = add(state.discards, paid)
    place = state.board.location_index[event.location]
    state.stations = put(state.stations, seat, (*state.stations[seat], place))
    state.passes = 0


DECIDES = {BuildStation: build_station}
EVOLVES = {StationBuilt: station_built}
