"""A tournament's state at a version: plain values and derived properties.

Entrants are ids: an account's, or the name of a built-in bot. A round has tables. A table plays one
game, or, if every deal is played from each seat, as many games as it has seats. A tied table of a
knockout plays more deals.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any, TypeVar

from domain.game.commands import Player
from domain.tournament.events import INVITATION, SeatResult, TournamentCreated

OPEN, RUNNING, FINISHED = STATUSES = ("open", "running", "finished")


@dataclass(frozen=True)
class Entrant:
    """A participant. Among equals the one with the lower ``lot`` comes first, regardless of the
    order of entering."""

    id: str
    player: Player
    lot: str
    withdrawn: bool = False
    is_absent: bool = False
    is_invited: bool = False  # entered while that took an invitation

    @property
    def responsible(self) -> str:
        """The account responsible for this one: its owner, or itself."""
        return self.player.owner or self.id


@dataclass(frozen=True)
class Removal:
    """The creator (``by``) has removed or disqualified an entrant, who is kept as before.
    ``reason`` is None if none was given, ``lifted_at`` unless it was lifted. ``keeps_out``: after
    a removal, no account of the same owner can enter."""

    entrant: Entrant
    by: str
    at: str
    reason: str | None
    lifted_at: str | None = None
    keeps_out: bool = False


@dataclass(frozen=True)
class Table:
    """One table of a round: its entrants in seat order, their random tie-breaks (``lots``), and
    ``results[rotation][seat]``, recorded once all games of a deal are over."""

    number: int
    entrants: tuple[str, ...]
    games: tuple[str, ...]  # one for each rotation, deal by deal
    lots: Mapping[str, str] = field(default_factory=dict)
    results: tuple[tuple[SeatResult, ...], ...] = ()
    deals: int = 1

    @property
    def is_over(self) -> bool:
        return len(self.results) == len(self.games)

    @property
    def under_way(self) -> range:
        return range(len(self.results), len(self.games))

    @property
    def by_deal(self) -> list[slice]:
        size = len(self.games) // self.deals
        return [slice(size * deal, size * deal + size) for deal in range(self.deals)]

    @property
    def absent(self) -> set[str]:
        """The entrants who lost every game of the table by time, once it is recorded."""
        return {
            entrant
            for entrant in self.entrants
            if self.results and all(row.get("left") == "time" for row in self.results_of(entrant))
        }

    def results_of(self, entrant: str) -> list[SeatResult]:
        return [
            results[self.seated(rotation).index(entrant)]
            for rotation, results in enumerate(self.results)
        ]

    def seated(self, rotation: int) -> tuple[str, ...]:
        """Return the seating of a rotation: all entrants moved by so many seats."""
        place = rotation % len(self.entrants)
        return self.entrants[place:] + self.entrants[:place]


@dataclass(frozen=True)
class Round:
    """A round. Rounds and their tables are numbered from 1."""

    number: int
    board: str
    tables: tuple[Table, ...]
    byes: tuple[str, ...]

    @property
    def is_over(self) -> bool:
        return all(table.is_over for table in self.tables)

    @property
    def is_final(self) -> bool:
        """Whether it is the last one of a knockout."""
        return len(self.tables) == 1 and not self.byes


@dataclass(frozen=True)
class Tournament:
    """A tournament; ``version`` counts the entries of its history."""

    version: int = 0
    created: TournamentCreated | None = None  # None before the first entry
    status: str = OPEN
    entrants: Mapping[str, Entrant] = field(default_factory=dict)
    rounds: tuple[Round, ...] = ()
    last_round: int = 0  # the last round, if the creator has ended the tournament
    ending: str = ""
    removed: Mapping[str, Removal] = field(default_factory=dict)  # the last one of each entrant
    ended: Mapping[str, str] = field(default_factory=dict)  # by, at and why the creator ended it
    disqualified: Mapping[str, Removal] = field(default_factory=dict)
    lifted: tuple[Removal, ...] = ()  # disqualifications that were lifted

    @property
    def settings(self) -> TournamentCreated:
        """The settings it was created with; raise LookupError before the first entry."""
        if self.created is None:
            raise LookupError("a tournament begins with its creation")
        return self.created

    @property
    def id(self) -> str:
        return self.settings.tournament

    @property
    def others(self) -> list[Entrant]:
        """The entrants but for built-in bots and the creator's side."""
        return [
            entrant
            for entrant in self.entrants.values()
            if not entrant.player.is_built_in
            and self.settings.creator not in (entrant.id, entrant.responsible)
        ]

    @property
    def is_fixed(self) -> bool:
        """Whether others have entered, who rely on the settings."""
        return bool(self.others)

    @property
    def is_by_invitation(self) -> bool:
        """Whether entering takes an invitation, or took one when one of the others entered."""
        return self.settings.entry == INVITATION or any(one.is_invited for one in self.others)

    @property
    def owners(self) -> int:
        """How many owners the entrants have; all built-in bots have one."""
        everybody = self.entrants.values()
        return len({None if one.player.is_built_in else one.responsible for one in everybody})

    @property
    def kept_out(self) -> dict[str, Removal]:
        """The removals that keep an entrant out, by its id."""
        return {name: gone for name, gone in self.removed.items() if gone.keeps_out}

    @property
    def barred(self) -> dict[str, Removal]:
        """The removals and disqualifications that can be lifted, by the entrant's id."""
        return {**self.kept_out, **self.disqualified}

    @property
    def next_board(self) -> str:
        return self.settings.boards[len(self.rounds) % len(self.settings.boards)]

    @property
    def active(self) -> list[str]:
        return [entrant for entrant in self.drawn if not self.entrants[entrant].withdrawn]

    @cached_property
    def drawn(self) -> list[str]:
        """All entrants by lot, so that the order of entering does not matter."""
        return sorted(self.entrants, key=lambda entrant: self.entrants[entrant].lot)


Of = TypeVar("Of")
Answer = TypeVar("Answer")


def once_each(function: Callable[[Of], Answer]) -> Callable[[Of], Answer]:
    name = f"{function.__module__}.{function.__name__}"

    @wraps(function)
    def kept(value: Any) -> Answer:
        answers: dict[str, Answer] = value.__dict__
        if name not in answers:
            answers[name] = function(value)
        return answers[name]

    return kept
