"""The store of tournaments: their histories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NotRequired, TypedDict

from domain.entry import Entry
from domain.tournament.announcing import ENDED, Announcement, announcements
from domain.tournament.events import event_from_json
from domain.tournament.fold import evolve
from domain.tournament.rounds import next_round_at
from domain.tournament.state import Tournament
from service.store.loaded import Loaded
from service.store.store import Store
from service.times import as_time, in_ms

REVIEW_MS = 72 * 3_600_000  # milliseconds from the end until the standings are final


@dataclass
class LoadedTournament(Loaded[Tournament]):
    """A tournament's state, with the values needed to append to its history, and its announcements
    so far."""

    announced: tuple[Announcement, ...] = ()

    def take(self, entry: Entry, before: Tournament) -> None:
        super().take(entry, before)
        self.announced += (*announcements(entry["events"], self.updated, before, self.state,
                                          len(self.announced) + 1),)

    @property
    def final_at(self) -> str | None:
        """The time (RFC 3339) when the standings become final; None before the end."""
        return next((as_time(in_ms(announcement.at) + REVIEW_MS)
                     for announcement in self.announced if announcement.change == ENDED), None)


class TournamentHead(TypedDict):
    """The head of a tournament: what lists show."""

    id: str
    name: str
    status: str
    version: int
    creator: str
    created: str
    updated: str
    format: str
    boards: list[str]
    entered: int
    round: int
    starts_at: NotRequired[str]
    next_round_at: NotRequired[str]
    visibility: NotRequired[str]


class TournamentStore(Store[LoadedTournament]):
    """The tournaments in one Redis."""

    kind, letter, tag, created, keeps = "tournament", "c", "t", "created-tournament", 256

    # For the superclass

    def before(self, first: Entry) -> LoadedTournament:
        """Return the state before a first entry."""
        return LoadedTournament(Tournament())

    def evolve(self, known: LoadedTournament, entry: Entry, is_own: bool) -> None:
        """Set the state to the one after one more entry."""
        known.state = evolve(known.state, map(event_from_json, entry["events"]))

    @staticmethod
    def head(known: LoadedTournament) -> TournamentHead:
        state, settings = known.state, known.state.settings
        shown: TournamentHead = {
            "id": state.id, "name": settings.name, "status": state.status,
            "version": state.version, "creator": settings.creator,
            "created": known.created, "updated": known.updated, "format": settings.format,
            "boards": [*settings.boards], "entered": len(state.active), "round": len(state.rounds),
        }
        if settings.starts_at:
            shown["starts_at"] = settings.starts_at
        if at := next_round_at(state):
            shown["next_round_at"] = at
        if settings.visibility:
            shown["visibility"] = settings.visibility
        return shown
