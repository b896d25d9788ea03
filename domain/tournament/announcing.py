"""Notices for the entrants and the creator of a tournament."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from domain.codec import Json
from domain.tournament import events
from domain.tournament.state import Tournament

(BEGUN, ROUND, REMOVED, WITHDRAWN, DISQUALIFIED, REINSTATED, LAST_ROUND, ENDED) = CHANGES = (
    "begun",
    "round",
    "removed",
    "withdrawn",
    "disqualified",
    "reinstated",
    "last_round",
    "ended",
)
_TYPES = frozenset(
    kind.type
    for kind in (
        events.TournamentStarted,
        events.RoundPaired,
        events.EntrantWithdrew,
        events.EntrantDisqualified,
        events.EntrantReinstated,
        events.LastRoundSet,
        events.TournamentEnded,
    )
)


@dataclass(frozen=True)
class Announcement:
    """A notice for some accounts: ``number`` counts the tournament's announcements from 1, ``at``
    is the time of its entry, ``more`` has further members as JSON. Accounts in ``byes`` have no
    table in the round."""

    number: int
    change: str
    at: str
    to: frozenset[str]
    more: Mapping[str, Any]
    byes: frozenset[str] = frozenset()

    def shown_to(self, account: str) -> Json:
        bye = {"bye": True} if account in self.byes else {}
        return {"change": self.change, "at": self.at, **self.more, **bye}


def announcements(
    entry: Iterable[Json], at: str, before: Tournament, after: Tournament, number: int
) -> Iterator[Announcement]:
    """Yield the announcements of an entry of this time, numbered from ``number`` on."""
    for event in map(events.event_from_json, (row for row in entry if row["type"] in _TYPES)):
        change, to, more = _content(event, before, after)
        byes = _accounts(after, getattr(event, "byes", ()))
        yield Announcement(
            number,
            change,
            at,
            to | byes | {after.settings.creator},
            {name: value for name, value in more.items() if value is not None},
            byes,
        )
        number += 1


def _content(
    event: events.TournamentEvent, before: Tournament, after: Tournament
) -> tuple[str, frozenset[str], Mapping[str, Any]]:
    everybody = _accounts(after, after.entrants)
    match event:
        case events.TournamentStarted():
            return BEGUN, _accounts(after, after.active), {}
        case events.RoundPaired():  # entrants with a game get a notice of that
            return ROUND, frozenset(), {"round": event.round, "board": event.board}
        case events.EntrantWithdrew():
            gone = before.entrants[event.entrant]
            removed = event.by is not None
            is_own_wish = not removed and event.reason is None
            to = frozenset() if is_own_wish else _accounts(before, [gone.id])
            return (
                REMOVED if removed else WITHDRAWN,
                to,
                {"entrant": gone.player.as_json(), "reason": event.why or event.reason},
            )
        case events.EntrantDisqualified():
            gone = before.entrants[event.entrant]
            return (
                DISQUALIFIED,
                _accounts(before, [gone.id]),
                {"entrant": gone.player.as_json(), "reason": event.reason},
            )
        case events.EntrantReinstated():
            entrant = before.barred[event.entrant].entrant
            to = frozenset(() if entrant.player.is_built_in else [entrant.id])
            return REINSTATED, to, {"entrant": entrant.player.as_json()}
        case events.LastRoundSet():
            return (
                LAST_ROUND,
                _accounts(after, after.active),
                {"round": event.round, "reason": event.why},
            )
        case events.TournamentEnded():
            return ENDED, everybody, {"ending": event.reason, "reason": event.why}
    raise AssertionError(event)


def _accounts(state: Tournament, entrants: Iterable[str]) -> frozenset[str]:
    return frozenset(
        entrant for entrant in entrants if not state.entrants[entrant].player.is_built_in
    )
