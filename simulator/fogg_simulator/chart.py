"""A board in the arrays from which the features of actions are computed."""

from __future__ import annotations

from collections import namedtuple
from math import comb

import numpy as np

from domain.board.board import Board
from fogg_simulator.arrays import sizes
from fogg_simulator.layout import layout
from fogg_simulator.limits import most_offered
from fogg_simulator.tables import tables

# A board in the arrays that features are computed from: of routes (``color`` is -1 for grey), of
# tickets (``chance``: that the n-th one is the best of those drawn), the ``cards`` of each colour,
# and all actions. ``at_...`` are places in an observation.
Chart = namedtuple("Chart", (
    "a", "b", "length", "color", "points", "twin", "ferry", "tunnel", "ticket_a", "ticket_b",
    "ticket_points", "ticket_long", "chance", "cards", "ways", "locations", "wild", "seats",
    "trains", "doubles_closed", "mean_length", "at_hand", "at_row", "at_discards", "at_held",
    "at_offer", "offers", "at_routes", "at_tunnel", "at_seats", "seat_size"))


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
