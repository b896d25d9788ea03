"""Every legal action of a seat, exactly those that ``decide`` accepts (9.4).

The order is fixed: blind draw, row, tickets, claims, then what other rules add; choices of tickets
from the fewest up. What the service plays for a seat whose time is up is found by it (8.3).
``resign`` is legal throughout and not listed.
"""

from __future__ import annotations

from domain.game.commands import Command
from domain.game.state import State


def legal_actions(state: State, seat: int) -> list[Command]:
    """Return the seat's legal actions; none when the game does not wait for it."""
    decision = state.decision(seat)
    return state.board.ruleset.decisions[decision].options(state, seat) if decision else []


def turn_actions(state: State, seat: int) -> list[Command]:
    """Return what a seat may do on its turn, passing aside; empty when it must pass (8.1)."""
    actions: list[Command] = []
    for add_to in state.board.ruleset.add_actions:
        add_to(actions, state, seat)
    return actions
