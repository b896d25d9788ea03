"""Stations: building them, and borrowing other seats' routes at the end (6)."""

from collections import Counter
from collections.abc import Mapping
from itertools import product
from math import prod
from typing import Annotated, Any, TypedDict

from domain import network
from domain.board.board import Board
from domain.board.shapes import whole
from domain.codec import tagged
from domain.errors import Refused
from domain.game.commands import Command
from domain.game.events import Event
from domain.game.state import Draft, State, add, put, take
from domain.rules import settling, taking
from domain.rules.paying import check_held, check_set, payment, sets
from domain.rules.rule import Attribute, InTable, Number, Rule
from domain.secrecy import EVERYBODY, Member, Public

FIRST = 1_000  # points count before tickets, of which there are fewer (6.2)
UNUSED = 4  # points for each that was not built (6.3)
Link = tuple[Any, Any, tuple[str, str]]  # two groups of locations, and the ends of a route there


@tagged
class BuildStation(Command):
    """Build a station in a location (6.1)."""

    location: Public[str]
    cards: Public[Mapping[str, int]]


@tagged
class StationBuilt(Event):
    """A seat built a station and discarded the cards (6.1)."""

    seat: Public[int]
    location: Public[str]
    cards: Public[Mapping[str, int]]


class Station(TypedDict):
    """A station and its owner."""

    location: Annotated[str, "The location's id."]
    seat: Annotated[int, "The owner's seat."]


def each(board: Board) -> int:
    return int(board.settings.get("stations", 0))


def most_choices(board: Board) -> int:
    """Return how many choices of lent routes, or none, scoring compares at most (6.2)."""
    pairs = {(route.a, route.b) for route in board.routes}
    near = sorted(Counter(end for pair in pairs for end in pair).values(), reverse=True)
    return board.players[-1] * prod(n + 1 for n in near[: each(board)])


def stations_left(state: State, seat: int) -> int:
    return each(state.board) - len(state.stations[seat])


def build_station(draft: Draft, seat: int, command: BuildStation) -> None:
    """Build a station; the first costs one card, the second two of a colour, and so on (6.1)."""
    state, board = draft.state, draft.state.board
    if command.location not in board.location_index:
        raise Refused(
            "unknown-location", "6.1", f"the board {board.name} has no such location", "location"
        )
    if board.location_index[command.location] in [x for built in state.stations for x in built]:
        raise Refused(
            "station-there", "6.1", "somebody has built a station there already", "location"
        )
    if stations_left(state, seat) == 0:
        raise Refused("no-stations-left", "6.1", "you have built all your stations", "type")
    check_set(board, command.cards, len(state.stations[seat]) + 1, "6.1")
    check_held(state, seat, command.cards, "6.1")
    draft.emit(StationBuilt(seat, command.location, command.cards))
    settling.finish_turn(draft)


def station_built(state: State, event: StationBuilt) -> None:
    seat, paid = event.seat, state.board.counts(event.cards)
    state.hands = put(state.hands, seat, take(state.hands[seat], paid))
    taking.lay(state, seat, event.cards)
    state.discards = add(state.discards, paid)
    place = state.board.location_index[event.location]
    state.stations = put(state.stations, seat, (*state.stations[seat], place))
    state.passes, state.last_progress = 0, state.version


def add_stations(actions: list[Command], state: State, seat: int) -> None:
    """Append every way for a seat to build a station (6.1)."""
    board, built = state.board, len(state.stations[seat])
    if built == each(board):
        return
    count, hand = built + 1, state.hands[seat]
    taken = {place for seats in state.stations for place in seats}
    payments = [(count, color, wilds) for color, wilds in sets(hand, count)]
    ways = board.once(stations_at)
    for place in range(len(board.locations)):
        if place not in taken:
            by_payment = ways[place]
            actions += [by_payment[paid] for paid in payments]


