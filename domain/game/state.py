"""The state of one game: a plain value; only ``evolve`` makes new ones.

Seats, colours, routes and tickets are numbers here (positions in the board's table), hands are
counts by colour, decks are in order with the top first. All values in a State are immutable, so a
shallow, fast copy is enough, and an old State never changes.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from domain.board.board import Board
from domain.chance import Chance
from domain.game import events
from domain.game.clock import Clock
from domain.game.commands import Player
from domain.game.terms import NO_TERMS, Terms

T = TypeVar("T")
LOBBY, PLAYING, FINISHED = "lobby", "playing", "finished"
# decisions of a seat; SETUP is KEEP_TICKETS for every seat that has not chosen (2.2)
SETUP, TURN, SECOND_CARD, KEEP_TICKETS = "setup", "turn", "second_card", "keep_tickets"


@dataclass(eq=False)
class State:
    """A game between two actions. ``version`` counts the entries of its history.

    Attributes that rules add (``Rule.attributes``) exist from the start of the game on.
    """

    board: Board
    version: int = 0
    id: str = ""
    status: str = LOBBY
    rules_version: int = 0
    terms: Terms = NO_TERMS  # the service's

    seed: str = ""  # hex; secret until the end
    seed_known: bool = False
    commitment: str = ""
    fixed_first_seat: int | None = None
    clock: Clock | None = None
    fork: events.GameForked | None = None  # where the game goes on from, if it does
    first_seat: int = 0

    players: tuple[Player | None, ...] = ()  # one for each seat, None while it is open
    entropy: tuple[str, ...] = ()
    invitations: tuple[events.PlayerInvited, ...] = ()  # open ones, in the lobby
    closed_invitations: tuple[events.InvitationClosed, ...] = ()
    accepted: tuple[events.PlayerInvited, ...] = ()  # in seats that were taken, in the lobby
    rating_ranges: tuple[events.RatingRangeSet, ...] = ()  # of seats, in the lobby

    deck: bytes = b""
    discards: tuple[int, ...] = ()
    row: tuple[int, ...] = ()
    shuffles: int = 0  # how often the deck has been shuffled
    ticket_deck: tuple[int, ...] = ()
    long_deck: tuple[int, ...] = ()  # long tickets, until they are dealt

    hands: tuple[tuple[int, ...], ...] = ()
    tickets: tuple[tuple[int, ...], ...] = ()  # kept
    offered: tuple[tuple[int, ...], ...] = ()  # to choose from
    refused: tuple[tuple[int, ...], ...] = ()  # waiting for the others to choose (2.2)
    removed: tuple[tuple[int, ...], ...] = ()  # set aside with a seat that left (8.2)
    unseen: tuple[int, ...] = ()  # out of the game from the start, where the board says so (2.2)
    trains: tuple[int, ...] = ()
    points: tuple[int, ...] = ()  # scored during play (9.3)
    routes: tuple[tuple[int, ...], ...] = ()  # claimed, in the order of claiming
    open: int = 0  # routes nobody may be kept from claiming, as bits
    closed: tuple[int, ...] = ()  # twins of a seat's own routes, as bits (4.2)

    step: str = SETUP
    turn: int = -1
    passes: int = 0  # passes in a row (8.1)
    last_progress: int = 0  # the version before the last action that brought something (8.6)
    final: tuple[int, ...] | None = None  # seats whose last turn is to come or under way (7.1)
    left: tuple[str | None, ...] = ()  # why a seat left
    leavers: tuple[int, ...] = ()  # seats in the order in which they left (8.2)
    results: tuple[events.Result, ...] = ()
    ending: str = ""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.__dict__ == other.__dict__

    def copy(self) -> "State":
        new = object.__new__(State)
        new.__dict__ = self.__dict__.copy()
        return new

    def invitation_of(self, player: str) -> events.PlayerInvited | None:
        return next((one for one in self.invitations if one.player["id"] == player), None)

    @property
    def seats(self) -> range:
        return range(len(self.players))

    @property
    def was_begun(self) -> bool:
        return bool(self.hands)

    @property
    def active(self) -> list[int]:
        return [seat for seat in self.seats if self.left[seat] is None]

    @property
    def chance(self) -> Chance:
        return Chance(bytes.fromhex(self.seed), self.entropy)

    def decision(self, seat: int) -> str | None:
        """Return what this seat has to decide now, or None when it is not to decide."""
        if self.status != PLAYING or self.left[seat] is not None:
            return None
        if self.step == SETUP:
            return KEEP_TICKETS if self.offered[seat] else None
        return self.step if seat == self.turn else None

    def deciding(self) -> list[tuple[int, str]]:
        """Return (seat, decision) for every seat that the game waits for, in seat order."""
        if self.status == PLAYING and self.step != SETUP:
            return [(self.turn, self.step)]
        return [(seat, d) for seat in self.seats if (d := self.decision(seat))]

    def next_seat(self, seat: int) -> int:
        """Return the next seat in play after this one, going round (2.3)."""
        count = len(self.players)
        for step in range(1, count + 1):
            following = (seat + step) % count
            if self.left[following] is None:
                return following
        raise ValueError("no seat is left in play")

    def owner(self, route: int) -> int | None:
        return next((seat for seat in self.seats if route in self.routes[seat]), None)


class Draft:
    """A decision being written: the events so far, and the state that they have led to."""

    def __init__(self, state: State):
        self.state, self.rules = state.copy(), state.board.ruleset
        self.events: list[events.Event] = []
        self._evolves = self.rules.evolves

    def emit(self, event: events.Event) -> None:
        self.events.append(event)
        self._evolves[type(event)](self.state, event)


def put(row: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    new = [*row]
    new[at] = value
    return tuple(new)


def add(counts: tuple[int, ...], more: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([a + b for a, b in zip(counts, more, strict=True)])


def take(counts: tuple[int, ...], less: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([a - b for a, b in zip(counts, less, strict=True)])
