"""The store of tournaments: their histories."""

from dataclasses import dataclass
from typing import Annotated, NotRequired, TypedDict, cast

from domain.described import Page, Positive, Time, choice
from domain.entry import Entry
from domain.tournament.announcing import ENDED, Announcement, announcements
from domain.tournament.events import FORMATS, LADDER, event_from_json
from domain.tournament.fold import evolve
from domain.tournament.rounds import next_round_at
from domain.tournament.state import STATUSES, Tournament
from service.eventlog.loaded import Loaded
from service.eventlog.store import Store
from service.times import as_time, in_ms

REVIEW_MS = 72 * 3_600_000  # milliseconds from the end until the standings are final


@dataclass
class LoadedTournament(Loaded[Tournament]):
    """A tournament's state, what appending to its history takes, and its announcements."""

    announced: tuple[Announcement, ...] = ()

    def take(self, entry: Entry, before: Tournament) -> None:
        super().take(entry, before)
        self.announced += (
            *announcements(
                entry["events"], self.updated, before, self.state, len(self.announced) + 1
            ),
        )

    @property
    def final_at(self) -> str | None:
        """The time (RFC 3339) when the standings become final; None before the end."""
        return next(
            (
                as_time(in_ms(announcement.at) + REVIEW_MS)
                for announcement in self.announced
                if announcement.change == ENDED
            ),
            None,
        )


class AboutTournament(TypedDict):
    """The members that every view of a tournament has."""

    id: Annotated[str, "The tournament's id."]
    name: Annotated[str, "Its name."]
    status: Annotated[
        str, choice(STATUSES), "`open` until it starts, then `running`, then `finished`."
    ]
    version: Annotated[Positive, "The number of entries in the tournament's history."]
    creator: Annotated[str, "The id of the account that created it."]
    created: Annotated[Time, "When it was created."]
    updated: Annotated[Time, "When the last entry of its history was accepted."]
    starts_at: NotRequired[Annotated[Time, "When it starts, if not by hand."]]
    next_round_at: NotRequired[
        Annotated[
            Time,
            "The earliest time of the next round, if that has one. It is paired then, or once "
            "the present round is over.",
        ]
    ]
    format: Annotated[
        str,
        choice((*FORMATS, LADDER)),
        "The format, which decides the pairings. Only former "
        "tournaments are a `ladder`, which is paired like a `swiss`.",
    ]
    round: Annotated[int, "The number of the last paired round; 0 if none."]
    visibility: NotRequired[Annotated[str, choice(["unlisted"]), "`unlisted`: it is not in lists."]]


class TournamentHead(AboutTournament):
    """A tournament in a list."""

    boards: Annotated[list[str], "Ids of the boards, used in turn."]
    entered: Annotated[int, "The number of entrants who have not withdrawn."]


TournamentsPage = Page(
    "Tournaments", TournamentHead, "A page of tournaments, newest first.", "The tournaments."
)


class TournamentStore(Store[LoadedTournament]):
    """The tournaments in one Redis."""

    kind, letter, tag, created, keeps = "tournament", "c", "t", "created-tournament", 256

    def before(self, first: Entry) -> LoadedTournament:
        return LoadedTournament(Tournament())

    def evolve(self, known: LoadedTournament, entry: Entry, is_own: bool) -> None:
        known.state = evolve(known.state, map(event_from_json, entry["events"]))

    @staticmethod
    def head(known: LoadedTournament) -> TournamentHead:
        state, settings = known.state, known.state.settings
        shown: TournamentHead = {
            "id": state.id,
            "name": settings.name,
            "status": state.status,
            "version": state.version,
            "creator": settings.creator,
            "created": known.created,
            "updated": known.updated,
            "format": settings.format,
            "boards": [*settings.boards],
            "entered": len(state.active),
            "round": len(state.rounds),
        }
        if_any = {
            "starts_at": settings.starts_at,
            "next_round_at": next_round_at(state),
            "visibility": settings.visibility,
        }
        shown |= cast(TournamentHead, {name: value for name, value in if_any.items() if value})
        return shown
