"""Bare tracks: they take no wilds, but also twice as many cards of any other colour."""

from __future__ import annotations

from collections.abc import Mapping

from domain.board.board import Board
from domain.board.parts import GREY, WILD, Route
from domain.board.shapes import truth
from domain.errors import Refused
from domain.rules.rule import Claims, InTable, Rule

TWICE = 2  # cards of another colour for each space


def is_bare(route: Route) -> bool:
    """Return whether a route takes no wilds."""
    return bool(route.marks.get("bare"))


def check_payment(route: Route, cards: Mapping[str, int]) -> None:
    """Refuse wilds on a bare route."""
    if is_bare(route) and WILD in cards:
        raise Refused("no-wilds", "4.1", "this route takes no wilds", "cards")


def other_sets(board: Board, route: Route) -> list[dict[str, int]]:
    """Return twice the cards of each colour that is not the route's."""
    return [
        {color: TWICE * route.length}
        for color in board.colors
        if is_bare(route) and route.color != GREY and color not in (WILD, route.color)
    ]


RULE = Rule(
    name="bare",
    table=InTable(
        route={"bare": truth("Whether it takes no wilds.")},
        is_printed=lambda board: any(map(is_bare, board.routes)),
    ),
    claims=Claims(check_payment=check_payment, other_sets=other_sets),
)
