"""Positions to test from, and what happens in them.

``given`` sets out a game under way; a test names what matters to it and leaves the rest as dealt.
Sequences of cards are words, the top of a deck first: ``"red blue wild"``. Sets are counts:
``{"red": 3, "wild": 1}``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import pytest

from domain.board import load_folder
from domain.commands import Command, CreateGame, DrawCard, KeepTickets, Player
from domain.errors import Refused
from domain.events import Event, RouteClaimed
from domain.game import EVOLVES, create, decide, play
from domain.legal import legal_actions
from domain.state import TURN, State, put

USA = load_folder()["usa"]
SEED = bytes(range(32))
BLIND = DrawCard("deck")

Hand = Mapping[str, int]
BySeat = Mapping[int, Iterable[str]]


def player(number: int) -> Player:
    """A player who is nobody else."""
    return Player(f"p{number}", f"Player {number}")


def creation(
    seats: int = 3, *, open_seats: int = 0, entropy: str | None = None, **members
) -> CreateGame:
    """The command that creates a game; the last seats may be open."""
    taken = tuple((player(seat), entropy) for seat in range(seats - open_seats))
    return CreateGame(
        **{"game": "g", "creator": "p0", "seats": taken + (None,) * open_seats, "seed": SEED}
        | members
    )


def dealt(seats: int = 3, *, first_seat: int | None = 0, **members) -> State:
    """A game just dealt out: every seat has tickets to choose from (2.2)."""
    return create(USA, creation(seats, first_seat=first_seat, **members))


def given(
    seats: int = 3,
    *,
    turn: int = 0,
    step: str = TURN,
    hands: Mapping[int, Hand] | None = None,
    row: str | None = None,
    deck: str | None = None,
    discards: Hand | None = None,
    routes: BySeat | None = None,
    trains: Mapping[int, int] | None = None,
    tickets: BySeat | None = None,
    offered: BySeat | None = None,
    ticket_deck: Iterable[str] | None = None,
    **members,
) -> State:
    """A game past its set-up: every seat kept all three tickets and it is seat 0's turn.

    ``hands``, ``routes``, ``trains``, ``tickets`` and ``offered`` are by seat; seats not named
    keep what they were dealt. Routes have been claimed by the book, but paid with nothing.
    ``members`` are those of a State.
    """
    state = dealt(seats)
    for seat in state.seats:
        state = after(state, (seat, KeepTickets(names(state.offered[seat]))))
    state = replace(state, turn=turn, step=step, **members)
    for seat, ids in (routes or {}).items():
        for route in ids:
            length = USA.lengths[USA.route_index[route]]
            EVOLVES[RouteClaimed](state, RouteClaimed(seat, route, {}, USA.points[length]))
    for seat, hand in (hands or {}).items():
        state.hands = put(state.hands, seat, USA.counts(hand))
    for seat, left in (trains or {}).items():
        state.trains = put(state.trains, seat, left)
    for seat, ids in (tickets or {}).items():
        state.tickets = put(state.tickets, seat, numbers(ids))
    for seat, ids in (offered or {}).items():
        state.offered = put(state.offered, seat, numbers(ids))
    if row is not None:
        state.row = tuple(USA.numbers(row.split()))
    if deck is not None:
        state.deck = USA.numbers(deck.split())
    if discards is not None:
        state.discards = USA.counts(discards)
    if ticket_deck is not None:
        state.ticket_deck = numbers(ticket_deck)
    return state


def numbers(tickets: Iterable[str]) -> tuple[int, ...]:
    """The numbers of tickets."""
    return tuple(USA.ticket_index[ticket] for ticket in tickets)


def names(tickets: Iterable[int]) -> tuple[str, ...]:
    """The ids of tickets."""
    return tuple(USA.tickets[ticket].id for ticket in tickets)


def row_of(state: State) -> str:
    """The row in words."""
    return " ".join(USA.names(state.row))


def deck_of(state: State) -> str:
    """The deck in words."""
    return " ".join(USA.names(state.deck))


def hand_of(state: State, seat: int) -> dict[str, int]:
    """A seat's hand as a set."""
    return USA.as_set(state.hands[seat])


def discards_of(state: State) -> dict[str, int]:
    """The discards as a set."""
    return USA.as_set(state.discards)


def take(color: str) -> DrawCard:
    """The action of taking a face-up card."""
    return DrawCard("row", color)


def after(state: State, *moves: tuple[int, Command]) -> State:
    """The state after seats' commands."""
    for seat, command in moves:
        state = play(state, seat, command)[1]
    return state


def happened(state: State, seat: int, command: Command, kind: type[Event]) -> list[Event]:
    """The events of one kind that a command leads to."""
    return [event for event in decide(state, seat, command) if type(event) is kind]


def refusal(state: State, seat: int | None, command: object) -> tuple[str, str]:
    """The rule and the code by which a command is refused."""
    with pytest.raises(Refused) as refused:
        decide(state, seat, command)
    return refused.value.rule, refused.value.code


def listed(state: State, seat: int, kind: type[Command]) -> list[Command]:
    """The legal actions of one kind."""
    return [action for action in legal_actions(state, seat) if type(action) is kind]
