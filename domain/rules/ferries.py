"""Ferries: routes where some spaces must be paid with wilds (4.3)."""

from collections.abc import Mapping

from domain.board.parts import WILD, Route
from domain.board.shapes import whole
from domain.board.table import Table
from domain.errors import Refused
from domain.rules.rule import Claims, InTable, Rule


def wilds_of(route: Route) -> int:
    """Return the minimum number of wilds for a route."""
    return int(route.marks.get("ferry", 0))


def check_payment(route: Route, cards: Mapping[str, int]) -> None:
    """Refuse cards with fewer wilds than the ferry asks for (4.3)."""
    if cards.get(WILD, 0) < wilds_of(route):
        raise Refused(
            "too-few-wilds",
            "4.3",
            f"a ferry: {wilds_of(route)} or more of the cards have to be wild",
            "cards",
        )


def check_route(record: dict[str, Table]) -> None:
    if "ferry" in record:
        record["ferry"].whole(0, record["length"].whole(1))


RULE = Rule(
    name="ferries",
    table=InTable(
        route={"ferry": whole("How many wilds the ferry takes at least (rule 4.3).")},
        check_route=check_route,
        is_printed=lambda board: any(map(wilds_of, board.routes)),
    ),
    claims=Claims(check_payment=check_payment),
)
