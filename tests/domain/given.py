"""Positions to test from, and what happens in them.

``given`` sets out a game under way; a test names what matters to it and leaves the rest as dealt.
Sequences of cards are words, the top of a deck first: ``"red blue wild"``. Sets are counts:
``{"red": 3, "wild": 1}``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

import pytest

from domain.board.board import Board
from domain.boards import load, load_folder
from domain.errors import Refused
from domain.game.commands import Command, CreateGame, DrawCard, KeepTickets, Player
from domain.game.events import Event, RouteClaimed
from domain.game.fold import create, decide, play
from domain.game.legal import legal_actions
from domain.game.state import TURN, State, put
from domain.rules import EVOLVES

BOARDS = load_folder()
USA = BOARDS["usa"]
EUROPE, LONDON, PARIS = BOARDS["europe"], BOARDS["london"], BOARDS["paris"]
BARROW_FILE = Path(__file__).parents[1] / "barrow.json"
BARROW = load(BARROW_FILE)  # it has tunnels, and in the end a deck of wilds
SEED = bytes(range(32))
BLIND = DrawCard("deck")

Hand = Mapping[str, int]
BySeat = Mapping[int, Iterable[str]]


def player(number: int) -> Player:
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


def dealt(seats: int = 3, *, board: Board = USA, first_seat: int | None = 0, **members) -> State:
    """A game just dealt out: every seat has tickets to choose from (2.2)."""
    return create(board, creation(seats, first_seat=first_seat, **members))


def given(
    seats: int = 3,
    *,
    board: Board = USA,
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
    stations: BySeat | None = None,
    flags: BySeat | None = None,
    **members,
) -> State:
    """A game past its set-up: every seat kept all its tickets and it is seat 0's turn.

    ``hands``, ``routes``, ``trains``, ``tickets``, ``offered``, ``stations`` and ``flags`` are by
    seat; seats not named keep what they were dealt. Routes have been claimed by the book, but paid
    with nothing. ``members`` are those of a State.
    """
    state, numbers_of = dealt(seats, board=board), partial(numbers, board=board)
    for seat in state.seats:
        state = after(state, (seat, KeepTickets(names(state.offered[seat], board))))
    state = changed(state, turn=turn, step=step, **members)
    for seat, ids in (routes or {}).items():
        for route in ids:
            length = board.lengths[board.route_index[route]]
            EVOLVES[RouteClaimed](state, RouteClaimed(seat, route, {}, board.points[length]))
    for name, by_seat, as_held in (
        ("hands", hands, board.counts),
        ("trains", trains, int),
        ("tickets", tickets, numbers_of),
        ("offered", offered, numbers_of),
        ("stations", stations, lambda ids: tuple(map(board.location_index.__getitem__, ids))),
        ("flags", flags, lambda colors: tuple(board.numbers(colors))),
    ):
        for seat, value in (by_seat or {}).items():
            setattr(state, name, put(getattr(state, name), seat, as_held(value)))
    if row is not None:
        state.row = tuple(board.numbers(row.split()))
    if deck is not None:
        state.deck = board.numbers(deck.split())
    if discards is not None:
        state.discards = board.counts(discards)
    if ticket_deck is not None:
        state.ticket_deck = numbers_of(ticket_deck)
    return state


def changed(state: State, **members) -> State:
    new = state.copy()
    new.__dict__.update(members)
    return new


def numbers(tickets: Iterable[str], board: Board = USA) -> tuple[int, ...]:
    return tuple(board.ticket_index[ticket] for ticket in tickets)


def names(tickets: Iterable[int], board: Board = USA) -> tuple[str, ...]:
    return tuple(board.tickets[ticket].id for ticket in tickets)


def row_of(state: State) -> str:
    return " ".join(state.board.names(state.row))


def deck_of(state: State) -> str:
    return " ".join(state.board.names(state.deck))


def hand_of(state: State, seat: int) -> dict[str, int]:
    return state.board.as_set(state.hands[seat])


def discards_of(state: State) -> dict[str, int]:
    return state.board.as_set(state.discards)


def take(color: str) -> DrawCard:
    return DrawCard("row", color)


def after(state: State, *moves: tuple[int, Command]) -> State:
    for seat, command in moves:
        state = play(state, seat, command)[1]
    return state


def happened(state: State, seat: int, command: Command, kind: type[Event]) -> list[Event]:
    return [event for event in decide(state, seat, command) if type(event) is kind]


def refusal(state: State, seat: int | None, command: object) -> tuple[str, str]:
    """The rule and the code by which a command is refused; a refused action is never listed."""
    with pytest.raises(Refused) as refused:
        decide(state, seat, command)
    assert seat is None or command not in legal_actions(state, seat)
    return refused.value.rule, refused.value.code


def listed(state: State, seat: int, kind: type[Command]) -> list[Command]:
    return [action for action in legal_actions(state, seat) if type(action) is kind]


def cards_in(state: State) -> list[int]:
    """How many cards of each colour there are, wherever they lie (9.1)."""
    lying = Counter(state.deck) + Counter(state.row)
    lying += Counter(card for flag in state.flags for card in flag)
    held = [state.discards, *state.hands]
    if state.tunnel:
        lying += Counter(state.tunnel.turned)
        held.append(state.tunnel.laid)
    return [sum(column) + lying[c] for c, column in enumerate(zip(*held, strict=True))]
