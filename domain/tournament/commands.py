"""The commands of a tournament."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from domain.game.commands import Player
from domain.tournament.events import SeatResult, TournamentCreated


@dataclass(frozen=True)
class CreateTournament:
    """Create a tournament; the members are those of its event."""

    settings: TournamentCreated


@dataclass(frozen=True)
class Edit:
    """Replace the settings before the start."""

    settings: TournamentCreated


@dataclass(frozen=True)
class Enter:
    """Enter an account, or a built-in bot under its name."""

    entrant: str
    player: Player


@dataclass(frozen=True)
class Withdraw:
    """Withdraw an entrant. ``by``, ``at`` and ``why`` are set if the creator removes them."""

    entrant: str
    by: str | None = None
    at: str | None = None
    why: str | None = None


@dataclass(frozen=True)
class Disqualify:
    """Withdraw an entrant, and rank them last. ``final_at`` is the time from which standings are
    final, None before the end."""

    entrant: str
    reason: str
    by: str
    at: str
    final_at: str | None = None


@dataclass(frozen=True)
class Reinstate:
    """Lift an entrant's disqualification. ``final_at`` is as in ``Disqualify``."""

    entrant: str
    by: str
    at: str
    final_at: str | None = None


@dataclass(frozen=True)
class Start:
    """Start with the current entrants. ``players``: those who have changed since they entered.
    ``at`` is the present time (RFC 3339); without it, do not wait for ``starts_at``."""

    players: Mapping[str, Player] = field(default_factory=dict)
    at: str | None = None


@dataclass(frozen=True)
class PairRound:
    """Pair the next round, or end if there is none. ``at`` is the present time (RFC 3339);
    without it, do not wait for the round's time."""

    at: str | None = None


@dataclass(frozen=True)
class RecordTable:
    """Record all games of a deal of a table, by rotation and seat."""

    round: int
    table: int
    results: tuple[tuple[SeatResult, ...], ...]


@dataclass(frozen=True)
class End:
    """End after the round under way. So a creator cannot cancel a round that goes against them.
    ``by``, ``at`` and ``why`` are set if the creator ends it."""

    reason: Literal["too_few", "ended", "expired"] = "ended"
    by: str | None = None
    at: str | None = None
    why: str | None = None
