"""Claiming routes: whether a seat may, with these cards (4.1-4.3, 4.5)."""

from __future__ import annotations

from collections.abc import Mapping

from domain.board.board import GREY, WILD, Board, Route
from domain.errors import Refused
from domain.game.commands import ClaimRoute
from domain.game.state import Draft, State
from domain.rules import settling, tunnels


def claim_route(draft: Draft, seat: int, command: ClaimRoute) -> None:
    """Claim an open route with cards of one colour and wilds; a tunnel may ask for more (4.4)."""
    state, board = draft.state, draft.state.board
    index = board.route_index.get(command.route)
    if index is None:
        raise Refused("unknown-route", "4.1", f"{board.name} has no such route", "route")
    route, keep = board.routes[index], bool(command.keep_for_flag)
    if not (state.open & ~state.closed[seat]) >> index & 1:
        raise _not_open(state, seat, index)
    check_set(board, command.cards, route.length, "4.1")
    _check_colors(route, command.cards)
    check_held(state, seat, command.cards, "4.1")
    if state.trains[seat] < route.length:
        raise Refused("too-few-trains", "4.1",
                      f"{route.length} trains are needed, {state.trains[seat]} are left", "route")
    if keep:
        _check_flag(state, seat, route, command.cards)
    if not (route.tunnel and tunnels.asks_for_more(draft, seat, index, command.cards, keep)):
        settling.settle(draft, seat, route, command.cards, keep)


def check_set(board: Board, cards: Mapping[str, int], count: int, rule: str) -> None:
    """Refuse what is not a set of ``count`` cards of one colour, wilds standing in."""
    if any(card not in board.cards for card in cards):
        raise Refused("unknown-card", rule, f"cards are {', '.join(board.colors)}", "cards")
    if any(n < 1 for n in cards.values()):
        raise Refused("wrong-cards", rule, "leave out cards that are not played", "cards")
    if len(cards.keys() - {WILD}) > 1:
        raise Refused("wrong-cards", rule, "cards of one colour and wilds only", "cards")
    if sum(cards.values()) != count:
        raise Refused("wrong-cards", rule, f"exactly {count} cards are needed", "cards")


def check_held(state: State, seat: int, cards: Mapping[str, int], rule: str) -> None:
    """Refuse cards that are not in the seat's hand."""
    hand, index = state.hands[seat], state.board.color_index
    if any(n > hand[index[card]] for card, n in cards.items()):
        raise Refused("cards-not-held", rule, "your hand does not hold these cards", "cards")


def _not_open(state: State, seat: int, index: int) -> Refused:
    if state.owner(index) is not None:
        return Refused("route-taken", "4.1", "the route has an owner", "route")
    if state.closed[seat] >> index & 1:
        return Refused("own-double", "4.2", "you own the other track of this double route", "route")
    return Refused("double-closed", "4.2",
                   f"with {len(state.players)} players only one track of a double route is used",
                   "route")


def _check_colors(route: Route, cards: Mapping[str, int]) -> None:
    if route.color != GREY and not cards.keys() <= {route.color, WILD}:
        raise Refused("wrong-cards", "4.1", f"the route takes {route.color} and wild", "cards")
    if cards.get(WILD, 0) < route.ferry:
        raise Refused("too-few-wilds", "4.3",
                      f"the ferry takes {route.ferry} or more wild", "cards")


def _check_flag(state: State, seat: int, route: Route, cards: Mapping[str, int]) -> None:
    board = state.board
    if "flags" not in board.rules or route.color not in settling.FLAG:
        raise Refused("no-flag-card", "4.5", "no card of this route can be kept for a flag",
                      "keep_for_flag")
    if route.color not in cards:
        raise Refused("no-flag-card", "4.5", "wilds cannot be kept for a flag", "keep_for_flag")
    if board.color_index[route.color] in state.flags[seat]:
        raise Refused("flag-card-twice", "4.5",
                      f"a {route.color} card lies before you already", "keep_for_flag")


DECIDES = {ClaimRoute: claim_route}
EVOLVES = {}
