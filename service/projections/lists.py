"""The lists of games and tournaments, and the deadlines of games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from redis import Redis

from domain.game.state import PLAYING, State
from service.games import buckets, index
from service.games.clocks import has_deadline
from service.games.marks import Marks, is_marked
from service.projections.projection import (
    REBUILD,
    Finding,
    Measure,
    Projection,
    Read,
    Rebuild,
    Survey,
)
from service.store.games import GameStore, LoadedGame
from service.store.loaded import Rollback
from service.store.steps import Steps
from service.store.tournaments import LoadedTournament, TournamentStore
from service.tournaments import index as tournaments

if TYPE_CHECKING:
    from service.games.games import Games


class GameLists(Projection):
    """The lists of games by status and by player, and the marks of games that the sweep has to
    check."""

    name = "lists"
    keys = (r"\{games:[^}]*\}:(?!deadlines$).*"
            r"|player:[^:]*:(games|current|over|invited|declined)")
    advice: ClassVar[Mapping[str, str]] = {"lists-differ": REBUILD}

    def apply(self, store: GameStore, steps: Steps, game: LoadedGame, was: State | None) -> None:
        """Put a game into the lists of its status and its players, and notify the players. If
        another process may have listed a later version at the same time, list the game again."""
        def check(is_current: int) -> None:
            if not is_current:
                _list_again(store, game.state.id, game.state)

        index.add_steps(steps, game, was, on_answer=check)

    def take_back(self, store: GameStore, rollback: Rollback[LoadedGame]) -> None:
        """After a rollback, put a game into the lists where it belongs now. It may wait for a bot
        again."""
        if rollback.now:
            Marks(store.redis).mark_uncertain(rollback.now.state.id)
            _list_again(store, rollback.now.state.id, rollback.was.state)
            Marks(store.redis).schedule_check(rollback.now.state.id)

    def forget(self, redis: Redis, state: State) -> None:
        index.forget(redis, state)

    def begin_rebuild(self, store: GameStore) -> Rebuild:
        return _Rebuild()

    def wrong_with(self, store: GameStore, known: LoadedGame) -> Iterator[Finding]:
        if keys := index.wrong_places(store.redis, known):
            yield Finding("lists-differ", known.state.id, f"{', '.join(keys)} say otherwise")

    def survey(self) -> Survey:
        return _Survey()

    def measures(self, store: GameStore) -> Iterator[Measure]:
        yield Measure("fogg_games", "Games, as they are listed.", "status", index.counts(store))


def _list_again(store: GameStore, game_id: str, was: State | None = None) -> None:
    """Put a game into the lists where it belongs, even if they have it at a later status."""
    steps = Steps(store.redis)
    index.add_steps(steps, store.load(game_id), was, anew=True)
    steps.execute()


class _Rebuild(Rebuild):
    def add(self, store: GameStore, game: LoadedGame) -> None:
        """Update the lists of a game. If the game is running or has invitations, have the sweep
        note its deadline and call a worker for its bots."""
        marks = Marks(store.redis)
        marks.mark_uncertain(game.state.id)
        _list_again(store, game.state.id)
        if game.state.status == PLAYING or game.state.invitations:
            marks.mark_uncertain(game.state.id)
            marks.schedule_check(game.state.id)

    def finish(self, store: GameStore, ids: set[str]) -> None:
        index.forget_others(store, ids)


@dataclass
class _Survey(Survey):
    none: set[str] = field(default_factory=set)

    def findings(self, store: GameStore, read: Read) -> Iterator[Finding]:
        for key in index.all_lists(store.redis):
            for game_id in sorted(index.games_in(store.redis, key) - read.ids):
                if not store.has(game_id) and not is_marked(store.redis, game_id):
                    yield Finding("lists-differ", game_id,
                                  f"{key} has it, and it has no history")


class Deadlines(Projection):
    """The times at which the service checks the clocks of games. The append of an entry notes them
    itself (``Clocks.follow``), as most entries change none; after a rebuild, the sweep does."""

    name = "deadlines"
    keys = r"\{games:[^}]*\}:deadlines"
    advice: ClassVar[Mapping[str, str]] = {"deadline-missing": REBUILD}

    def repair(self, games: Games, game: LoadedGame) -> None:
        games.clocks.schedule(game, games.clocks.deadlines(game))

    def wrong_with(self, store: GameStore, known: LoadedGame) -> Iterator[Finding]:
        noted = store.redis.zscore(buckets.key(known.state.id, "deadlines"), known.state.id)
        if has_deadline(known) and noted is None:
            yield Finding("deadline-missing", known.state.id, "nobody looks at its clock")


class TournamentLists(Projection):
    """The lists of tournaments by status, and when the director has to check them."""

    name = "tournaments"
    keys = r"\{tournaments\}:.*|tournaments(:.*)?"
    kind = TournamentStore.kind
    advice: ClassVar[Mapping[str, str]] = {"lists-differ": REBUILD}

    def begin_rebuild(self, store: GameStore) -> Rebuild:
        return _TournamentsRebuild()

    def wrong_with(self, store: TournamentStore, known: LoadedTournament) -> Iterator[Finding]:
        if not tournaments.is_listed(store, known):
            yield Finding("lists-differ", known.state.id, "the list of its status lacks it")


class _TournamentsRebuild(Rebuild):
    def finish(self, store: GameStore, ids: set[str]) -> None:
        tournaments.rebuild(TournamentStore(store.redis))
