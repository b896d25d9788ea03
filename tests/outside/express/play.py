"""Expresses: a second kind of wild, for long routes only, of which two may be taken face up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from domain.board.board import Board
from domain.board.parts import GREY, WILD, Route
from domain.errors import Refused
from domain.rules.rule import Claims, InTable, Rule

EXPRESS = "express"  # the name of its cards
LONG = 3  # spaces of a route that takes them


def check_payment(route: Route, cards: Mapping[str, int]) -> None:
    """Refuse expresses on a short route."""
    if EXPRESS in cards and route.length < LONG:
        raise Refused("no-express", "4.1", f"expresses pay for {LONG} spaces or more", "cards")


def other_sets(board: Board, route: Route) -> Iterator[dict[str, int]]:
    """Yield the sets of a colour, expresses and wilds. Those of a grey route without a colour are
    sets of one colour already: expresses."""
    for color in board.colors if route.length >= LONG else ():
        if color in (EXPRESS, WILD) or route.color not in (GREY, color):
            continue
        for count in range(1, route.length):
            for wilds in range(route.length - count):
                yield {
                    name: n
                    for name, n in (
                        (color, count),
                        (EXPRESS, route.length - count - wilds),
                        (WILD, wilds),
                    )
                    if n
                }
        if route.color != GREY:
            for wilds in range(route.length):
                yield {EXPRESS: route.length - wilds} | ({WILD: wilds} if wilds else {})


RULE = Rule(
    name="express",
    table=InTable(
        check=lambda board: None if EXPRESS in board.cards else f"needs cards called {EXPRESS}"
    ),
    claims=Claims(check_payment=check_payment, other_sets=other_sets),
)
