"""``Games``: the store, clocks, pub/sub and queues that all functions on games share.

``playing`` appends to games; ``creating`` and ``lobby`` use it. ``visibility`` shows games.

``fogg:lost``  exists after a rollback, for as long as a client may come back with a lost version
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING

from redis import Redis

from domain.errors import BrokenHistory
from domain.game.state import FINISHED, State
from service.accounts import accounts
from service.errors import Revoked, UnknownThing
from service.eventlog.loaded import Rollback
from service.eventlog.store import Store
from service.games.clocks import Clocks
from service.games.marks import Marks
from service.games.store import GameStore, LoadedGame
from service.games.strengths import Strengths
from service.redis.deleted import AccountIds
from service.redis.gathering import gather
from service.redis.news import News
from service.redis.queue import Queues

if TYPE_CHECKING:
    from service.accounts.accounts import Account
    from service.games.notices import Fact, NoticeSource
    from service.records.database import Database
    from service.records.keeping import Kept
    from service.records.projection import Projection

LOST = "fogg:lost"
LOST_MS = 900_000  # milliseconds after which no client comes back with a lost version
ASKED = 1.0  # seconds for which an answer of Redis is used again


class RecentRollbacks:
    """Whether there was a rollback, cached for a second in each process."""

    def __init__(self, redis: Redis):
        self._redis = redis
        self._is_so, self._asked = False, float("-inf")

    def note(self) -> None:
        self._redis.set(LOST, 1, px=LOST_MS)
        self._is_so, self._asked = True, time.monotonic()

    @property
    def has_lost(self) -> bool:
        if time.monotonic() - self._asked > ASKED:
            self._is_so, self._asked = bool(self._redis.exists(LOST)), time.monotonic()
        return self._is_so


@dataclass(eq=False)
class Games:
    """The games of a service, with the parts that the functions on games need."""

    store: GameStore
    news: News
    queues: Queues  # of the workers
    clocks: Clocks
    database: Database  # of the games that are over
    # called after every append
    listeners: list[Callable[[LoadedGame], None]] = field(default_factory=list)
    # what features compute from what is recorded
    projections: list[Callable[[Games], Projection]] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)  # all kinds of histories, games first
    strengths: Strengths = field(default_factory=Strengths)  # of players
    # for creators of games that are no accounts: first letter of the id -> the account behind one
    creators: dict[str, Callable[[str], str]] = field(default_factory=dict)
    # notices that are not about games
    notices: list[NoticeSource] = field(default_factory=list)
    # called with the fact of each new one, and the accounts that get the notice
    on_notice: list[Callable[[Fact, Set[str]], None]] = field(default_factory=list)
    # wrap the notices that an account listens to: (account, notices) -> the same notices
    listening: list[Callable[[Account, Iterator], Iterator]] = field(default_factory=list)
    # called after a rollback of a game, in the first process that finds it
    on_rollback: list[Callable[[Rollback[LoadedGame]], None]] = field(default_factory=list)

    @property
    def redis(self) -> Redis:
        return self.store.redis

    @cached_property
    def marks(self) -> Marks:
        return Marks(self.redis)

    @cached_property
    def blocking(self) -> AccountIds:
        return AccountIds(self.redis, "accounts:blocking")

    @cached_property
    def recent_rollbacks(self) -> RecentRollbacks:
        return RecentRollbacks(self.redis)

    @cached_property
    def answering_for(self) -> Callable[[str], str]:
        """Return the account that answers for the games of a creator: a bot's owner, the account
        behind another creator (``creators``), or the creator itself."""
        return lru_cache(10_000)(self._answering_for)

    def _answering_for(self, creator: str) -> str:
        creator = self.creators.get(creator[:1], str)(creator)
        try:
            return accounts.get(self.redis, creator).answers_for or creator
        except UnknownThing:
            return creator

    @property
    def stores(self) -> list[Store]:
        return [kept.store for kept in self.kept]

    def store_of(self, some_id: str) -> Store:
        """Return the store of a history, by the first letter of its id."""
        return next(store for store in self.stores if store.letter == some_id[:1])

    @property
    def broken(self) -> list[str]:
        """The ids of broken histories that this process has come across."""
        return [some_id for store in self.stores for some_id in sorted(store.broken)]

    @property
    def secret(self) -> bytes:
        """The service's secret, from which invitation codes are made."""
        return self.store.secret

    def get(self, game_id: str) -> LoadedGame:
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
        gather(
            [
                partial(self.marks.mark, game.state.id, 0)
                for game in self.store.kept()
                if game.state.status != FINISHED
            ]
        )

    def check_tokens(self, tokens: tuple[str, ...]) -> None:
        """Raise Revoked if one of these tokens, named by their keys, was revoked."""
        if tokens and self.redis.exists(*tokens) < len(tokens):
            raise Revoked
