"""What has happened, in the past tense. An event carries outcomes, never a recipe: folding one
needs no rule and no chance, so old games replay under any later version of the rules.

Colours are names of the board's cards (the joker is ``wild``), routes and tickets are ids, seats
count from 0. Lists of cards and tickets are in their physical order, the top of a deck first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from domain.codec import Tagged, from_json, registry


class Event(Tagged):
    """A fact of a game's history."""

    __slots__ = ()


_event = dataclass(frozen=True, slots=True)


@_event
class GameCreated(Event):
    """A board was set out and its chance committed to (hex); the seed is secret to the end, that
    of a deal which is played several times to the end of them all."""

    game: str
    board: str
    board_digest: str
    rules_version: int
    creator: str
    seats: int
    commitment: str
    seed: str
    seed_known: bool
    first_seat: int | None = None
    clock: Mapping[str, float] | None = None
    on_timeout: Literal["resign", "act"] | None = None
    visibility: Literal["unlisted", "private"] | None = None
    spectators: bool | None = None
    tournament: Mapping[str, object] | None = None


@_event
class SeatTaken(Event):
    """A player sat down."""

    seat: int
    player: Mapping[str, str]
    entropy: str | None = None


@_event
class SeatLeft(Event):
    """A player stood up before the game began."""

    seat: int


@_event
class GameForked(Event):
    """The game is to go on from a position of a finished one. ``cards`` says whether the undrawn
    cards and tickets keep their order."""

    origin: str
    version: int
    cards: Literal["reshuffled", "kept"]
    position: Mapping[str, object]


@_event
class PositionSet(Event):
    """Every seat of a fork was taken, and its position was laid out."""


@_event
class UndrawnShuffled(Event):
    """The undrawn cards and tickets of a fork came into this order, the top first."""

    cards: tuple[str, ...]
    tickets: tuple[str, ...]
    long_tickets: tuple[str, ...]


@_event
class OpenSeatsClosed(Event):
    """The open seats were put away; these that were taken remain, numbered anew from 0."""

    seats: tuple[int, ...]


@_event
class GameAborted(Event):
    """The game was called off before its first turn, or waited too long for players."""

    reason: Literal["aborted", "expired"]


@_event
class GameStarted(Event):
    """Every seat was taken; ``first_seat`` will play first (2.3)."""

    first_seat: int


@_event
class DeckShuffled(Event):
    """All cards but those in hands and row became the deck, in this order (2.1, 3.3)."""

    cards: tuple[str, ...]


@_event
class TicketsShuffled(Event):
    """The tickets became the ticket deck, or the long ones a deck of their own, in this order
    (2.2)."""

    tickets: tuple[str, ...]
    kind: Literal["long"] | None = None


@_event
class HandDealt(Event):
    """A seat got its first cards from the top of the deck (2.1)."""

    seat: int
    cards: tuple[str, ...]


@_event
class CardTurned(Event):
    """The top card of the deck was laid face up at this place of the row (3.1)."""

    place: int
    card: str


@_event
class RowDiscarded(Event):
    """The whole row went to the discards, too many of it being wild (3.6)."""

    cards: tuple[str, ...]


@_event
class TicketsDrawn(Event):
    """A seat took tickets from the top of the ticket deck, to choose from (2.2, 5.1)."""

    seat: int
    tickets: tuple[str, ...]


@_event
class TicketsKept(Event):
    """A seat chose; what it refused is out of its hands (5.1)."""

    seat: int
    kept: tuple[str, ...]
    refused: tuple[str, ...]


@_event
class TicketsReturned(Event):
    """Refused tickets went under the ticket deck, in this order (2.2, 5.1)."""

    tickets: tuple[str, ...]


@_event
class TicketsRemoved(Event):
    """Tickets left the game unseen (2.2)."""

    tickets: tuple[str, ...]


@_event
class TurnBegan(Event):
    """It became this seat's turn."""

    seat: int


@_event
class CardDrawn(Event):
    """A seat took a card: from the deck unseen, or from this place of the row (3.1)."""

    seat: int
    from_: Literal["deck", "row"]
    card: str
    place: int | None = None


@_event
class RouteClaimed(Event):
    """A seat claimed a route, discarded the cards and scored the points (4.1).

    ``kept`` is the card among them that stayed before the seat for a flag (4.5).
    """

    seat: int
    route: str
    cards: Mapping[str, int]
    points: int
    kept: str | None = None


@_event
class FlagCompleted(Event):
    """A seat discarded the cards of a whole flag and scored the points (4.5)."""

    seat: int
    cards: Mapping[str, int]
    points: int


@_event
class TunnelAttempted(Event):
    """A seat laid these cards for a tunnel (4.4)."""

    seat: int
    route: str
    cards: Mapping[str, int]
    keep_for_flag: bool | None = None


@_event
class TunnelCardTurned(Event):
    """The top card of the deck was turned for the tunnel (4.4)."""

    card: str


@_event
class TunnelCostRaised(Event):
    """The tunnel asks its seat for so many cards more (4.4)."""

    seat: int
    extra: int


@_event
class TunnelWithdrawn(Event):
    """A seat took the cards laid for a tunnel back (4.4)."""

    seat: int


@_event
class TunnelCardsDiscarded(Event):
    """The cards turned for the tunnel went to the discards (4.4)."""

    cards: tuple[str, ...]


@_event
class StationBuilt(Event):
    """A seat built a station and discarded the cards (6.1)."""

    seat: int
    location: str
    cards: Mapping[str, int]


@_event
class Passed(Event):
    """A seat could do nothing (8.1)."""

    seat: int


@_event
class FinalTurnsBegan(Event):
    """The end was triggered; these seats have one more turn each, in this order (7.1)."""

    seats: tuple[int, ...]


@_event
class Resigned(Event):
    """A seat left: all its cards went to the discards, its tickets out of the game (8.2)."""

    seat: int
    reason: Literal["resigned", "time"]
    cards: Mapping[str, int]
    tickets: tuple[str, ...]


@_event
class GameEnded(Event):
    """The game is over; ``results`` has every seat's parts, total and rank, by seat (7)."""

    reason: Literal["final_turns", "all_passed", "one_seat_left"]
    results: tuple[Mapping[str, int], ...]


EVENTS = registry(
    GameCreated, GameForked, PositionSet, UndrawnShuffled, SeatTaken, SeatLeft, OpenSeatsClosed,
    GameAborted, GameStarted, DeckShuffled, TicketsShuffled, HandDealt, CardTurned,
    RowDiscarded, TicketsDrawn, TicketsKept, TicketsReturned, TicketsRemoved, TurnBegan,
    CardDrawn, RouteClaimed, FlagCompleted, TunnelAttempted, TunnelCardTurned, TunnelCostRaised,
    TunnelWithdrawn, TunnelCardsDiscarded, StationBuilt, Passed, FinalTurnsBegan, Resigned,
    GameEnded,
)


def event_from_json(value: dict) -> Event:
    """Return the event that a stored JSON object stands for; raise ValueError where it is none."""
    return from_json(EVENTS, value)
