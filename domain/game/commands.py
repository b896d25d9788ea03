"""The commands of a game, named in the imperative. The first group are the actions of a seat in
play, exactly as the API takes them; the second group lead up to the first turn."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

from domain.codec import Json, Tagged, tagged
from domain.game.events import ClosingReason, Pairing, Place, PlayerInvited, RatingRangeSet, Seconds
from domain.secrecy import EVERYBODY, Own, Public


class Command(Tagged):
    """A seat's request to act. ``json`` is kept, since listed actions are shared between positions.
    ``gives_up`` marks what is played for a seat that thought too long (8.3)."""

    gives_up: ClassVar[bool] = False

    @cached_property
    def json(self) -> Json:
        """The command as a JSON object; shared, so not to be changed."""
        return self.as_json()

    @cached_property
    def keys(self) -> tuple[str, str]:
        """Two keys for grouping commands. Commands with an equal first key differ only in their
        second member, commands with an equal second key only in their first."""
        kind, first, second, *rest = [*map(str, self.json.values()), "", ""]
        both = " ".join([kind, *self.json, *rest])
        return f"{both} {first}", f"{both} {second}"


@tagged
class KeepTickets(Command):
    """Keep these of the tickets offered (2.2, 5.1)."""

    tickets: Own[tuple[str, ...]]


@tagged
class DrawCard(Command):
    """Draw one card: ``from_`` is ``deck`` (blind) or ``row``, then ``card`` says which (3.1)."""

    from_: Public[Literal["deck", "row"]]
    card: Annotated[str, EVERYBODY, "The card's colour, where `from` is `row`."] | None = None


@tagged
class ClaimRoute(Command):
    """Claim a route with exactly these cards, colour to count (4.1-4.5)."""

    route: Public[str]
    cards: Annotated[
        Mapping[str, int], EVERYBODY, "Exactly the cards to pay with, colour to count."
    ]
    keep_for_flag: Public[bool] | None = None

    @cached_property
    def keeping(self) -> "ClaimRoute":
        """The same claim that keeps a card for the flag (4.5)."""
        return ClaimRoute(self.route, self.cards, True)


@tagged
class DrawTickets(Command):
    """Draw new tickets to choose from (5.1)."""


@tagged
class Pass(Command):
    """Do nothing, because nothing can be done (8.1)."""


@tagged
class Resign(Command):
    """Leave the game for good, at any time (8.2)."""


@dataclass(frozen=True)
class Player:
    """The player on a seat."""

    id: Annotated[str, "The account's id."]
    name: Annotated[str, "The account's name."]
    bot: Annotated[
        str | None,
        "A built-in bot's name, or `external` for a bot that is not built in; missing for people.",
    ] = None
    owner: Annotated[str | None, "The id of the account that owns an external bot."] = None
    version: Annotated[str | None, "The version of an external bot when it took the seat."] = None

    @property
    def is_built_in(self) -> bool:
        return self.bot is not None and self.owner is None

    def as_json(self) -> dict[str, str]:
        shown = {"id": self.id, "name": self.name}
        if self.bot is not None:
            shown["bot"] = self.bot
        if self.owner is not None:
            shown["owner"] = self.owner
        if self.version is not None:
            shown["version"] = self.version
        return shown


PlayerJson = Annotated[dict[str, str], Player]  # a player as JSON


@dataclass(frozen=True)
class TakeSeat:
    """Sit down on the seat that is reserved for the player, else on a named seat, else on the first
    that is open to the player's overall ``rating``; add ``entropy`` to the shuffles. ``at`` is the
    present time (RFC 3339). Without a rating or a time, neither is checked."""

    player: Player
    entropy: str | None = None
    seat: int | None = None
    rating: float | None = None
    at: str | None = None


@dataclass(frozen=True)
class LeaveSeat:
    """Stand up from a seat before the game starts."""


@dataclass(frozen=True)
class CloseInvitation:
    """Close the invitation of a player, named by id."""

    player: str
    reason: ClosingReason


@dataclass(frozen=True)
class StartGame:
    """Start with the seats that are taken; remove the open ones."""


@dataclass(frozen=True)
class AbortGame:
    """Abort the game before its first turn. ``seat`` is the seat of the player who does so, if
    that player has been offered tickets."""

    reason: Literal["aborted", "expired"]
    seat: int | None = None


@dataclass(frozen=True)
class TimeOut:
    """Leave the game because the time is over."""


@dataclass(frozen=True)
class Fork:
    """The position from which another game continues: ``position`` is the result of
    ``rules.forking.position_of`` for the game ``origin`` at ``version``; ``cards`` says whether the
    undrawn ones keep their order."""

    origin: str
    version: int
    cards: Literal["reshuffled", "kept"]
    position: Mapping[str, Any]


@dataclass(frozen=True)
class CreateGame:
    """Create a game. A seat is a (player, entropy) pair, or None while it is open.

    ``seed``: 32 bytes, secret until the end unless ``seed_known``. ``first_seat`` fixes who begins.
    ``clock`` and ``on_timeout`` are described in ``domain.game.clock``. ``visibility`` is None for
    a game that anybody may find; ``spectators`` says whether those without a seat may watch. A
    ``fork`` has as many seats as its origin. ``invitations`` and ``rating_ranges`` are of open
    seats. The last three are those of the event."""

    game: str
    creator: str
    seats: tuple[tuple[Player, str | None] | None, ...]
    seed: bytes
    seed_known: bool = False
    first_seat: int | None = None
    clock: Seconds | None = None
    on_timeout: Literal["resign", "act"] | None = None
    visibility: Literal["unlisted", "private"] | None = None
    spectators: bool = True
    fork: Fork | None = None
    invitations: tuple[PlayerInvited, ...] = ()
    rating_ranges: tuple[RatingRangeSet, ...] = ()
    tournament: Place | None = None
    pool: Pairing | None = None
    rating_rules: int | None = None
