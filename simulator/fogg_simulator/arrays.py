"""A board and a game as records of numbers, as the compiled rules read and change them.

Locations, routes, tickets and colours are numbered as in ``domain.board``; ``wild`` is the last
colour. A record is like a struct in C: its arrays have a fixed size, so that all boards that fit
into ``STANDARD`` share one compiled engine. For a larger board it is compiled once more.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from domain.board.board import Board
from fogg_simulator.limits import most_offered

# Constants that are passed to compiled functions are of numpy's type: numba compiles a function
# once more for each Python int that it is given.
ZERO, ONE = np.int64(0), np.int64(1)
NONE = np.int64(-1)  # no twin, no owner, no seat, the colour of a grey route
ROW = 5  # face-up cards
LANES = 8  # numbers of chance that are hashed at once: a register of AVX2 has room for 8 words
RESULT = (
    "routes",
    "longest_path_length",
    "tickets",
    "tickets_completed",
    "longest_path",
    "stations",
    "districts",
    "flags",
    "globetrotter",
    "total",
    "rank",
)
(
    ROUTES,
    LONGEST,
    TICKETS,
    COMPLETED,
    LONGEST_BONUS,
    STATIONS,
    DISTRICTS,
    FLAGS,
    GLOBE,
    TOTAL,
    RANK,
) = map(np.int64, range(len(RESULT)))  # columns of a result

SETUP, TURN, SECOND_CARD, KEEP_TICKETS, TUNNEL, FINISHED = range(6)  # a game's step
# why a game ended
FINAL_TURNS, ALL_PASSED, ONE_SEAT_LEFT, NO_PROGRESS = map(np.int64, range(1, 5))
# kinds of actions
DRAW, DRAW_TICKETS, KEEP, CLAIM, BUILD, PAY, WITHDRAW, PASS, RESIGN = range(9)

Records = NDArray[np.void]


class Sizes(NamedTuple):
    """The sizes of the arrays of a board and its games."""

    seats: int
    colors: int
    locations: int
    routes: int
    tickets: int
    cards: int
    offered: int  # tickets offered at once
    stations: int  # of one seat
    payments: int  # for one route


STANDARD = Sizes(5, 10, 64, 128, 80, 128, 6, 4, 96)


def sizes(board: Board, seats: int) -> Sizes:
    """Return the sizes that a board needs: the standard ones, doubled until the board fits."""
    needed = Sizes(
        seats,
        len(board.colors),
        len(board.locations),
        len(board.routes),
        len(board.tickets),
        sum(board.cards.values()),
        most_offered(board),
        board.settings.get("stations", 0),
        len(board.colors) * max(board.lengths),
    )
    factors = [
        1 << max(0, -(-need // size) - 1).bit_length()
        for need, size in zip(needed, STANDARD, strict=True)
    ]
    return Sizes(*(size * factor for size, factor in zip(STANDARD, factors, strict=True)))


def board_type(size: Sizes) -> np.dtype[np.void]:
    """Return the type of a board's record. ``draw_row`` to ``do_pass`` are the first actions of a
    kind; ``builds`` is how many actions a location has. ``ferry`` and ``tunnel`` are 0 unless the
    board has the rule. Routes of the same ``kind`` are paid for alike; ``by_kind`` are the routes
    in the order of their kinds, the shortest first."""
    numbers = (
        "seats",
        "colors",
        "wild",
        "locations",
        "routes",
        "tickets",
        "hand",
        "trains",
        "start_long",
        "start_deal",
        "start_keep",
        "turn_deal",
        "turn_keep",
        "refused_removed",
        "doubles_closed",
        "longest_path_bonus",
        "globetrotter_bonus",
        "stations",
        "has_flags",
        "districts",
        "tie_breaks",
        "draw_row",
        "draw_tickets",
        "keep",
        "build",
        "builds",
        "pay",
        "withdraw",
        "do_pass",
        "actions",
    )
    arrays = {
        "a": size.routes,
        "b": size.routes,
        "length": size.routes,
        "color": size.routes,
        "points": size.routes,
        "twin": size.routes,
        "ferry": size.routes,
        "tunnel": size.routes,
        "first_claim": size.routes,
        "by_kind": size.routes,
        "kind": size.routes,
        "ticket_a": size.tickets,
        "ticket_b": size.tickets,
        "ticket_points": size.tickets,
        "ticket_long": size.tickets,
        "district": size.locations,
        "district_points": size.locations,
        "flag_color": 3,
        "tie_break": len(RESULT),
        "count": size.colors,
    }
    return np.dtype(
        [
            *((name, np.int64) for name in numbers),
            *((name, np.int64, (n,)) for name, n in arrays.items()),
        ]
    )


def game_type(size: Sizes) -> np.dtype[np.void]:
    """Return the type of a game's record.

    The deck is ``deck[deck_top:deck_end]``, the ticket deck ``ticket_deck[:ticket_count]``; the top
    is first. ``holder`` is the seat that keeps a ticket, ``owner`` the seat that owns a route, NONE
    if there is none. ``refusers`` has a bit for each seat that refused a ticket, until somebody is
    offered it. ``final[:finals]`` are the seats whose last turn is to come or under way; ``finals``
    is NONE before that (7.1). ``left`` is 0 for a seat in play, else its place among those that
    left (8.2). ``idle`` counts decisions in a row without progress (8.6). The next draws take the
    cards ``order[:ordered]``, of which ``drawn`` were drawn already. The fields from ``key`` on are
    scratch space.
    """
    seats = size.seats
    return np.dtype(
        [
            ("inner", np.uint32, (8,)),
            ("outer", np.uint32, (8,)),  # of the key of chance
            *(
                (name, np.int64)
                for name in (
                    "step",
                    "turn",
                    "first_seat",
                    "passes",
                    "idle",
                    "finals",
                    "leavers",
                    "ending",
                    "shuffles",
                    "deck_top",
                    "deck_end",
                    "row_count",
                    "ticket_count",
                    "tunnel_route",
                    "tunnel_color",
                    "tunnel_wilds",
                    "tunnel_keep",
                    "turned_count",
                    "extra",
                    "drawn",
                    "ordered",
                )
            ),
            ("discards", np.int64, (size.colors,)),
            ("row", np.int64, (ROW,)),
            ("turned", np.int64, (3,)),
            ("final", np.int64, (seats,)),
            ("left", np.int64, (seats,)),
            ("trains", np.int64, (seats,)),
            ("points", np.int64, (seats,)),
            ("hands", np.int64, (seats, size.colors)),
            ("taken", np.int64, (seats, size.colors)),
            ("taken_before", np.int64, (size.colors,)),  # of the seat in a tunnel, before it laid
            ("flag", np.int64, (seats, 3)),
            ("flag_points", np.int64, (seats,)),
            ("built", np.int64, (seats,)),
            ("stations", np.int64, (seats, size.stations)),
            ("offered", np.int64, (seats, size.offered)),
            ("offered_count", np.int64, (seats,)),
            ("refused", np.int64, (seats, size.offered)),
            ("refused_count", np.int64, (seats,)),
            ("owner", np.int64, (size.routes,)),
            ("holder", np.int64, (size.tickets,)),
            ("refusers", np.int64, (size.tickets,)),
            ("deck", np.int16, (size.cards,)),
            ("order", np.int16, (size.cards,)),
            ("chances", np.int64, (size.colors,)),
            ("ticket_deck", np.int16, (size.tickets,)),
            ("key", np.uint32, (8,)),
            ("words", np.uint32, (24, LANES)),
            ("state", np.uint32, (8, LANES)),
            ("lanes_used", np.int64),
            ("text", np.uint8, (64,)),
            ("text_length", np.int64),
            ("next_number", np.int64),
            ("payments", np.int64, (size.payments,)),
            ("steps", np.int64),
            ("pool", np.int16, (size.tickets,)),
            ("long_pool", np.int16, (size.tickets,)),
            ("pools", np.int64, (2,)),
            ("counts", np.int64, (seats,)),
            ("places", np.int64, (size.tickets,)),
            ("group", np.int32, (size.locations,)),
            ("lent", np.int32, (size.locations,)),
            ("degree", np.int32, (size.locations,)),
            ("mine", np.int32, (size.routes,)),
            ("choice", np.int32, (size.stations,)),
            ("trail", np.int32, (size.routes + 1, 4)),
            ("used", np.int32, (size.routes,)),
            ("result", np.int64, (seats, len(RESULT))),
        ],
        align=True,
    )
