"""What is land on the picture of a board: the railways, and what lies between them.

Nothing is known of coasts but this: where a ferry goes there is sea.
"""

from __future__ import annotations

from cmath import phase
from collections.abc import Iterator

from domain.board.board import Board
from domain.drawing.layout import Layout
from domain.drawing.marks import path

Ends = tuple[str, str]  # of a route
COAST = 36  # how far the land goes beyond what is on it


def land(board: Board, plan: Layout) -> tuple[str, str]:
    """Return what is land, as paths in SVG: the fields that are filled, and the lines (the fields'
    edges are more of them) that land goes along, as wide as COAST to either side."""
    sails = [each.over_water for each in board.ruleset.drawings if each.over_water]
    ferries = {(r.a, r.b) for r in board.routes if any(is_wet(r) for is_wet in sails)}
    lines = ways(board, plan)
    inland = "".join(path(field) + "z" for field in fields(lines, ferries))
    shores = [path(line) for ends, line in lines.items() if ends not in ferries]
    shores += [f"M{at.real:.1f} {at.imag:.1f}h0" for at in plan.spots.values()]
    return inland, "".join(shores)


def ways(board: Board, plan: Layout) -> dict[Ends, list[complex]]:
    """Return the line from location to location of every single or double route, by its ends."""
    tracks: dict[Ends, list[list[complex]]] = {}
    for route in board.routes:
        track = [space.at for space in plan.spaces[route.id]]
        tracks.setdefault((route.a, route.b), []).append(track)
    return {
        (a, b): [plan.spots[a], *(sum(at) / len(at) for at in zip(*found, strict=True)),
                 plan.spots[b]]
        for (a, b), found in tracks.items()
    }


def fields(found: dict[Ends, list[complex]], ferries: set[Ends]) -> Iterator[list[complex]]:
    """Return the outlines of what lies between ways, unless a ferry goes along it.

    At every location we turn into the next way, until we are back: so each way is gone once in
    either direction, and what is outside of all is gone round the other way.
    """
    lines = found | {(b, a): way[::-1] for (a, b), way in found.items()}
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
