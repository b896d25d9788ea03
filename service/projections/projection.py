"""A projection is data derived from histories, so that lists and statistics need not read these.

``service.projections`` lists all projections. The code that updates, undoes, checks and rebuilds
them and leaves them out of backups goes through that list, and knows none of them by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from redis import Redis

from domain.errors import BrokenHistory
from domain.game.state import State
from service.errors import UnknownThing
from service.store.games import GameStore, LoadedGame
from service.store.loaded import K, Rollback
from service.store.steps import Steps
from service.store.store import Store

if TYPE_CHECKING:
    from service.games.games import Games

REBUILD = "fogg rebuild makes it anew from the histories, while the service runs"


@dataclass(frozen=True)
class Finding:
    """An error that a check has found: its code, the game, tournament or key, and why."""

    code: str
    where: str
    reason: str


@dataclass(frozen=True)
class Measure:
    """A gauge for operators: its name and description, the name of its label, and its value for
    each value of the label."""

    name: str
    description: str
    label: str
    values: Mapping[str, int]


@dataclass(frozen=True)
class Read:
    """Which games a check has read: all of them, and those that are broken."""

    ids: set[str]
    unread: set[str]


class Survey:
    """The expected contents of a projection, given the games that a check has read so far."""

    def begin(self, store: GameStore) -> None:
        """Note what the projection holds before any game is read."""

    def note(self, store: GameStore, game: LoadedGame) -> None:
        """Note what the projection should hold of a game."""

    def findings(self, store: GameStore, read: Read) -> Iterator[Finding]:
        """Yield the errors, now that all games were read."""
        yield from ()


class Rebuild:
    """The state of a projection's rebuild."""

    def add(self, store: GameStore, game: LoadedGame) -> None:
        """Add what follows from a game."""

    def finish(self, store: GameStore, ids: set[str]) -> None:
        """Put the rebuilt projection in place, now that all games were read. ``ids`` are those of
        the games that have a history, broken ones included."""


class Projection:
    """A projection. The methods that a subclass does not define do nothing."""

    name: str
    keys: str  # a regular expression of the names of its keys in Redis: backups leave them out
    kind = GameStore.kind  # whose histories it is derived from
    advice: ClassVar[Mapping[str, str]] = {}  # code of each of its findings -> what to do then

    def apply(self, store: GameStore, steps: Steps, game: LoadedGame, was: State | None) -> None:
        """Add to ``steps`` what follows from a new entry of a game; ``was`` is its state before.

        It is safe to do again. No request may wait for more than these steps: work that takes
        longer is left to ``catch_up``."""

    def repair(self, games: Games, game: LoadedGame) -> None:
        """Do what ``apply`` leaves to the process that appends an entry, as that process did not
        finish."""

    def take_back(self, store: GameStore, rollback: Rollback[LoadedGame]) -> None:
        """Undo the effects of a game's lost entries."""

    def catch_up(self, store: GameStore) -> None:
        """Do what ``apply`` has left to do. The sweep calls it every second."""

    def forget(self, redis: Redis, state: State) -> None:
        """Remove a game that nobody has played, as its history is about to be removed."""

    def backlog(self, redis: Redis) -> int:
        """Return how many games ``catch_up`` has yet to deal with."""
        return 0

    def begin_rebuild(self, store: GameStore) -> Rebuild:
        """Begin to rebuild the projection."""
        return Rebuild()

    def wrong_with(self, store: Any, known: Any) -> Iterator[Finding]:
        """Yield the errors in what the projection has stored about one game."""
        yield from ()

    def survey(self) -> Survey:
        """Return a survey of no games."""
        return Survey()

    def measures(self, store: GameStore) -> Iterator[Measure]:
        """Yield the gauges that operators see."""
        yield from ()


def readable(store: Store[K], some_id: str) -> K | None:
    """Return the present state of a game or a tournament, None if it is gone or cannot be read."""
    try:
        return store.load(some_id)
    except (UnknownThing, BrokenHistory):
        return None
