"""The land on a board's picture.

Boards that we ship have the coasts, lakes and rivers of the real place. Of others, coasts are not
known: their land is the routes and the areas between them, with sea where a ferry goes.
"""

from cmath import phase
from collections.abc import Iterator
from typing import NamedTuple

from domain.board.board import Board
from domain.drawing.layout import Layout
from domain.drawing.marks import path

Ends = tuple[str, str]  # of a route
COAST = 36  # pixels of land beyond the routes, where no coast is known


class Land(NamedTuple):
    """The land as two SVG paths, and how far it extends beyond them, in pixels."""

    areas: str  # filled
    lines: str  # stroked; the edges of generated areas are among them
    coast: int


def land(board: Board, plan: Layout) -> Land:
    if plan.land:
        return Land(plan.land, "", 1)
    sails = [each.over_water for each in board.shown.drawings if each.over_water]
    ferries = {(r.a, r.b) for r in board.routes if any(is_wet(r) for is_wet in sails)}
    lines = ways(board, plan)
    inland = "".join(path(field) + "z" for field in fields(lines, ferries))
    shores = [path(line) for ends, line in lines.items() if ends not in ferries]
    shores += [f"M{at.real:.1f} {at.imag:.1f}h0" for at in plan.spots.values()]
    return Land(inland, "".join(shores), COAST)


def ways(board: Board, plan: Layout) -> dict[Ends, list[complex]]:
    """Return the line between the locations of every single or double route, by its ends."""
    tracks: dict[Ends, list[list[complex]]] = {}
    for route in board.routes:
        track = [space.at for space in plan.spaces[route.id]]
        tracks.setdefault((route.a, route.b), []).append(track)
    return {
        (a, b): [
            plan.spots[a],
            *(sum(at) / len(at) for at in zip(*lanes, strict=True)),
            plan.spots[b],
        ]
        for (a, b), lanes in tracks.items()
    }


def fields(ways: dict[Ends, list[complex]], ferries: set[Ends]) -> Iterator[list[complex]]:
    """Return the outlines of the fields between routes that have no ferry at their edges.

    At every location the walk turns into the next route, until it is back at its start. So each
    route is walked once in either direction, and the outer face is walked the other way round.
    """
    lines = ways | {(b, a): way[::-1] for (a, b), way in ways.items()}
    turns: dict[str, list[str]] = {}
    for a, b in sorted(lines, key=lambda ends: phase(lines[ends][1] - lines[ends][0])):
        turns.setdefault(a, []).append(b)
    to_go = dict.fromkeys(lines)
    while to_go:
        (a, b), edges = next(iter(to_go)), []
        while (a, b) in to_go:
            del to_go[a, b]
            edges.append((a, b))
            others = turns[b]
            a, b = b, others[others.index(a) - 1]
        field = [point for ends in edges for point in lines[ends][1:]]
        area = sum((p.conjugate() * q).imag for p, q in zip(field, field[1:] + field, strict=False))
        if area > 0 and not any(ends in ferries or ends[::-1] in ferries for ends in edges):
            yield field
