"""Tickets: drawn, chosen from, returned (2.2, 5)."""

from __future__ import annotations

from collections.abc import Iterable

from domain.board.board import REMOVED, Offer
from domain.errors import Refused
from domain.game.commands import DrawTickets, KeepTickets
from domain.game.events import TicketsDrawn, TicketsKept, TicketsRemoved, TicketsReturned
from domain.game.legal import keep_least
from domain.game.state import KEEP_TICKETS, SETUP, Draft, State, put
from domain.rules import ending


def draw_tickets(draft: Draft, seat: int, _command: DrawTickets) -> None:
    """Take tickets from the top of the deck; the seat must choose before anything else (5.2)."""
    if not draft.state.ticket_deck:
        raise Refused("no-tickets-left", "5.1", "the ticket deck is empty", "type")
    offer(draft, seat, draft.state.board.tickets_on_a_turn)


def offer(draft: Draft, seat: int, offered: Offer) -> None:
    """Let a seat take tickets to choose from, fewer where fewer are left."""
    state = draft.state
    top = state.long_deck[: offered.long] + state.ticket_deck[: offered.deal]
    draft.emit(TicketsDrawn(seat, _ids(state, top)))


def remove(draft: Draft, tickets: tuple[int, ...]) -> None:
    """Take tickets out of the game, unseen (2.2)."""
    if tickets:
        draft.emit(TicketsRemoved(_ids(draft.state, tickets)))


def _ids(state: State, tickets: Iterable[int]) -> tuple[str, ...]:
    return tuple([state.board.tickets[t].id for t in tickets])


def keep_tickets(draft: Draft, seat: int, command: KeepTickets) -> None:
    """Keep some of the offered tickets; the rest go under the deck when all have chosen (2.2)."""
    state, board = draft.state, draft.state.board
    offered = [board.tickets[t].id for t in state.offered[seat]]
    chosen = set(command.tickets)
    if len(chosen) < len(command.tickets):
        raise Refused("ticket-twice", "5.1", "each ticket can be kept once", "tickets")
    if not chosen <= set(offered):
        raise Refused("ticket-not-offered", "5.1", f"offered are {', '.join(offered)}", "tickets")
    least = keep_least(state, seat)
    if len(chosen) < least:
        raise Refused("too-few-tickets", "2.2" if state.step == SETUP else "5.1",
                         f"at least {least} must be kept", "tickets")
    draft.emit(TicketsKept(seat, tuple([t for t in offered if t in chosen]),
                           tuple([t for t in offered if t not in chosen])))
    if state.step == SETUP:
        finish_setup(draft)
    else:
        return_refused(draft)
        ending.end_turn(draft)


def finish_setup(draft: Draft) -> None:
    """Once nobody has tickets left to choose from, let the first seat in play begin (2.2, 2.3)."""
    if not any(draft.state.offered):
        if draft.state.board.refused_at_start == REMOVED:
            remove(draft, _all_refused(draft.state))
        else:
            return_refused(draft)
        ending.begin_first_turn(draft)


def return_refused(draft: Draft) -> None:
    """Put all refused tickets under the deck, in seat order, each seat's as drawn (2.2, 5.1)."""
    if refused := _all_refused(draft.state):
        draft.emit(TicketsReturned(_ids(draft.state, refused)))


def _all_refused(state: State) -> tuple[int, ...]:
    return tuple([t for seat in state.refused for t in seat])


def tickets_drawn(state: State, event: TicketsDrawn) -> None:
    index = state.board.ticket_index
    drawn = tuple([index[ticket] for ticket in event.tickets])
    long = sum(ticket in state.long_deck for ticket in drawn)
    state.offered = put(state.offered, event.seat, drawn)
    state.long_deck = state.long_deck[long:]
    state.ticket_deck = state.ticket_deck[len(drawn) - long :]
    if state.step != SETUP:
        state.step, state.passes = KEEP_TICKETS, 0


def tickets_kept(state: State, event: TicketsKept) -> None:
    seat, index = event.seat, state.board.ticket_index
    kept = tuple([index[ticket] for ticket in event.kept])
    state.tickets = put(state.tickets, seat, state.tickets[seat] + kept)
    state.refused = put(state.refused, seat, tuple([index[ticket] for ticket in event.refused]))
    state.offered = put(state.offered, seat, ())


def tickets_returned(state: State, event: TicketsReturned) -> None:
    index = state.board.ticket_index
    state.ticket_deck += tuple([index[ticket] for ticket in event.tickets])
    state.refused = ((),) * len(state.refused)


def tickets_removed(state: State, event: TicketsRemoved) -> None:
    index = state.board.ticket_index
    state.unseen += tuple([index[ticket] for ticket in event.tickets])
    state.long_deck, state.refused = (), ((),) * len(state.refused)


DECIDES = {DrawTickets: draw_tickets, KeepTickets: keep_tickets}
EVOLVES = {
    TicketsDrawn: tickets_drawn, TicketsKept: tickets_kept, TicketsReturned: tickets_returned,
    TicketsRemoved: tickets_removed,
}
