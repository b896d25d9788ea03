"""The hook for rows that a feature computes from what is recorded.

A feature adds its ``Projection`` to ``Games.projections``, and the recorder, ``fogg check`` and
``fogg rebuild`` call it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import sqlalchemy as sa

from domain.codec import Json
from domain.game.state import State
from service.games.games import Games
from service.games.store import LoadedGame
from service.games.visibility import is_duplicate, is_public
from service.records.comparing import Transaction

NAMED = 5  # differing rows that a fault names
Fault = tuple[str, str, str]  # its code, the id or table, and why
Progress = Callable[[str], object]  # gets the id of each history that was read


@dataclass(frozen=True)
class RecordedGame:
    """A recorded game: its number, its state, whether it was played elsewhere, and whether all
    games of its deal are recorded, so that it counts."""

    n: int
    over: LoadedGame
    is_imported: bool
    is_settled: bool

    @property
    def is_counted(self) -> bool:
        """Whether it counts for statistics, and everybody may read it."""
        return self.is_settled and is_counted(self.over.state)


def is_counted(state: State) -> bool:
    """Return whether a game counts once its deal is over: it has a result, is public, no fork."""
    return bool(state.results and state.fork is None and (is_public(state) or is_duplicate(state)))


class Projection:
    """Rows that are computed from what is recorded. A recorder keeps one object; each check and
    each rebuild makes a new one. A method that is not overridden does nothing."""

    code = ""  # of a fault in the rows of ``parts``
    parts: ClassVar[Sequence[sa.Table]] = ()  # tables with rows of single games (column ``game``)

    def __init__(self, games: Games):
        self.games = games

    # The recorder

    def record(self, db: sa.Connection, one: RecordedGame) -> None:
        """Add a new game, in the transaction that records it."""

    def count(self, db: sa.Connection, one: RecordedGame) -> None:
        """Count a game, in the transaction that records the last game of its deal."""

    def after(self, recorded: int) -> None:
        """Work after a run of the recorder that has recorded so many games, perhaps none; and at
        its start, after an outage or a failover, as if it had recorded one."""

    # Checks and rebuilds: ``take`` gets all recorded games, then one of the other two is called

    def rows(self, db: sa.Connection, one: RecordedGame) -> Mapping[sa.Table, list[Json]]:
        """Return the rows that ``parts`` should have of a game."""
        return {}

    def take(self, db: sa.Connection, some: Sequence[RecordedGame]) -> None:
        """Take the next recorded games into account."""

    def differences(self, transaction: Transaction, progress: Progress) -> Iterable[Fault]:
        """Return the faults in what is stored, unless ``parts`` has faults. ``transaction`` begins
        a short one, in which all games have been taken into account."""
        return ()

    def replace(self, db: sa.Connection) -> Iterable[Fault] | None:
        """Replace what is stored, but for the rows of ``parts``. Return the faults that stay."""

    def finish(self) -> None:
        """Work after the transaction of a rebuild."""

    # Answers of the API

    def about_games(self, db: sa.Connection, ids: Sequence[str]) -> Mapping[str, Json]:
        """Return members to show with finished games, by id."""
        return {}


def projections(games: Games) -> list[Projection]:
    return [made(games) for made in games.projections]


def named(keys: Sequence[Any]) -> str:
    """Return how many rows differ, and the keys of the first ones."""
    names = [key if isinstance(key, str) else " ".join(map(str, key)) for key in keys[:NAMED]]
    return f"{len(keys)} rows differ: {', '.join(names)}"
