"""Tunnels: nobody knows how long they are before the cards are turned (4.4)."""

from __future__ import annotations

from collections.abc import Mapping

from domain.board.board import WILD
from domain.errors import Refused
from domain.game.commands import PayTunnel, WithdrawTunnel
from domain.game.events import (
    TunnelAttempted,
    TunnelCardsDiscarded,
    TunnelCardTurned,
    TunnelCostRaised,
    TunnelWithdrawn,
)
from domain.game.legal import deck_can_give, laid_color, pay_tunnel_options
from domain.game.state import TUNNEL, TURN, Draft, State, Tunnel, add, put, take
from domain.rules import drawing, settling

TURNED = 3  # cards turned for a tunnel


def asks_for_more(
    draft: Draft, seat: int, route: int, cards: Mapping[str, int], keep: bool
) -> bool:
    """Lay the cards and turn others; return whether the seat must now pay more or withdraw."""
    state = draft.state
    draft.emit(TunnelAttempted(seat, state.board.routes[route].id, cards, keep or None))
    for _ in range(TURNED):
        if deck_can_give(state):
            card = drawing.top_card(draft)
            draft.emit(TunnelCardTurned(state.board.colors[card]))
    wild = len(state.board.colors) - 1
    extra = sum(card in (laid_color(state), wild) for card in state.tunnel.turned)
    if extra:
        draft.emit(TunnelCostRaised(seat, extra))
    return extra > 0


def pay_tunnel(draft: Draft, seat: int, command: PayTunnel) -> None:
    """Pay exactly what the tunnel asks for beyond its length; the route is claimed."""
    state, board = draft.state, draft.state.board
    tunnel = state.tunnel
    if any(card not in board.cards for card in command.cards):
        raise Refused("unknown-card", "4.4", f"cards are {', '.join(board.colors)}", "cards")
    if dict(command.cards) not in [option.cards for option in pay_tunnel_options(state, seat)]:
        color = board.colors[laid_color(state)]
        takes = WILD if color == WILD else f"{color} or wild"
        raise Refused("wrong-cards", "4.4",
                      f"exactly {tunnel.extra} of your cards, {takes}, are needed", "cards")
    paid = board.as_set(add(tunnel.laid, board.counts(command.cards)))
    settling.settle(draft, seat, board.routes[tunnel.route], paid, tunnel.keep)


def withdraw_tunnel(draft: Draft, seat: int, _command: WithdrawTunnel) -> None:
    """Take the laid cards back and end the turn."""
    draft.emit(TunnelWithdrawn(seat))
    settling.discard_turned(draft)
    settling.finish_turn(draft)


def tunnel_attempted(state: State, event: TunnelAttempted) -> None:
    laid = state.board.counts(event.cards)
    state.hands = put(state.hands, event.seat, take(state.hands[event.seat], laid))
    route = state.board.route_index[event.route]
    state.tunnel = Tunnel(route, laid, bool(event.keep_for_flag))
    state.passes = 0


def tunnel_card_turned(state: State, event: TunnelCardTurned) -> None:
    tunnel, card = state.tunnel, state.board.color_index[event.card]
    state.deck = state.deck[1:]
    state.tunnel = Tunnel(tunnel.route, tunnel.laid, tunnel.keep, (*tunnel.turned, card))


def tunnel_cost_raised(state: State, event: TunnelCostRaised) -> None:
    tunnel = state.tunnel
    state.tunnel = Tunnel(tunnel.route, tunnel.laid, tunnel.keep, tunnel.turned, event.extra)
    state.step = TUNNEL


def tunnel_withdrawn(state: State, event: TunnelWithdrawn) -> None:
    state.hands = put(state.hands, event.seat, add(state.hands[event.seat], state.tunnel.laid))
    state.tunnel = state.tunnel.with_nothing_laid()


def tunnel_cards_discarded(state: State, event: TunnelCardsDiscarded) -> None:
    discards = list(state.discards)
    for card in state.board.numbers(event.cards):
        discards[card] += 1
    state.discards, state.tunnel, state.step = tuple(discards), None, TURN


DECIDES = {PayTunnel: pay_tunnel, WithdrawTunnel: withdraw_tunnel}
EVOLVES = {
    TunnelAttempted: tunnel_attempted, TunnelCardTurned: tunnel_card_turned,
    TunnelCostRaised: tunnel_cost_raised, TunnelWithdrawn: tunnel_withdrawn,
    TunnelCardsDiscarded: tunnel_cards_discarded,
}
