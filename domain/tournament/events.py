"""The events of a tournament."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from domain.codec import Json, Tagged, by_type, from_json, tagged
from domain.described import Positive, Signed, choice
from domain.game.events import Seconds
from domain.secrecy import Public, Secret

ROUND_ROBIN, SWISS, KNOCKOUT = FORMATS = ("round_robin", "swiss", "knockout")
LADDER = "ladder"  # only of former tournaments; it is paired and ranked like a swiss
OPEN, INVITATION, CLOSED = ENTRIES = ("open", "invitation", "closed")
INDEPENDENT, DUPLICATE = DEALS = ("independent", "duplicate")
ENDINGS = ("complete", "too_few", "ended", "expired")  # why a tournament is over
RULES_VERSION = 3


class SeatResult(TypedDict):
    """The result of a seat."""

    total: Annotated[Signed, "Final points."]
    rank: Annotated[Positive, "Final rank; equal results share a rank."]
    left: NotRequired[
        Annotated[str, choice(("resigned", "time")), "The reason, if the seat left the game."]
    ]


class TournamentEvent(Tagged):
    """An event in a tournament's history."""

    __slots__ = ()


@tagged
class TournamentCreated(TournamentEvent):
    """A tournament was created. ``least`` is the minimum number of seats at a table on all of its
    boards, ``most`` the maximum number of entrants. ``lots`` is secret until the end and decides
    the order of equals. ``round_times`` has the earliest times of the first rounds, as they are
    stored."""

    tournament: Public[str]
    creator: Public[str]
    name: Public[str]
    boards: Public[tuple[str, ...]]
    seats: Public[int]
    least: Public[int]
    format: Public[Literal["round_robin", "swiss", "knockout", "ladder"]]
    deals: Public[Literal["independent", "duplicate"]]
    clock: Public[Seconds]
    on_timeout: Public[Literal["resign", "act"]]
    entry: Public[Literal["open", "invitation", "closed"]]
    most: Public[int]
    lots: Secret[str]
    rules_version: Public[int]
    rounds: Public[int] | None = None
    starts_at: Public[str] | None = None
    per_owner: Public[int] | None = None
    description: Public[str] | None = None
    rules: Public[str] | None = None
    visibility: Public[Literal["unlisted"]] | None = None
    round_times: Public[tuple[str, ...]] | None = None


@tagged
class TournamentEdited(TournamentEvent):
    """Settings were changed before the start. ``changes`` has their new values by name, None for
    one that was removed."""

    changes: Public[Mapping[str, Any]]


@tagged
class EntrantEntered(TournamentEvent):
    """An account entered, or a built-in bot was entered."""

    entrant: Public[str]
    player: Public[Mapping[str, str]]


@tagged
class EntrantWithdrew(TournamentEvent):
    """An entrant will not be paired again; the service withdraws absent entrants. ``by``, ``at``
    and ``why`` are set if the creator has removed the entrant; with ``keep_out``, no account of
    the same owner can enter again."""

    entrant: Public[str]
    reason: Public[Literal["absent"]] | None = None
    by: Public[str] | None = None
    at: Public[str] | None = None
    why: Public[str] | None = None
    keep_out: Public[bool] | None = None


@tagged
class EntrantDisqualified(TournamentEvent):
    """The creator has disqualified an entrant. After the end this changes nothing for the
    others."""

    entrant: Public[str]
    reason: Public[str]
    by: Public[str]
    at: Public[str]


@tagged
class EntrantReinstated(TournamentEvent):
    """The creator has lifted an entrant's disqualification, or lets a removed one enter again.
    After the end this changes nothing for the others."""

    entrant: Public[str]
    by: Public[str]
    at: Public[str]


@tagged
class TournamentStarted(TournamentEvent):
    """The first round can be paired. ``players`` has the entrants whose version (formerly also
    those whose name) has changed since they entered: they play as this version to the end."""

    players: Public[Mapping[str, Mapping[str, str]]] | None = None


@tagged
class RoundPaired(TournamentEvent):
    """The tables of a round, each with its entrants in the order of seats, and the byes."""

    round: Public[int]
    board: Public[str]
    tables: Public[tuple[tuple[str, ...], ...]]
    byes: Public[tuple[str, ...]]


@tagged
class GameRecorded(TournamentEvent):
    """A game of a table ended; ``rotation`` counts the table's games from 0; ``results`` has the
    total and rank of every seat, and why it left."""

    round: Public[int]
    table: Public[int]
    rotation: Public[int]
    results: Public[tuple[SeatResult, ...]]


@tagged
class DealAdded(TournamentEvent):
    """A table of a knockout was tied; it plays another deal."""

    round: Public[int]
    table: Public[int]


@tagged
class LastRoundSet(TournamentEvent):
    """The creator has ended it: this round, which is or will be under way, is the last."""

    round: Public[int]
    by: Public[str] | None = None
    at: Public[str] | None = None
    why: Public[str] | None = None


@tagged
class TournamentEnded(TournamentEvent):
    """The tournament is over."""

    reason: Public[Literal["complete", "too_few", "ended", "expired"]]
    by: Public[str] | None = None
    at: Public[str] | None = None
    why: Public[str] | None = None


EVENTS = by_type(
    TournamentCreated,
    TournamentEdited,
    EntrantEntered,
    EntrantWithdrew,
    EntrantDisqualified,
    EntrantReinstated,
    TournamentStarted,
    RoundPaired,
    GameRecorded,
    DealAdded,
    LastRoundSet,
    TournamentEnded,
)
# members of former tournaments; no standing depends on them
FORMER = frozenset(("organisers", "qualification", "team_best", "team"))


def event_from_json(value: Json) -> TournamentEvent:
    """Return the event of a stored JSON object; raise ValueError if it is invalid. Former members
    are left out, and a change of a former team is read as a change of nothing."""
    if value.get("type") == "team_changed":
        return TournamentEdited({})
    value = _without_former(value)
    if "changes" in value:
        value["changes"] = _without_former(value["changes"])
    return from_json(EVENTS, value)


def _without_former(members: Json) -> Json:
    return {name: value for name, value in members.items() if name not in FORMER}
