"""Freight lines: routes that any cards pay for, one more than their spaces."""

from __future__ import annotations

from domain.board.board import Board
from domain.board.parts import ANY, Route
from domain.board.shapes import truth
from domain.rules.rule import Claims, InTable, Rule

MORE = 1  # cards beyond the length


def is_freight(route: Route) -> bool:
    """Return whether any cards pay for a route."""
    return bool(route.marks.get("freight"))


def other_sets(_board: Board, route: Route) -> list[dict[str, int]]:
    """Return any cards, as many as a freight line takes."""
    return [{ANY: route.length + MORE}] if is_freight(route) else []


RULE = Rule(
    name="freight",
    table=InTable(
        route={"freight": truth("Whether any cards pay for it.")},
        is_printed=lambda board: any(map(is_freight, board.routes)),
    ),
    claims=Claims(other_sets=other_sets),
)
