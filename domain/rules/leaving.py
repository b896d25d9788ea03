"""Leaving a game for good (8.2)."""

from typing import Literal

from domain.errors import Refused
from domain.game.commands import Resign, TimeOut
from domain.game.events import Resigned
from domain.game.state import SETUP, Draft, State, add, put
from domain.rules import deck, ending, tickets
from domain.rules.rule import Rule


def resign(draft: Draft, seat: int, _command: Resign) -> None:
    _leave(draft, seat, "resigned")


def time_out(draft: Draft, seat: int, _command: TimeOut) -> None:
    if draft.state.decision(seat) is None:
        raise Refused("not-your-turn", "2.3", "the game does not wait for this seat")
    _leave(draft, seat, "time")


def _leave(draft: Draft, seat: int, reason: Literal["resigned", "time"]) -> None:
    """Leave now, dropping what the seat was deciding; when one seat is left the game ends."""
    state = draft.state
    board, on_turn = state.board, state.turn == seat
    aside = state.tickets[seat] + state.offered[seat]
    held = [
        *board.cards_of(state.hands[seat]),
        *(card for lying in draft.rules.lying for card in lying(state, seat)),
    ]
    cards = board.as_set([held.count(color) for color in range(len(board.colors))])
    draft.emit(Resigned(seat, reason, cards, tuple([board.tickets[t].id for t in aside])))
    over = len(state.active) == 1
    for follow in draft.rules.left:
        follow(draft, seat)
    deck.fill_row(draft)
    if over:
        ending.end_game(draft, "one_seat_left")
    elif state.step == SETUP:
        tickets.finish_setup(draft)
    elif on_turn:
        ending.end_turn(draft)


def resigned(state: State, event: Resigned) -> None:
    seat, index = event.seat, state.board.ticket_index
    state.discards = add(state.discards, state.board.counts(event.cards))
    state.hands = put(state.hands, seat, (0,) * len(state.board.colors))
    state.removed = put(state.removed, seat, tuple([index[ticket] for ticket in event.tickets]))
    state.tickets = put(state.tickets, seat, ())
    state.offered = put(state.offered, seat, ())
    state.left = put(state.left, seat, event.reason)
    state.leavers += (seat,)
    state.passes = 0
    if state.final is not None:
        state.final = tuple([s for s in state.final if s != seat])


RULE = Rule(
    name="leaving",
    common=True,
    decides={Resign: resign, TimeOut: time_out},
    evolves={Resigned: resigned},
)
