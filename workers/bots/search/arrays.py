"""A board, and a game under way, as arrays of numbers.

Locations, routes, tickets and colours are numbered as in the board; the wild is the last colour.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from workers.bots.board import GREY, WILD, Board
from workers.bots.search.style import PLANNER

ANY = -1  # the colour of a grey route
NONE = -1  # no twin, an empty place in the row, no end in sight
OPEN = -1  # the owner of an unclaimed route
ROW = 5
MOST_NEEDED, MOST_EXTRA = 60, 10  # routes in a plan
MOST_STATIONS = 8

# ``trains`` is how many a route takes, ``cards`` how many it is saved for; ``first``, ``neighbour``
# and ``by`` list, from first[place] up to first[place + 1], where one gets from a place and by
# which route; ``deck`` has how many cards there are of a colour; ``district`` is a place's own, or
# NONE.
BoardArrays = namedtuple("BoardArrays", [
    "a", "b", "length", "trains", "cards", "color", "points", "twin", "ferry", "tunnel",
    "first", "neighbour", "by", "deck", "ticket_a", "ticket_b", "ticket_points", "ticket_long",
    "drawn", "mean_length", "longest_path", "closed", "district", "district_points"])

# By seat: ``hands``, ``trains``, ``scores``, ``held`` (whether, by ticket), ``needed`` and
# ``extra`` routes of its plan, ``plans`` (how many of each, whether it is out of date, whether
# tickets were found to be not worth a turn), ``stations``, ``gone``, ``totals``, and ``style``, the
# planner's if nothing else is said. ``deck`` and ``discards`` are numbers by colour, ``pile`` is
# the ticket deck with its top last. ``counts``: TURN, FINAL turns left or NONE, PILE, DECK,
# DISCARDS.
GameArrays = namedtuple("GameArrays", [
    "owner", "hands", "trains", "scores", "held", "deck", "discards", "row", "pile", "counts",
    "needed", "extra", "plans", "stations", "gone", "totals", "style"])
TURN, FINAL, PILE, DECK, DISCARDS = range(5)  # places in ``counts``
NEEDED, EXTRA, STALE, SATED = range(4)  # places in ``plans``
FRESH, OTHER_EXTRA, OUTDATED = range(3)  # out of date in a plan: nothing, its extra routes, all


def board_arrays(board: Board, seats: int) -> BoardArrays:
    """Return a board's arrays for a game with so many seats."""
    routes, tickets = [*board.routes.values()], [*board.tickets.values()]
    place = {location: n for n, location in enumerate(board.locations)}
    number = {route.id: n for n, route in enumerate(routes)}
    color = {name: n for n, name in enumerate(colors(board))}
    around: list[list[tuple[int, int]]] = [[] for _ in place]
    for n, route in enumerate(routes):
        around[place[route.a]].append((place[route.b], n))
        around[place[route.b]].append((place[route.a], n))
    first = np.cumsum([0, *map(len, around)])
    districts = [*board.districts]
    district = {at: n for n, points in enumerate(districts) for at in board.districts[points]}
    return BoardArrays(
        _ints(place[r.a] for r in routes), _ints(place[r.b] for r in routes),
        _ints(r.length for r in routes), _ints(r.trains for r in routes),
        _ints(r.cards for r in routes),
        _ints(ANY if r.color == GREY else color[r.color] for r in routes),
        _ints(r.points for r in routes),
        _ints(number[r.twin] if r.twin else NONE for r in routes),
        _ints(r.ferry for r in routes), _ints(r.tunnel for r in routes),
        _ints(first), _ints(at for row in around for at, _ in row),
        _ints(by for row in around for _, by in row),
        _ints(board.cards[name] for name in colors(board)),
        _ints(place[t.a] for t in tickets), _ints(place[t.b] for t in tickets),
        _ints(t.points for t in tickets), _ints(t.long for t in tickets),
        board.tickets_drawn, float(board.mean_length), board.longest_path,
        seats in board.doubles_closed_for, _ints(district.get(at, NONE) for at in place),
        _ints(districts or [0]))


def colors(board: Board) -> list[str]:
    """Return the colours in the order of their numbers."""
    return [*board.colors, WILD]


def new_game(board: BoardArrays, seats: int) -> GameArrays:
    def zeros(*shape: int) -> np.ndarray:
        return np.zeros(shape, np.int32)

    return GameArrays(
        np.full(len(board.a), OPEN, np.int32), zeros(seats, len(board.deck)), zeros(seats),
        zeros(seats), zeros(seats, len(board.ticket_a)), zeros(len(board.deck)),
        zeros(len(board.deck)), np.full(ROW, NONE, np.int32), zeros(len(board.ticket_a)), zeros(5),
        zeros(seats, MOST_NEEDED), zeros(seats, MOST_EXTRA), zeros(seats, 4),
        np.full((seats, MOST_STATIONS), NONE, np.int32), zeros(seats), zeros(seats),
        np.tile(PLANNER, (seats, 1)))


def _ints(values) -> np.ndarray:
    return np.array([int(value) for value in values], np.int32)
