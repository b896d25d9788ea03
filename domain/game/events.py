"""The events of a game, named in the past tense. An event carries outcomes only. Folding one needs
no rule and no random number, so old games replay under any later version of the rules.

Colours are names of the board's cards (the joker is ``wild``), routes and tickets are ids, seats
count from 0. Lists of cards and tickets are in their physical order, the top of a deck first.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from domain.codec import Tagged, tagged
from domain.described import Positive
from domain.secrecy import EVERYBODY, NOBODY, OWNER, Own, Public, Secret, SeenBy

Result = Mapping[str, int]  # of a seat: its parts, total, other numbers and rank, by name
IfDeclined = Literal["open", "withdraw"]
# why an invitation was declined
DeclineReason = Literal[
    "generic",
    "later",
    "busy",
    "opponent",
    "board",
    "clock",
    "too_fast",
    "too_slow",
    "rated",
    "casual",
    "no_bots",
    "only_bots",
]
ClosingReason = Literal[DeclineReason, "withdrawn", "expired"]


class Seconds(TypedDict, total=False):
    """The time that seats have, in seconds: for each decision, or in a bank."""

    per_decision: Annotated[float, "Seconds for each decision."]
    total: Annotated[float, "Seconds for all of a seat's decisions together."]
    bank: Annotated[float, "Seconds for all of a seat's decisions."]
    increment: Annotated[float, "Seconds that each decision adds to the bank."]


class Table(TypedDict):
    """The place of a game in a tournament."""

    id: Annotated[str, "The tournament's id."]
    round: Annotated[Positive, "The number of the round, from 1."]
    table: Annotated[Positive, "The number of the table, from 1."]


class Place(Table):
    """The place of a game in a tournament, and the games of the same deal."""

    games: Annotated[list[str], "The ids of all games of this deal, including this one."]
    entry: NotRequired[Annotated[Literal["invitation"], "Where entering took an invitation."]]
    visibility: NotRequired[Annotated[Literal["unlisted"], "Where lists leave the tournament out."]]
    owners: NotRequired[
        Annotated[
            Positive,
            "How many owners the entrants had at the start; all built-in bots have one. Missing in "
            "former games.",
        ]
    ]


class OfPool(TypedDict):
    """The pool pairing that a game belongs to."""

    id: Annotated[str, "The pairing's id."]
    test: NotRequired[Annotated[bool, "`true` for a test game of a bot, which is not rated."]]


class Pairing(OfPool):
    """The pool pairing that a game belongs to, and the games of the same deal."""

    games: Annotated[list[str], "The ids of all games of this deal, including this one."]


class Event(Tagged):
    """A fact of a game's history."""

    __slots__ = ()


@tagged
class GameCreated(Event):
    """A game was created. ``commitment`` (hex) fixes all of its chance. The seed is secret until
    the game ends; if several games have the same deal, until the last of them ends."""

    game: Public[str]
    board: Public[str]
    board_digest: Public[str]
    rules_version: Public[int]
    creator: Public[str]
    seats: Public[int]
    commitment: Public[str]
    seed: Secret[str]
    seed_known: Public[bool]
    first_seat: (
        Annotated[int, EVERYBODY, "The seat that is to play first, where the creator fixed it."]
        | None
    ) = None
    clock: Public[Seconds] | None = None
    on_timeout: Public[Literal["resign", "act"]] | None = None
    visibility: Public[Literal["unlisted", "private"]] | None = None
    spectators: Public[bool] | None = None
    tournament: Public[Place] | None = None
    pool: Public[Pairing] | None = None
    rating_rules: (
        Annotated[
            int, EVERYBODY, "The version of the rules by which the game is rated; 1 without it."
        ]
        | None
    ) = None


@tagged
class SeatTaken(Event):
    """A player sat down."""

    seat: Public[int]
    player: Public[Mapping[str, str]]
    entropy: Public[str] | None = None


@tagged
class PlayerInvited(Event):
    """A seat was reserved for a player until a time."""

    seat: Public[int]
    player: Annotated[Mapping[str, str], EVERYBODY, "The invited player."]
    expires: Annotated[str, EVERYBODY, "When the invitation expires (RFC 3339)."]
    if_declined: Annotated[
        IfDeclined,
        EVERYBODY,
        "What follows if the player does not come: the seat is `open` to "
        "others, or the game is aborted (`withdraw`).",
    ]


@tagged
class InvitationClosed(Event):
    """An invitation was declined or withdrawn, or has expired."""

    seat: Public[int]
    player: Annotated[Mapping[str, str], EVERYBODY, "The player who was invited."]
    reason: Annotated[
        ClosingReason,
        EVERYBODY,
        "`withdrawn` by the creator, `expired`, or why the player has declined.",
    ]


@tagged
class RatingRangeSet(Event):
    """An open seat is for players whose overall rating is in a range."""

    seat: Public[int]
    rating_from: Annotated[int, EVERYBODY, "The minimum rating."] | None = None
    rating_to: Annotated[int, EVERYBODY, "The maximum rating."] | None = None


@tagged
class SeatLeft(Event):
    """A player stood up before the game began."""

    seat: Public[int]


