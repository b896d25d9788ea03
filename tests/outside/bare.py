"""Bare tracks: they take no wilds, but also twice as many cards of any other colour."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from domain.board.board import Board
from domain.board.parts import GREY, WILD, Route
from domain.board.shapes import truth
from domain.drawing.marks import Drawing, Mark, sample
from domain.errors import Refused
from domain.game.commands import ClaimRoute, Command
from domain.game.state import State
from domain.rules.rule import Rule

RING = "\N{WHITE CIRCLE}"
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


def key(_board: Board) -> Iterable[Mark]:
    yield sample(-14) + sample(14), 56, f"{RING}: takes no wilds"


RULE = Rule(
    name="bare",
    number="4.1",
    says="Some routes take no wilds, but twice as many cards of any colour that is not theirs.",
    route={"bare": truth("Whether it takes no wilds.", sign=RING,
                         says="bare: takes no wilds, or twice as many cards of another colour")},
    is_printed=lambda board: any(map(is_bare, board.routes)),
    check_payment=check_payment,
    pays_otherwise=pays_twice,
    add_actions=add_claims,
    drawing=Drawing(key=key, says=lambda route: ", bare" if is_bare(route) else ""),
)
