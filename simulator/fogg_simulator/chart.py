"""A board in the arrays from which the features of actions are computed."""

from itertools import chain
from math import comb

import numpy as np
from numpy.typing import NDArray

from domain.board.board import Board
from fogg_simulator.arrays import BUILD, CLAIM, PAY, Records, Sizes, board_type, sizes
from fogg_simulator.features import BLOCK, EXTRAS, NAMES, ROWS
from fogg_simulator.layout import layout
from fogg_simulator.limits import most_offered
from fogg_simulator.tables import tables

LANES = 48  # distances that are lowered at once; rows are filled up to a multiple


def chart_type(size: Sizes) -> np.dtype[np.void]:
    """Return the type of a chart: the board's record, and places in an observation (``at_...``).
    ``chance`` is that the n-th ticket is the best of those drawn. Routes between the same places
    are a ``link``; ``near[first[x] : first[x + 1]]`` are the neighbours of x, ``over`` the links to
    them. ``reach`` are the places from which x can be reached over places with lower numbers, the
    first ``below`` of them lower than x; ``shared`` are those from which both ends of a ticket can.
    ``far_from`` to ``pairs`` say where rows of ``work`` begin."""
    numbers = (
        "at_hand",
        "at_row",
        "at_discards",
        "at_held",
        "at_offer",
        "offers",
        "at_routes",
        "at_tunnel",
        "at_seats",
        "seat_size",
        "width",
        "far_from",
        "to_end",
        "around",
        "pairs",
    )
    arrays = {
        "link": size.routes,
        "first": size.locations + 1,
        "near": 2 * size.routes,
        "over": 2 * size.routes,
        "reach": (size.locations, size.locations),
        "shared": (size.tickets, size.locations),
        "shared_count": size.tickets,
        "reaches": size.locations,
        "below": size.locations,
        "numbers": 9 * size.locations,
    }
    return np.dtype(
        [
            *board_type(size).descr,
            ("mean_length", np.float64),
            ("chance", np.float64, (size.tickets,)),
            *((name, np.int64) for name in numbers),
            *((name, np.uint16, shape) for name, shape in arrays.items()),
        ]
    )


def chart_of(board: Board, seats: int) -> Records:
    """Return a board's chart: an array of length 1."""
    size = sizes(board, seats)
    record, at = tables(board, seats, size).record[0], layout(board, seats)
    charts = np.zeros(1, chart_type(size))
    chart = charts[0]
    for name in record.dtype.names or ():
        chart[name] = record[name]
    drawn = board.tickets_on_a_turn.deal
    chart["chance"][:] = [comb(place, drawn - 1) for place in range(size.tickets)]
    chart["mean_length"] = np.mean(board.lengths)
    place = board.location_index
    ends = [tuple(sorted((place[route.a], place[route.b]))) for route in board.routes]
    links = sorted({*ends})
    chart["link"][: len(ends)] = [links.index(pair) for pair in ends]
    near = sorted(chain.from_iterable(((a, b, n), (b, a, n)) for n, (a, b) in enumerate(links)))
    chart["near"][: len(near)] = [to for _, to, _ in near]
    chart["over"][: len(near)] = [link for _, _, link in near]
    chart["first"][:] = np.searchsorted([a for a, _, _ in near], range(size.locations + 1))
    lower: list[set[int]] = []  # by place: all that it reaches if it passes lower numbers only
    for here in range(len(board.locations)):
        found = {here, *(to for start, to, _ in near if start == here)}
        ids = [other for other in range(here) if here in lower[other]]
        lower.append(found.union(*(lower[other] for other in ids)))
        chart["below"][here] = len(ids)
    for here in range(len(board.locations)):
        ids = [other for other in range(len(lower)) if here in lower[other]]
        chart["reach"][here][: len(ids)], chart["reaches"][here] = ids, len(ids)
    for n, ticket in enumerate(board.tickets):
        both = {place[ticket.a], place[ticket.b]}
        ids = [other for other, found in enumerate(lower) if both <= found]
        chart["shared"][n][: len(ids)], chart["shared_count"][n] = ids, len(ids)
    chart["numbers"][:] = range(9 * size.locations)
    numbers = {
        f"at_{name}": at[name].start
        for name in ("hand", "row", "discards", "held", "offer", "routes", "tunnel")
    }
    numbers |= {
        "at_seats": at["seat 0: trains"].start,
        "offers": most_offered(board),
        "seat_size": at["seat 0: flag"].stop - at["seat 0: trains"].start,
        "far_from": size.locations,
        "to_end": 2 * size.locations,
        "around": 2 * size.locations + 1,
        "pairs": 2 * size.locations + 2,
        "width": -(-len(board.locations) // LANES) * LANES,
    }
    for name, number in numbers.items():
        chart[name] = number
    return charts


def work_type(size: Sizes) -> np.dtype[np.void]:
    """Return the type of the scratch space in which features are computed."""
    places, routes, colors, tickets = size.locations, size.routes, size.colors, size.tickets
    numbers = (
        "helds",
        "aparts",
        "done",
        "is_connected",
        "first",
        "built",
        "slots",
        "free",
        "start",
        "leaving",
        "needs",
        "extras",
        "trains",
    )
    floats = {
        "crowd": places,
        "costs": routes,
        "price": routes,
        "lasting": routes,
        "plan": routes,
        "other": routes,
        "want": colors,
        "near_want": colors,
        "extra_want": colors,
        "extra_near": colors,
        "ticket_far": tickets,
        "values": tickets,
        "common": len(NAMES),
        "row": len(NAMES),
    }
    doubles = {"gain": routes, "worth": colors, "card_price": colors, "bills": ROWS}
    ints = {
        "hand": colors,
        "spare": colors,
        "rest": colors,
        "long": colors,
        "lacking": colors,
        "payers": (colors, 3),
        "own": places,
        "joins": places,
        "known": places,
        "ring": places,
        "laid": places,
        "group": places,
        "waits": places,
        "queue": places,
        "node": 9 * places,
        "cheapest": routes,
        "role": routes,
        "open": routes,
        "needed": routes,
        "color": routes,
        "short": routes,
        "extra": EXTRAS,
        "is_held": tickets,
        "apart": tickets,
        "legal": BLOCK,
        "order": tickets,
        "back": tickets,
        "more": tickets,
    }
    seen = 16 + 5 * colors + tickets + size.offered + routes + places + size.seats * (colors + 16)
    width = -(-places // LANES) * LANES
    return np.dtype(
        [
            ("rows", np.float32, (9 * places, width)),
            ("base", np.float64),
            ("seen", np.int16, (seen,)),
            *((name, np.int64) for name in numbers),
            *((name, np.float32, shape) for name, shape in floats.items()),
            *((name, np.float64, shape) for name, shape in doubles.items()),
            *((name, np.int64, shape) for name, shape in ints.items()),
        ],
        align=True,
    )


def ways_of(board: Board, seats: int) -> NDArray[np.int16]:
    """Return the numbers of each action (``Simulator.ways``), and a number for each claim, station
    and tunnel: all payments for it have the same, other actions have 0."""
    ways = tables(board, seats, sizes(board, seats)).ways
    paid = np.isin(ways[:, 0], (CLAIM, BUILD, PAY))
    kept = (ways[:, 0] == CLAIM) & (ways[:, 4] == 1)
    groups = np.unique(np.column_stack((ways[:, :2], kept)), axis=0, return_inverse=True)[1] + 1
    return np.column_stack((ways, groups * paid)).astype(np.int16)
