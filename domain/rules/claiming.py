"""Claiming routes (4)."""

from __future__ import annotations

from domain.board import GREY, WILD, Route
from domain.commands import ClaimRoute
from domain.errors import Refused
from domain.events import RouteClaimed
from domain.rules import drawing, ending
from domain.state import Draft, State, add, put, take


def claim_route(draft: Draft, seat: int, command: ClaimRoute) -> None:
    """Claim an open route with cards of one colour and wilds, and score it at once (4.1)."""
    state, board = draft.state, draft.state.board
    index = board.route_index.get(command.route)
    if index is None:
        raise Refused("unknown-route", "4.1", f"{board.name} has no such route", "route")
    route = board.routes[index]
    if not (state.open & ~state.closed[seat]) >> index & 1:
        raise _not_open(state, seat, index)
    _check_payment(state, seat, route, command.cards)
    if state.trains[seat] < route.length:
        raise Refused("too-few-trains", "4.1",
                     f"{route.length} trains are needed, {state.trains[seat]} are left", "route")
    draft.emit(RouteClaimed(seat, route.id, command.cards, board.points[route.length]))
    drawing.fill_row(draft)
    ending.end_turn(draft)


def _not_open(state: State, seat: int, index: int) -> Refused:
    if state.owner(index) is not None:
        return Refused("route-taken", "4.1", "the route has an owner", "route")
    if state.closed[seat] >> index & 1:
        return Refused("own-double", "4.2", "you own the other track of this double route", "route")
    return Refused("double-closed", "4.2",
                  f"with {len(state.players)} players only one track of a double route is used",
                  "route")


def _check_payment(state: State, seat: int, route: Route, cards: dict[str, int]) -> None:
    board = state.board
    if any(card not in board.cards for card in cards):
        raise Refused("unknown-card", "4.1", f"cards are {', '.join(board.colors)}", "cards")
    if any(n < 1 for n in cards.values()):
        raise Refused("wrong-cards", "4.1", "leave out cards that are not played", "cards")
    colors = cards.keys() - {WILD}
    if len(colors) > 1:
        raise Refused("wrong-cards", "4.1", "cards of one colour and wilds only", "cards")
    if route.color != GREY and not colors <= {route.color}:
        raise Refused("wrong-cards", "4.1", f"the route takes {route.color} and wild", "cards")
    if sum(cards.values()) != route.length:
        raise Refused("wrong-cards", "4.1", f"exactly {route.length} cards are needed", "cards")
    hand = state.hands[seat]
    if any(n > hand[board.color_index[card]] for card, n in cards.items()):
        raise Refused("cards-not-held", "4.1", "your hand does not hold these cards", "cards")


def route_claimed(state: State, event: RouteClaimed) -> None:
    board, seat = state.board, event.seat
    index = board.route_index[event.route]
    route, paid = board.routes[index], board.counts(event.cards)
    state.hands = put(state.hands, seat, take(state.hands[seat], paid))
    state.discards = add(state.discards, paid)
    state.trains = put(state.trains, seat, state.trains[seat] - route.length)
    state.points = put(state.points, seat, state.points[seat] + event.points)
    state.routes = put(state.routes, seat, (*state.routes[seat], index))
    state.open &= ~(1 << index)
    if route.twin is not None:  # (4.2)
        if len(state.players) in board.doubles_closed_for:
            state.open &= ~(1 << route.twin)
        else:
            state.closed = put(state.closed, seat, state.closed[seat] | 1 << route.twin)
    state.passes = 0


DECIDES = {ClaimRoute: claim_route}
EVOLVES = {RouteClaimed: route_claimed}
