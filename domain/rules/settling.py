"""A route becomes a seat's: paid for, scored, perhaps a card kept for the flag (4.1, 4.2, 4.5)."""

from __future__ import annotations

from domain.board.board import FLAG, Route
from domain.game.events import FlagCompleted, RouteClaimed, TunnelCardsDiscarded
from domain.game.state import Draft, State, add, put, take
from domain.rules import drawing, ending

FLAG_POINTS = 4


def settle(draft: Draft, seat: int, route: Route, cards: dict[str, int], keep: bool) -> None:
    """Give the route to the seat for these cards, score it and end the turn."""
    board = draft.state.board
    kept = route.color if keep else None
    draft.emit(RouteClaimed(seat, route.id, cards, board.points[route.length], kept))
    discard_turned(draft)
    if len(draft.state.flags[seat]) == len(FLAG):
        draft.emit(FlagCompleted(seat, dict.fromkeys(FLAG, 1), FLAG_POINTS))
    finish_turn(draft)


def discard_turned(draft: Draft) -> None:
    """Discard what was turned for a tunnel, if one was under way (4.4)."""
    if tunnel := draft.state.tunnel:
        draft.emit(TunnelCardsDiscarded(draft.state.board.names(tunnel.turned)))


def finish_turn(draft: Draft) -> None:
    """End a turn that has added to the discards: an empty place in the row is filled first."""
    drawing.fill_row(draft)
    ending.end_turn(draft)


def route_claimed(state: State, event: RouteClaimed) -> None:
    board, seat = state.board, event.seat
    index = board.route_index[event.route]
    route, paid = board.routes[index], board.counts(event.cards)
    hand = state.hands[seat]
    if state.tunnel:
        hand = add(hand, state.tunnel.laid)
        state.tunnel = state.tunnel.with_nothing_laid()
    state.hands = put(state.hands, seat, take(hand, paid))
    if event.kept:
        color = board.color_index[event.kept]
        state.flags = put(state.flags, seat, (*state.flags[seat], color))
        paid = put(paid, color, paid[color] - 1)
    state.discards = add(state.discards, paid)
    state.trains = put(state.trains, seat, state.trains[seat] - route.length)
    state.points = put(state.points, seat, state.points[seat] + event.points)
    state.routes = put(state.routes, seat, (*state.routes[seat], index))
    close_route(state, seat, index)
    state.passes = 0


def close_route(state: State, seat: int, index: int) -> None:
    """Let a claimed route be open to nobody, and its twin to whom it is closed now (4.2)."""
    twin = state.board.routes[index].twin
    state.open &= ~(1 << index)
    if twin is None:
        return
    if len(state.players) in state.board.doubles_closed_for:
        state.open &= ~(1 << twin)
    else:
        state.closed = put(state.closed, seat, state.closed[seat] | 1 << twin)


def flag_completed(state: State, event: FlagCompleted) -> None:
    seat = event.seat
    state.discards = add(state.discards, state.board.counts(event.cards))
    state.flags = put(state.flags, seat, ())
    state.points = put(state.points, seat, state.points[seat] + event.points)
    state.flag_points = put(state.flag_points, seat, state.flag_points[seat] + event.points)


DECIDES = {}
EVOLVES = {RouteClaimed: route_claimed, FlagCompleted: flag_completed}
