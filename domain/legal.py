"""Every legal action of a seat, exactly those that ``decide`` accepts (9.4).

The order is fixed: blind draw, row, tickets, claims; choices of tickets from the fewest up. What
the service plays for a seat whose time is up is found by it (8.3). ``resign`` is legal throughout
and not listed.
"""

from __future__ import annotations

from itertools import combinations

from domain.commands import Command, DrawTickets, KeepTickets, Pass
from domain.state import KEEP_TICKETS, SECOND_CARD, SETUP, TURN, State

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
    return []


def turn_actions(state: State, seat: int) -> list[Command]:
    """Return what a seat may do on its turn, passing aside; empty when it must pass (8.1)."""
    actions = draws(state)
    if state.ticket_deck:
        actions.append(TICKETS)
    add_claims(actions, state, seat)
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
