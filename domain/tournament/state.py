"""What a tournament is at a version: plain values, and what is seen of them at once.

Entrants are ids: an account's, or the name of a built-in bot. A round has tables, a table is played
in one game, or, where every deal is played from each seat, in as many as it has seats; where that
leaves a table of a knockout tied, in more deals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any, TypeVar

from domain.game.commands import Player
from domain.tournament.events import RULES_VERSION, SeatResult, TournamentCreated

OPEN, RUNNING, FINISHED = STATUSES = ("open", "running", "finished")


@dataclass(frozen=True)
class Entrant:
    """Who takes part. Of equals the lower ``lot`` comes first, whoever entered first."""

    id: str
    player: Player
    lot: str
    withdrawn: bool = False
    is_absent: bool = False

    @property
    def responsible(self) -> str:
        """The account that answers for this one: its owner, or itself."""
        return self.player.owner or self.id


@dataclass(frozen=True)
class Table:
    """Entrants in the order of seats, their ``lots``, and, once all games of a deal are over, the
    results by rotation and seat."""

    number: int
    entrants: tuple[str, ...]
    games: tuple[str, ...]  # one for each rotation, deal by deal
    lots: Mapping[str, str] = field(default_factory=dict)
    results: tuple[tuple[SeatResult, ...], ...] = ()
    deals: int = 1
    rules_version: int = RULES_VERSION

    @property
    def is_over(self) -> bool:
        """Whether the results of all its games are in."""
        return len(self.results) == len(self.games)

    @property
    def under_way(self) -> range:
        """The rotations of the deal that is being played, the last."""
        return range(len(self.results), len(self.games))

    @property
    def by_deal(self) -> list[slice]:
        """Where the rotations of each deal are."""
        size = len(self.games) // self.deals
        return [slice(size * deal, size * deal + size) for deal in range(self.deals)]

    @property
    def absent(self) -> set[str]:
        """Who lost every game of the table by the clock; nobody before the results are in."""
        return {entrant for entrant in self.entrants if self.results and all(
            row.get("left") == "time" for row in self.results_of(entrant))}

    def results_of(self, entrant: str) -> list[SeatResult]:
        """Return what an entrant's games came to, by rotation."""
        return [results[self.seated(rotation).index(entrant)]
                for rotation, results in enumerate(self.results)]

    def seated(self, rotation: int) -> tuple[str, ...]:
        """Return who sits where once everybody has moved so many seats on."""
        place = rotation % len(self.entrants)
        return self.entrants[place:] + self.entrants[:place]


@dataclass(frozen=True)
class Round:
    """A round; numbers count from 1, as those of its tables do."""

    number: int
    board: str
    tables: tuple[Table, ...]
    byes: tuple[str, ...]

    @property
    def is_over(self) -> bool:
        """Whether every table's results are in."""
        return all(table.is_over for table in self.tables)


@dataclass(frozen=True)
class Tournament:
    """A tournament; ``version`` counts the entries of its history."""

    version: int = 0
    created: TournamentCreated | None = None  # None before the first entry
    status: str = OPEN
    entrants: Mapping[str, Entrant] = field(default_factory=dict)
    entries: int = 0  # how many there have been
    rounds: tuple[Round, ...] = ()
    last_round: int = 0  # the one after which it ends, where its creator has ended it
    ending: str = ""

    @property
    def settings(self) -> TournamentCreated:
        """What it was set up with; raise LookupError if that is still to come."""
        if self.created is None:
            raise LookupError("a tournament begins with its creation")
        return self.created

    @property
    def id(self) -> str:
        """The tournament's id."""
        return self.settings.tournament

    @property
    def active(self) -> list[str]:
        """The entrants who have not withdrawn, by lot."""
        return [entrant for entrant in self.drawn if not self.entrants[entrant].withdrawn]

    @property
    def rules_version(self) -> int:
        """The version of the rules that it is held by."""
        return self.settings.rules_version or 1

    @property
    def void(self) -> Round | None:
        """The round that counts for nobody, as the tournament ended before all of it was over,
        which was possible once."""
        if self.status != FINISHED or self.rules_version == 1:
            return None
        return next((paired for paired in self.rounds[-1:] if not paired.is_over), None)

    @property
    def counted(self) -> list[Round]:
        """The rounds that count; of one under way, the tables that are over."""
        return [paired for paired in self.rounds if paired is not self.void]

    @cached_property
    def drawn(self) -> list[str]:
        """All entrants by lot, so that nothing depends on who entered first."""
        return sorted(self.entrants, key=lambda entrant: self.entrants[entrant].lot)

    @property
    def has_guests(self) -> bool:
        """Whether anybody but built-in bots is there: these alone would play on for ever."""
        return any(not self.entrants[entrant].player.is_built_in for entrant in self.active)


Of = TypeVar("Of")
Answer = TypeVar("Answer")


def once_each(function: Callable[[Of], Answer]) -> Callable[[Of], Answer]:
    """Return a function that works out its answer once for each value, and keeps it with that."""
    name = f"{function.__module__}.{function.__name__}"

    @wraps(function)
    def kept(value: Any) -> Answer:
        answers: dict[str, Answer] = value.__dict__
        if name not in answers:
            answers[name] = function(value)
        return answers[name]

    return kept
