"""The commands of a tournament."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from domain.game.commands import Player
from domain.tournament.events import SeatResult, TournamentCreated


@dataclass(frozen=True)
class CreateTournament:
    """Create a tournament; the members are those of its event."""

    settings: TournamentCreated


@dataclass(frozen=True)
class Enter:
    """Enter an account, or a built-in bot under its name."""

    entrant: str
    player: Player


@dataclass(frozen=True)
class Withdraw:
    """Withdraw an entrant."""

    entrant: str


@dataclass(frozen=True)
class Start:
    """Start with the current entrants."""


@dataclass(frozen=True)
class PairRound:
    """Pair the next round, or end if there is none."""


@dataclass(frozen=True)
class RecordTable:
    """Record all games of a deal of a table, by rotation and seat."""

    round: int
    table: int
    results: tuple[tuple[SeatResult, ...], ...]


@dataclass(frozen=True)
class End:
    """End after the round under way. So a creator cannot cancel a round that goes against them."""

    reason: Literal["too_few", "ended", "expired"] = "ended"
