"""What has happened in a tournament, entry by entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NotRequired, TypedDict

from domain.codec import Json, Tagged, by_type, from_json, tagged
from domain.secrecy import Public, Secret

ROUND_ROBIN, SWISS, KNOCKOUT, LADDER = FORMATS = ("round_robin", "swiss", "knockout", "ladder")
INDEPENDENT, DUPLICATE = DEALS = ("independent", "duplicate")
RULES_VERSION = 2  # of new tournaments; those from before there was a number go by version 1


class SeatResult(TypedDict):
    """What a game came to for a seat: its total and rank, and, if it left, why."""

    total: int
    rank: int
    left: NotRequired[str]


class TournamentEvent(Tagged):
    """A fact of a tournament's history."""

    __slots__ = ()


@tagged
class TournamentCreated(TournamentEvent):
    """A tournament was set up. ``least`` is the fewest that make a table on all of its boards,
    ``lots`` is secret until the end: who comes before whom among equals follows from it."""

    tournament: Public[str]
    creator: Public[str]
    name: Public[str]
    boards: Public[tuple[str, ...]]
    seats: Public[int]
    least: Public[int]
    format: Public[Literal["round_robin", "swiss", "knockout", "ladder"]]
    deals: Public[Literal["independent", "duplicate"]]
    clock: Public[Mapping[str, float]]
    on_timeout: Public[Literal["resign", "act"]]
    entry: Public[Literal["open", "invitation"]]
    most: Public[int]
    rounds: Public[int] | None = None
    starts_at: Public[str] | None = None
    per_owner: Public[int] | None = None
    lots: Secret[str] | None = None
    rules_version: Public[int] | None = None


@tagged
class EntrantEntered(TournamentEvent):
    """An account entered, or a built-in bot was entered."""

    entrant: Public[str]
    player: Public[Mapping[str, str]]


@tagged
class EntrantWithdrew(TournamentEvent):
    """An entrant is not to be paired any more; the service sees to it for who is absent."""

    entrant: Public[str]
    reason: Public[Literal["absent"]] | None = None


@tagged
class TournamentStarted(TournamentEvent):
    """The first round may be paired."""


@tagged
class RoundPaired(TournamentEvent):
    """The tables of a round, the entrants of each in the order of seats, and who has a bye."""

    round: Public[int]
    board: Public[str]
    tables: Public[tuple[tuple[str, ...], ...]]
    byes: Public[tuple[str, ...]]


@tagged
class GameRecorded(TournamentEvent):
    """A game of a table ended; ``rotation`` counts the games of the table from 0, ``results`` has
    total and rank of every seat, and why it left."""

    round: Public[int]
    table: Public[int]
    rotation: Public[int]
    results: Public[tuple[SeatResult, ...]]


@tagged
class DealAdded(TournamentEvent):
    """A table of a knockout was tied: another deal is played there."""

    round: Public[int]
    table: Public[int]


@tagged
class LastRoundSet(TournamentEvent):
    """Its creator has ended it while a round was under way, which is played out and is the last."""

    round: Public[int]


@tagged
class TournamentEnded(TournamentEvent):
    """It is over."""

    reason: Public[Literal["complete", "too_few", "ended", "expired"]]


EVENTS = by_type(TournamentCreated, EntrantEntered, EntrantWithdrew, TournamentStarted,
                  RoundPaired, GameRecorded, DealAdded, LastRoundSet, TournamentEnded)


def event_from_json(value: Json) -> TournamentEvent:
    """Return the event that a stored JSON object stands for; raise ValueError where it is none."""
    return from_json(EVENTS, value)
