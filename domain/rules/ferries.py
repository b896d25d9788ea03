"""Ferries: routes where some spaces must be paid with wilds (4.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from domain.board.board import Board
from domain.board.parts import WILD, Route
from domain.board.shapes import whole
from domain.board.table import Table
from domain.drawing.labels import Space
from domain.drawing.marks import Drawing, Mark, sample, star
from domain.errors import Refused
from domain.rules.rule import Rule


def wilds_of(route: Route) -> int:
    """Return the minimum number of wilds for a route."""
    wilds: int = route.marks.get("ferry", 0)
    return wilds


def check_payment(route: Route, cards: Mapping[str, int]) -> None:
    """Refuse cards with fewer wilds than the ferry asks for (4.3)."""
    if cards.get(WILD, 0) < wilds_of(route):
        raise Refused("too-few-wilds", "4.3",
                      f"a ferry: {wilds_of(route)} or more of the cards have to be wild", "cards")


def check_route(record: dict[str, Table]) -> None:
    """Refuse a ferry with more wilds than spaces."""
    if "ferry" in record:
        record["ferry"].whole(0, record["length"].whole(1))


def count(board: Board) -> int:
    """Return how many ferries a board has."""
    return sum(wilds_of(route) > 0 for route in board.routes)


def key(_board: Board) -> Iterable[Mark]:
    mark = sample(-14) + sample(14) + star(Space(14, 0, 25, 12))
    yield mark, 56, "ferry: a wild card for every star"


def stars(route: Route, spaces: Sequence[Space]) -> Iterable[str]:
    return [star(space) for space in spaces[: wilds_of(route)]]


RULE = Rule(
    name="ferries",
    number="4.3",
    says="At least as many of the cards paid must be wild as the route shows symbols.",
    route={"ferry": whole("How many wilds the ferry takes at least (rule 4.3).",
                          says="ferry: at least {ferry:wild}")},
    check_route=check_route,
    is_printed=lambda board: count(board) > 0,
    statistics=lambda board: {"ferries": count(board)},
    check_payment=check_payment,
    drawing=Drawing(
        key=key,
        over_water=lambda route: wilds_of(route) > 0,
        on_spaces=stars,
        says=lambda route: f", ferry of {wilds_of(route)}" if wilds_of(route) else "",
    ),
)
