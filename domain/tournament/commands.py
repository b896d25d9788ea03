"""What may be asked of a tournament."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from domain.game.commands import Player
from domain.tournament.events import SeatResult, TournamentCreated


@dataclass(frozen=True)
class CreateTournament:
    """Set up a tournament; the members are those of its event."""

    settings: TournamentCreated


@dataclass(frozen=True)
class Enter:
    """Enter an account, or a built-in bot under its name."""

    entrant: str
    player: Player


@dataclass(frozen=True)
class Withdraw:
    """Take an entrant out."""

    entrant: str


@dataclass(frozen=True)
class Start:
    """Start with those who are there."""


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
    """End, once the round under way is over: nobody ends a round that goes against them."""

    reason: Literal["too_few", "ended", "expired"] = "ended"
