"""Set-up: shuffles, hands, the row, and the first tickets (2.1-2.3)."""

from typing import Literal

from domain.chance import Chance
from domain.game.events import GameStarted, HandDealt, TicketsShuffled
from domain.game.state import PLAYING, Draft, State, add, put
from domain.rules import deck, tickets
from domain.rules.rule import Rule


def start(draft: Draft) -> None:
    """Deal everything out; after this every seat has tickets to choose from."""
    state, board = draft.state, draft.state.board
    chance = state.chance
    first = state.fixed_first_seat
    draft.emit(
        GameStarted(chance.draws("first-seat")(len(state.players)) if first is None else first)
    )
    _shuffle_tickets(draft, chance)
    deck.shuffle_deck(draft, board.deck)
    for seat in state.seats:
        draft.emit(HandDealt(seat, board.names(state.deck[: board.hand])))
    deck.fill_row(draft)
    for seat in state.seats:
        tickets.offer(draft, seat, board.tickets_at_start)
    tickets.remove(draft, state.long_deck)
    for set_up in draft.rules.set_up:
        set_up(draft)


def _shuffle_tickets(draft: Draft, chance: Chance) -> None:
    tickets = draft.state.board.tickets
    decks: tuple[tuple[Literal["long"] | None, str], ...] = (
        ("long", "long-tickets/1"),
        (None, "tickets/1"),
    )
    for kind, label in decks:
        ids = [ticket.id for ticket in tickets if ticket.long == (kind == "long")]
        if ids:
            draft.emit(TicketsShuffled(tuple(chance.shuffled(label, ids)), kind))


def game_started(state: State, event: GameStarted) -> None:
    board, seats = state.board, len(state.players)
    state.status, state.first_seat = PLAYING, event.first_seat
    state.discards = (0,) * len(board.colors)
    state.hands = (state.discards,) * seats
    state.tickets = state.offered = state.refused = state.removed = state.routes = ((),) * seats
    state.trains, state.points = (board.trains,) * seats, (0,) * seats
    state.open, state.closed = (1 << len(board.routes)) - 1, (0,) * seats
    state.left = (None,) * seats
    for name, each in board.ruleset.attributes.items():
        setattr(state, name, each.start if each.for_all else (each.start,) * seats)


def tickets_shuffled(state: State, event: TicketsShuffled) -> None:
    index = state.board.ticket_index
    deck = tuple([index[ticket] for ticket in event.tickets])
    if event.kind == "long":
        state.long_deck = deck
    else:
        state.ticket_deck = deck


def hand_dealt(state: State, event: HandDealt) -> None:
    cards = state.board.numbers(event.cards)
    dealt = tuple([cards.count(color) for color in range(len(state.board.colors))])
    state.deck = state.deck[len(cards) :]
    state.hands = put(state.hands, event.seat, add(state.hands[event.seat], dealt))


RULE = Rule(
    name="setup",
    common=True,
    evolves={GameStarted: game_started, TicketsShuffled: tickets_shuffled, HandDealt: hand_dealt},
)
