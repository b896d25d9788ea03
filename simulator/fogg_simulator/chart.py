"""A board in the arrays from which the features of actions are computed."""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from domain.board.board import Board
from fogg_simulator.arrays import sizes
from fogg_simulator.layout import layout
from fogg_simulator.limits import most_offered
from fogg_simulator.tables import tables


class Chart(NamedTuple):
    """A board in the arrays that the features are computed from; ``at_...`` are places in an
    observation."""

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    length: NDArray[np.int64]
    color: NDArray[np.int64]  # -1 for grey
    points: NDArray[np.int64]
    twin: NDArray[np.int64]
    ferry: NDArray[np.int64]
    tunnel: NDArray[np.int64]
    ticket_a: NDArray[np.int64]
    ticket_b: NDArray[np.int64]
    ticket_points: NDArray[np.int64]
    ticket_long: NDArray[np.int64]
    chance: NDArray[np.float64]  # chance that the n-th ticket is the best of those drawn
    cards: NDArray[np.int64]  # of each colour
    ways: NDArray[np.int64]
    locations: int
    wild: int
    seats: int
    trains: int
    doubles_closed: int
    mean_length: float
    at_hand: int
    at_row: int
    at_discards: int
    at_held: int
    at_offer: int
    offers: int
    at_routes: int
    at_tunnel: int
    at_seats: int
    seat_size: int


def chart_of(board: Board, seats: int) -> Chart:
    made, at = tables(board, seats, sizes(board, seats)), layout(board, seats)
    record, routes, tickets = made.record[0], len(board.routes), len(board.tickets)
    rows = {name: record[name][:routes].copy()
            for name in ("a", "b", "length", "color", "points", "twin", "ferry", "tunnel")}
    rows |= {name: record[name][:tickets].copy()
             for name in ("ticket_a", "ticket_b", "ticket_points", "ticket_long")}
    drawn = board.tickets_on_a_turn.deal
    chance = np.array([comb(place, drawn - 1) for place in range(tickets + 1)], np.float64)
    return Chart(
        **rows, chance=chance, cards=record["count"][: len(board.colors)].copy(),
        ways=made.ways.astype(np.int64), locations=len(board.locations),
        wild=len(board.colors) - 1, seats=seats, trains=board.trains,
        doubles_closed=int(record["doubles_closed"]), mean_length=float(np.mean(board.lengths)),
        at_hand=at["hand"].start, at_row=at["row"].start, at_discards=at["discards"].start,
        at_held=at["held"].start, at_offer=at["offer"].start, offers=most_offered(board),
        at_routes=at["routes"].start, at_tunnel=at["tunnel"].start,
        at_seats=at["seat 0: trains"].start,
        seat_size=at["seat 0: flag"].stop - at["seat 0: trains"].start)
