"""The layout of an observation: the place of each of its parts."""

import numpy as np

from domain.board.board import Board
from fogg_simulator.limits import most_offered

SEAT = ("trains", "points", "cards", "tickets", "offered", "stations", "left")
FLAG = 3  # colours of a flag


def layout(board: Board, seats: int) -> dict[str, slice]:
    """Return where each part of an observation is, in the order of ``view.observe_game``.

    Seats count from the observer: seat 0 is its own, seat 1 plays next. ``routes`` and ``stations``
    say by route and location whose it is: 0 nobody's, else that number plus 1. ``offer`` has the
    offered tickets in order, each plus 1; ``held`` is 1 for each ticket that the seat keeps.
    ``laid``, ``turned``, ``extra`` and ``tunnel`` (a route plus 1) belong to a tunnel under way."""
    colors = len(board.colors)
    parts = {
        "step": 1,
        "number": 1,
        "turn": 1,
        "passes": 1,
        "final_turns": 1,
        "deck": 1,
        "ticket_deck": 1,
        "tunnel": 1,
        "extra": 1,
        "hand": colors,
        "row": colors,
        "discards": colors,
        "laid": colors,
        "turned": colors,
        "held": len(board.tickets),
        "offer": most_offered(board),
        "routes": len(board.routes),
        "stations": len(board.locations),
    }
    for seat in range(seats):
        parts |= {f"seat {seat}: {name}": 1 for name in SEAT}
        parts |= {f"seat {seat}: taken": colors, f"seat {seat}: flag": FLAG}
    ends = np.cumsum([*parts.values()]).tolist()
    return {
        name: slice(end - size, end) for (name, size), end in zip(parts.items(), ends, strict=True)
    }


def size_of(parts: dict[str, slice]) -> int:
    size: int = max(part.stop for part in parts.values())
    return size
