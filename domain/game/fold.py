"""A game is a fold: ``decide`` holds the rules, ``evolve`` the facts, ``replay`` the history.

An entry of a history is the list of events that one accepted command led to; ``version`` counts
entries. Example, a whole random game::

    state = create(board, CreateGame("g", "me", seats, seed=secrets.token_bytes(32)))
    while deciding := state.deciding():
        seat, _ = deciding[0]
        events, state = play(state, seat, random.choice(legal_actions(state, seat)))
"""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.board import Board
from domain.errors import BrokenHistory, Refused
from domain.game.commands import ACTIONS, BuildStation, Command, CreateGame, Resign
from domain.game.events import Event
from domain.game.state import LOBBY, PLAYING, Draft, State
from domain.rules import (
    claiming,
    drawing,
    ending,
    forking,
    leaving,
    lobby,
    settling,
    setup,
    stations,
    tickets,
    tunnels,
)

MODULES = (
    lobby, forking, setup, drawing, claiming, settling, tunnels, stations, tickets, ending, leaving,
)
DECIDES = {command: rule for module in MODULES for command, rule in module.DECIDES.items()}
EVOLVES = {event: change for module in MODULES for event, change in module.EVOLVES.items()}
_ACTIONS = frozenset(ACTIONS.values())
NEEDS_RULE = {BuildStation: "stations"}  # what only some boards know


def decide(state: State, seat: int | None, command: Command) -> list[Event]:
    """Return the events that a seat's command leads to; raise Refused where a rule forbids it."""
    return play(state, seat, command)[0]


def play(state: State, seat: int | None, command: Command) -> tuple[list[Event], State]:
    """Return ``decide``'s events and, as the work is done already, the state after them."""
    if type(command) in _ACTIONS:
        _check_turn(state, seat, command)
    draft = Draft(state, EVOLVES)
    DECIDES[type(command)](draft, seat, command)
    draft.state.version += 1
    return draft.events, draft.state


def evolve(state: State, events: Iterable[Event]) -> State:
    """Return the state after one more entry; the given one stays as it is (9.5)."""
    new = state.copy()
    for event in events:
        EVOLVES[type(event)](new, event)
    new.version += 1
    return new


def create(board: Board, command: CreateGame) -> State:
    """Return the state of a new game."""
    return play(State(board), None, command)[1]


def replay(board: Board, entries: Iterable[Iterable[Event]]) -> State:
    """Return the state that a history leads to; raise BrokenHistory at an entry that cannot be."""
    state = State(board)
    for events in entries:
        try:
            state = evolve(state, events)
        except (LookupError, ValueError, TypeError, AttributeError) as error:
            raise BrokenHistory(state.version + 1, f"cannot be folded: {error!r}") from error
    return state


def _check_turn(state: State, seat: int | None, command: Command) -> None:
    """Refuse an action of a seat that the game does not wait for, or of the wrong kind (5.2)."""
    if state.status != PLAYING:
        over = state.status != LOBBY
        raise Refused("game-finished" if over else "game-not-started", "7" if over else "2.2",
                     "the game is over" if over else "the game has not begun")
    if state.left[seat] is not None:
        raise Refused("seat-left", "8.2", "this seat has left the game")
    if type(command) is Resign:
        return
    rule = NEEDS_RULE.get(type(command))
    if rule and rule not in state.board.rules:
        raise Refused("not-on-this-board", "1", f"{state.board.name} knows no {command.type}",
                      "type")
    decision = state.decision(seat)
    if decision is None:
        waiting = ", ".join(str(s) for s, _ in state.deciding())
        raise Refused("not-your-turn", "2.3", f"the game waits for seat {waiting}")
    if command.type not in ANSWERS[decision]:
        raise Refused("wrong-decision", WHY[decision],
                     f"now to be decided: {decision}, by {' or '.join(ANSWERS[decision])}", "type")


ANSWERS = {
    "keep_tickets": ("keep_tickets",),
    "second_card": ("draw_card",),
    "tunnel": ("pay_tunnel", "withdraw_tunnel"),
    "turn": ("draw_card", "claim_route", "build_station", "draw_tickets", "pass"),
}
WHY = {"keep_tickets": "5.2", "second_card": "3.1", "tunnel": "4.4", "turn": "3.1"}
