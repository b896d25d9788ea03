"""``Games``: the store, clocks, pub/sub and queue that all functions on games share.

``playing`` appends to games; ``creating`` and ``lobby`` use it. ``visibility`` shows games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING

from redis import Redis
from rq import Queue

from domain.errors import BrokenHistory
from domain.game.state import FINISHED, State
from service.errors import Revoked, UnknownThing
from service.games import workers
from service.games.clocks import Clocks
from service.games.marks import Marks
from service.games.recent_rollbacks import RecentRollbacks
from service.store.deleted import AccountIds
from service.store.games import GameStore, LoadedGame
from service.store.gathering import gather
from service.store.news import News
from service.store.tournaments import TournamentStore

if TYPE_CHECKING:
    from service.store.sql.database import Database


@dataclass(frozen=True)
class Games:
    """The games of a service, with the parts that the functions on games need."""

    store: GameStore
    tournaments: TournamentStore  # that games are played in
    news: News
    queue: Queue  # of the jobs that play built-in bots
    clocks: Clocks
    database: Database  # of the games that are over
    # called after every append
    listeners: list[Callable[[LoadedGame], None]] = field(default_factory=list)

    @property
    def redis(self) -> Redis:
        return self.store.redis

    @cached_property
    def marks(self) -> Marks:
        """The games that the sweep must check."""
        return Marks(self.redis)

    @cached_property
    def blocking(self) -> AccountIds:
        """The accounts that have ever blocked another."""
        return AccountIds(self.redis, "accounts:blocking")

    @cached_property
    def recent_rollbacks(self) -> RecentRollbacks:
        """Whether any game was rolled back in the last minutes."""
        return RecentRollbacks(self.redis)

    @cached_property
    def answering_for(self) -> Callable[[str], str]:
        """Return the account that answers for the games of a creator: a bot's owner, a tournament's
        creator, or the creator itself."""
        return lru_cache(10_000)(partial(workers.answering_for, self.redis))

    @property
    def secret(self) -> bytes:
        """The service's secret, from which invitation codes are made."""
        return self.store.secret

    def get(self, game_id: str) -> LoadedGame:
        """Return the present state of a game."""
        return self.store.load(game_id)

    def readable(self, game_ids: Iterable[str]) -> list[State]:
        """Return the present states of games; leave out missing and broken ones."""
        states: list[State] = []

        def read(game_id: str) -> None:
            with suppress(UnknownThing, BrokenHistory):
                states.append(self.get(game_id).state)

        gather([partial(read, game_id) for game_id in game_ids])
        return states

    def mark_kept(self) -> None:
        """Mark all cached games that are not over, so that the sweep updates their lists and
        deadlines. Redis may have lost those even if it has the entries."""
        gather([partial(self.marks.mark, game.state.id, 0)
                for game in self.store.kept() if game.state.status != FINISHED])

    def check_tokens(self, tokens: tuple[str, ...]) -> None:
        """Raise Revoked if one of these tokens, named by their keys, was revoked."""
        if tokens and self.redis.exists(*tokens) < len(tokens):
            raise Revoked
