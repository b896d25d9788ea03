"""What has happened in a tournament, entry by entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from domain.codec import Tagged, from_json, registry

ROUND_ROBIN, SWISS, KNOCKOUT, LADDER = FORMATS = ("round_robin", "swiss", "knockout", "ladder")
INDEPENDENT, DUPLICATE = DEALS = ("independent", "duplicate")


class TournamentEvent(Tagged):
    """A fact of a tournament's history."""

    __slots__ = ()


_event = dataclass(frozen=True, slots=True)


@_event
class TournamentCreated(TournamentEvent):
    """A tournament was set up. ``least`` is the fewest that make a table on all of its boards,
    ``lots`` is secret until the end: who comes before whom among equals follows from it."""

    tournament: str
    creator: str
    name: str
    boards: tuple[str, ...]
    seats: int
    least: int
    format: Literal["round_robin", "swiss", "knockout", "ladder"]
    deals: Literal["independent", "duplicate"]
    clock: Mapping[str, float]
    on_timeout: Literal["resign", "act"]
    entry: Literal["open", "invitation"]
    most: int
    rounds: int | None = None
    starts_at: str | None = None
    per_owner: int | None = None
    lots: str | None = None


@_event
class EntrantEntered(TournamentEvent):
    """An account entered, or a built-in bot was entered."""

    entrant: str
    player: Mapping[str, str]


@_event
class EntrantWithdrew(TournamentEvent):
    """An entrant is not to be paired any more; the service sees to it for who is absent."""

    entrant: str
    reason: Literal["absent"] | None = None


@_event
class TournamentStarted(TournamentEvent):
    """The first round may be paired."""


@_event
class RoundPaired(TournamentEvent):
    """The tables of a round, the entrants of each in the order of seats, and who has a bye."""

    round: int
    board: str
    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]


@_event
class GameRecorded(TournamentEvent):
    """A game of a table ended; ``results`` has total and rank of every seat, and why it left."""

    round: int
    table: int
    rotation: int
    results: tuple[Mapping[str, object], ...]


@_event
class TournamentEnded(TournamentEvent):
    """It is over."""

    reason: Literal["complete", "too_few", "ended", "expired"]


EVENTS = registry(TournamentCreated, EntrantEntered, EntrantWithdrew, TournamentStarted,
                  RoundPaired, GameRecorded, TournamentEnded)


def event_from_json(value: dict) -> TournamentEvent:
    """Return the event that a stored JSON object stands for; raise ValueError where it is none."""
    return from_json(EVENTS, value)
