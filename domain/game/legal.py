"""Every legal action of a seat, exactly those that ``decide`` accepts (9.4).

The order is fixed: blind draw, row, tickets, claims; choices of tickets from the fewest up. What
the service plays for a seat whose time is up is found by it (8.3). ``resign`` is legal throughout
and not listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from domain.board.board import FLAG, WILD
from domain.game.commands import (
    ClaimRoute,
    Command,
    DrawTickets,
    KeepTickets,
    Pass,
    PayTunnel,
    WithdrawTunnel,
)
from domain.game.state import KEEP_TICKETS, SECOND_CARD, SETUP, TUNNEL, TURN, State

TICKETS = DrawTickets()


def legal_actions(state: State, seat: int) -> list[Command]:
    """Return the seat's legal actions; none when the game does not wait for it."""
    decision = state.decision(seat)
    if decision == TURN:
        return turn_actions(state, seat) or [Pass()]
    if decision == SECOND_CARD:
        return draws(state)
    if decision == KEEP_TICKETS:
        return ticket_choices(state, seat)
    if decision == TUNNEL:
        return [*pay_tunnel_options(state, seat), WithdrawTunnel()]
    return []


def turn_actions(state: State, seat: int) -> list[Command]:
    """Return what a seat may do on its turn, passing aside; empty when it must pass (8.1)."""
    actions = draws(state)
    if state.ticket_deck:
        actions.append(TICKETS)
    add_claims(actions, state, seat)
    if state.board.stations:
        add_stations(actions, state, seat)
    if "flags" in state.board.rules:
        add_flag_claims(actions, state, seat)
    return actions


def deck_can_give(state: State) -> bool:
    """Return whether a blind draw is possible, perhaps after a reshuffle (3.3, 3.4)."""
    return bool(state.deck) or any(state.discards)


def draws(state: State) -> list[Command]:
    """Return the cards that may be drawn now; a face-up wild only as the first one (3.1, 3.2)."""
    return [*state.board.draws(state.row, state.step == TURN, deck_can_give(state))]


def second_card_possible(state: State) -> bool:
    """Return whether a second card may be taken: blind, or face up and not wild (3.2, 3.5)."""
    wild = len(state.board.colors) - 1
    return deck_can_give(state) or any(card != wild for card in state.row)


def keep_least(state: State, seat: int) -> int:
    """Return how many of the offered tickets a seat must keep at least (2.2, 5.1)."""
    board = state.board
    offer = board.tickets_at_start if state.step == SETUP else board.tickets_on_a_turn
    return min(offer.keep, len(state.offered[seat]))


def ticket_choices(state: State, seat: int) -> list[Command]:
    """Return every choice among the offered tickets, the fewest kept first (2.2, 5.1)."""
    offered = [state.board.tickets[t].id for t in state.offered[seat]]
    return [
        KeepTickets(kept)
        for count in range(keep_least(state, seat), len(offered) + 1)
        for kept in combinations(offered, count)
    ]


def add_claims(actions: list[Command], state: State, seat: int) -> None:
    """Append every way for a seat to claim a route (4.1, 4.2)."""
    board, hand, trains = state.board, state.hands[seat], state.trains[seat]
    claims_with, routes_for = board.claims_with, board.routes_for
    claimable = state.open & ~state.closed[seat]
    wild = len(hand) - 1
    wilds = hand[wild]
    for color, held in enumerate(hand):
        if held:
            spare = 0 if color == wild else wilds
            reach = held + spare
            routes = claimable & routes_for[color][reach if reach < trains else trains]
            if routes:
                actions += claims_with(color, held, spare, routes)


def add_flag_claims(actions: list[Command], state: State, seat: int) -> None:
    """Append, for each claim of which a card may be kept for the flag, that claim (4.5)."""
    board = state.board
    missing = {color for color in FLAG if board.color_index[color] not in state.flags[seat]}
    actions += [
        board.keeping[action.route, action.cards.get(WILD, 0)]
        for action in actions
        if type(action) is ClaimRoute
        and board.routes[board.route_index[action.route]].color in missing
        and action.cards.keys() != {WILD}
    ]


def add_stations(actions: list[Command], state: State, seat: int) -> None:
    """Append every way for a seat to build a station (6.1)."""
    board, built = state.board, len(state.stations[seat])
    if built == board.stations:
        return
    count, hand = built + 1, state.hands[seat]
    taken = {place for seats in state.stations for place in seats}
    payments = [(count, color, wilds) for color, wilds in sets(hand, count)]
    for place in range(len(board.locations)):
        if place not in taken:
            by_payment = board.stations_at[place]
            actions += [by_payment[payment] for payment in payments]


def sets(hand: tuple[int, ...], count: int) -> Iterator[tuple[int, int]]:
    """Yield (colour, wilds) for every set of ``count`` cards of a hand; wilds alone as the colour
    wild with all of them."""
    wild = len(hand) - 1
    for color, held in enumerate(hand[:wild]):
        if held:
            for wilds in range(max(0, count - held), min(hand[wild], count - 1) + 1):
                yield color, wilds
    if hand[wild] >= count:
        yield wild, count


def laid_color(state: State) -> int:
    """Return the colour of the cards laid for the tunnel; wild only if only wilds were (4.4)."""
    laid = state.tunnel.laid
    return next((color for color, n in enumerate(laid[:-1]) if n), len(laid) - 1)


def pay_tunnel_options(state: State, seat: int) -> list[PayTunnel]:
    """Return every way to pay exactly what the tunnel asks for beyond its length (4.4)."""
    color, extra, hand = laid_color(state), state.tunnel.extra, state.hands[seat]
    usable = tuple([n if c in (color, len(hand) - 1) else 0 for c, n in enumerate(hand)])
    return [PayTunnel(state.board.payment(c, wilds, extra)) for c, wilds in sets(usable, extra)]