@tagged
class GameForked(Event):
    """The game is to go on from a position of a finished one. ``cards`` says whether the undrawn
    cards and tickets keep their order."""

    origin: Public[str]
    version: Public[int]
    cards: Annotated[
        Literal["reshuffled", "kept"],
        EVERYBODY,
        "Whether the undrawn cards and tickets keep their order.",
    ]
    position: Secret[Mapping[str, Any]]


@tagged
class PositionSet(Event):
    """Every seat of a fork was taken, and its position was laid out. While that is secret, the view
    at this version shows the public part of it."""


@tagged
class UndrawnShuffled(Event):
    """The undrawn cards and tickets of a fork came into this order, the top first."""

    cards: Annotated[tuple[str, ...], NOBODY, "The deck, the top first."]
    tickets: Annotated[tuple[str, ...], NOBODY, "The ticket deck, the top first."]
    long_tickets: Secret[tuple[str, ...]]


@tagged
class OpenSeatsClosed(Event):
    """The open seats were removed. The seats that were taken remain, numbered again from 0."""

    seats: Annotated[tuple[int, ...], EVERYBODY, "The numbers that the remaining seats had."]


@tagged
class GameAborted(Event):
    """The game was aborted before its first turn, or waited too long for players."""

    reason: Public[Literal["aborted", "expired"]]
    seat: Annotated[int, EVERYBODY, "The seat that aborted it, having seen tickets."] | None = None


@tagged
class GameStarted(Event):
    """Every seat was taken; ``first_seat`` will play first (2.3)."""

    first_seat: Public[int]


@tagged
class DeckShuffled(Event):
    """All cards but those in hands and row became the deck, in this order (2.1, 3.3)."""

    cards: Annotated[tuple[str, ...], NOBODY, "The deck, the top first."]


@tagged
class TicketsShuffled(Event):
    """The tickets became the ticket deck, or the long ones a deck of their own, in this order
    (2.2)."""

    tickets: Annotated[tuple[str, ...], NOBODY, "The ticket deck, the top first."]
    kind: Public[Literal["long"]] | None = None


@tagged
class HandDealt(Event):
    """A seat got its first cards from the top of the deck (2.1)."""

    seat: Public[int]
    cards: Annotated[tuple[str, ...], OWNER, "The cards dealt."]


@tagged
class CardTurned(Event):
    """The top card of the deck was laid face up at this place of the row (3.1)."""

    place: Public[int]
    card: Public[str]


@tagged
class RowDiscarded(Event):
    """The whole row went to the discards, too many of it being wild (3.6)."""

    cards: Annotated[tuple[str, ...], EVERYBODY, "The cards of the row."]


@tagged
class TicketsDrawn(Event):
    """A seat took tickets from the top of the ticket deck, to choose from (2.2, 5.1)."""

    seat: Public[int]
    tickets: Own[tuple[str, ...]]


@tagged
class TicketsKept(Event):
    """A seat chose; what it refused is out of its hands (5.1)."""

    seat: Public[int]
    kept: Own[tuple[str, ...]]
    refused: Own[tuple[str, ...]]


@tagged
class TicketsReturned(Event):
    """Refused tickets went under the ticket deck, in this order (2.2, 5.1)."""

    tickets: Secret[tuple[str, ...]]


@tagged
class TicketsRemoved(Event):
    """Tickets left the game unseen (2.2)."""

    tickets: Secret[tuple[str, ...]]


@tagged
class TurnBegan(Event):
    """It became this seat's turn."""

    seat: Public[int]


@tagged
class CardDrawn(Event):
    """A seat took a card: from the deck unseen, or from this place of the row (3.1)."""

    seat: Public[int]
    from_: Public[Literal["deck", "row"]]
    card: Annotated[str, SeenBy("owner", unless=("from", "row"))]
    place: Public[int] | None = None


@tagged
class RouteClaimed(Event):
    """A seat claimed a route, discarded the cards and scored the points (4.1).

    ``kept`` is the card among them that stayed before the seat for a flag (4.5). ``trains`` is
    there only where the route took more or fewer trains than its length.
    """

    seat: Public[int]
    route: Public[str]
    cards: Public[Mapping[str, int]]
    points: Public[int]
    kept: Annotated[str, EVERYBODY, "The card among them that was kept for a flag."] | None = None
    trains: (
        Annotated[int, EVERYBODY, "The trains it took, where that is not its length."] | None
    ) = None


@tagged
class Passed(Event):
    """A seat could do nothing (8.1)."""

    seat: Public[int]


@tagged
class FinalTurnsBegan(Event):
    """The end was triggered; these seats have one more turn each, in this order (7.1)."""

    seats: Annotated[
        tuple[int, ...], EVERYBODY, "The seats that have one more turn, in this order."
    ]


@tagged
class Resigned(Event):
    """A seat left: all its cards went to the discards, its tickets out of the game (8.2)."""

    seat: Public[int]
    reason: Public[Literal["resigned", "time"]]
    cards: Public[Mapping[str, int]]
    tickets: Secret[tuple[str, ...]]


@tagged
class GameEnded(Event):
    """The game is over; ``results`` has every seat's parts, total and rank, by seat (7)."""

    reason: Public[Literal["final_turns", "all_passed", "no_progress", "one_seat_left"]]
    results: Public[tuple[Result, ...]]