def stations_at(board: Board) -> tuple[dict[tuple[int, int, int], BuildStation], ...]:
    """Return ``stations_at[location][count, color, k]``: building a station there for ``count``
    cards, k of them wild. Shared, never to be changed."""
    wild, most = len(board.colors) - 1, each(board)
    kinds = [(n, c, k) for n in range(1, most + 1) for c in range(wild) for k in range(n)] + [
        (n, wild, n) for n in range(1, most + 1)
    ]
    paid = {kind: payment(board, kind[1], kind[2], kind[0]) for kind in kinds}
    return tuple(
        {kind: BuildStation(place.id, cards) for kind, cards in paid.items()}
        for place in board.locations
    )


# The end


def borrowed(state: State, seat: int) -> list[tuple[str, str]]:
    """Return the routes of others that the seat's stations lend it, as pairs of ends. They are
    chosen for the most points from tickets, then for the most tickets (6.2).

    Choices are compared until one completes all tickets; ``most_choices`` is their bound."""
    board = state.board
    group = network.connections(settling.links(state, seat))
    lent = [_lent(state, seat, board.locations[place].id, group) for place in state.stations[seat]]
    every = network.connections(link[:2] for links in lent for link in links if link)
    ways = [
        (t, group[a], group[b], points)
        for t in state.tickets[seat]
        for a, b, points in board.ways[t]
        if every[group[a]] == every[group[b]]
    ]
    done = {t: points for t, a, b, points in ways if a == b}
    # a ticket gains what it would lose, too; one that is done, what a better way adds
    wanted = [
        (
            t,
            a,
            b,
            (points - done[t]) * FIRST if t in done else (points + board.ways[t][0][2]) * FIRST + 1,
        )
        for t, a, b, points in ways
        if t not in done or points > done[t]
    ]
    most = sum({t: gain for t, _, _, gain in wanted}.values())
    best = 0
    choice: tuple[Link | None, ...] = ()
    for links in product(*lent):
        if best == most:
            break
        joined = network.connections(link[:2] for link in links if link)
        gain = sum({t: more for t, a, b, more in wanted if joined[a] == joined[b]}.values())
        if gain > best:
            best, choice = gain, links
    return [link[2] for link in choice if link]


def _lent(state: State, seat: int, place: str, group: network.Groups) -> list[Link | None]:
    """Return the routes that a station may lend and that connect anything new, and None."""
    routes = state.board.routes
    ends = {
        (routes[r].a, routes[r].b)
        for other in state.seats
        if other != seat
        for r in state.routes[other]
        if place in (routes[r].a, routes[r].b)
    }
    return [None, *((group[a], group[b], (a, b)) for a, b in sorted(ends) if group[a] != group[b])]


# Views


def built(state: State) -> list[Station]:
    return [
        {"location": state.board.locations[place].id, "seat": seat}
        for seat in state.seats
        for place in state.stations[seat]
    ]


RULE = Rule(
    name="stations",
    table=InTable(
        members={"stations": whole("Stations each.", 0, 9, required=False)},
        is_printed=lambda board: each(board) > 0,
        listed=lambda board: len(board.locations) * (1 + each(board) * (len(board.colors) - 1)),
        compared=most_choices,
    ),
    decides={BuildStation: build_station},
    evolves={StationBuilt: station_built},
    attributes={"stations": Attribute(())},  # locations, in the order of building
    turn_actions=(BuildStation,),
    add_actions=add_stations,
    lends=borrowed,
    numbers=(
        Number(
            "stations",
            "Points for unused stations, where the board has them (6.3).",
            everywhere=True,
            breaks_ties=True,
        ),
    ),
    scores=lambda state, _numbers: {
        "stations": [UNUSED * stations_left(state, seat) for seat in state.seats]
    },
    view=(
        Member(
            "stations", EVERYBODY, list[Station], "The stations, where the board has them.", built
        ),
    ),
    seat_view=(
        Member(
            "stations", EVERYBODY, int, "Stations left, where the board has them.", stations_left
        ),
    ),
)
