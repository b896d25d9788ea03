"""Bare tracks: they take no wilds, but also twice as many cards of any other colour."""

from __future__ import annotations

from collections.abc import Mapping

from domain.board.board import Board
from domain.board.parts import GREY, WILD, Route
from domain.board.shapes import truth
from domain.errors import Refused
from domain.game.commands import ClaimRoute, Command
from domain.game.state import State
from domain.rules.rule import Claims, InTable, Rule

TWICE = 2  # cards of another colour for each space


def is_bare(route: Route) -> bool:
    """Return whether a route takes no wilds."""
    return bool(route.marks.get("bare"))


def check_payment(route: Route, cards: Mapping[str, int]) -> None:
    """Refuse wilds on a bare route."""
    if is_bare(route) and WILD in cards:
        raise Refused("no-wilds", "4.1", "this route takes no wilds", "cards")


def pays_twice(board: Board, route: Route, cards: Mapping[str, int]) -> bool:
    """Return whether these are twice the cards of a colour that is not the route's."""
    [color, *others] = cards or [WILD]
    return (is_bare(route) and not others and color in board.cards
            and color not in (WILD, route.color, GREY) and route.color != GREY
            and cards[color] == TWICE * route.length)


def add_claims(actions: list[Command], state: State, seat: int) -> None:
    """Append each claim of a bare route with twice the cards of another colour."""
    board, trains = state.board, state.trains[seat]
    claimable = state.open & ~state.closed[seat]
    for index, route in enumerate(board.routes):
        if is_bare(route) and claimable >> index & 1 and board.trains_taken[index] <= trains:
            for color, held in zip(board.colors, state.hands[seat], strict=True):
                cards = {color: TWICE * route.length}
                if held >= cards[color] and pays_twice(board, route, cards):
                    actions.append(ClaimRoute(route.id, cards))


RULE = Rule(
    name="bare",
    table=InTable(route={"bare": truth("Whether it takes no wilds.")},
                  is_printed=lambda board: any(map(is_bare, board.routes))),
    claims=Claims(check_payment=check_payment, pays_otherwise=pays_twice),
    add_actions=add_claims,
)
