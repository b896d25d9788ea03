"""The games of a service: get, decide, append. What can be done with them is in ``creating``,
``lobby`` and ``playing``; who sees what of them, in ``sight``."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial

from redis import Redis, RedisError
from redis.exceptions import RedisClusterException
from rq import Queue

from domain.entry import Once, Timing
from domain.errors import FoggError, Refused
from domain.game.commands import Command, TimeOut
from domain.game.events import Event
from domain.game.fold import play
from domain.game.state import FINISHED, State
from service.errors import Revoked
from service.games import workers
from service.games.clocks import Clocks, is_timed
from service.games.lately import Lately
from service.games.marks import Marks
from service.store.games import GameStore, KnownGame
from service.store.histories import Conflict
from service.store.news import News
from service.store.side_by_side import side_by_side
from service.times import now_in_ms

# a game -> the seat that acts, None for the service or a creator, and its command
Decision = Callable[[KnownGame], tuple[int | None, object]]

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Games:
    """Everything that the application functions need."""

    store: GameStore
    news: News
    queue: Queue
    clocks: Clocks
    file: Callable[[Redis, KnownGame, State], None]  # puts a game where lists and records look
    # told of every append
    listeners: list[Callable[[KnownGame], None]] = field(default_factory=list)

    @property
    def redis(self) -> Redis:
        return self.store.redis

    @cached_property
    def marks(self) -> Marks:
        """What the sweep is to look at."""
        return Marks(self.redis)

    @cached_property
    def lately(self) -> Lately:
        """Whether any game has gone back lately."""
        return Lately(self.redis)

    @cached_property
    def answering_for(self) -> Callable[[str], str]:
        """Return the account that answers for what another, or a tournament, has created."""
        return lru_cache(10_000)(partial(workers.answering_for, self.redis))

    @property
    def secret(self) -> bytes:
        """The service's secret, from which invitation codes are made."""
        return self.store.secret

    def get(self, game_id: str) -> KnownGame:
        """Return a game as it is now."""
        return self.store.load(game_id)

    def do(
        self, game_id: str, decision: Decision, once: Once | None = None,
        tokens: tuple[str, ...] = (), note: str | None = None,
        thinking: int | None = None,
    ) -> KnownGame:
        """Decide on the game and append, again if others were quicker; return the game as it is
        right after. What was done already under the same key is not done again.

        ``tokens`` are the keys of tokens without which nothing is done or told; ``note`` is kept
        next to an action; ``thinking`` is how long a built-in bot says that it thought, in
        milliseconds.
        """
        arrived = now_in_ms()

        def attempt(game: KnownGame) -> KnownGame:
            seat, command = decision(game)
            events, state = play(game.state, seat, command)
            timed = is_timed(game, seat, command)
            timing = self.clocks.timing(game, seat, arrived, thinking) if timed else None
            if isinstance(command, TimeOut) and not game.state.clock:
                timing = self.clocks.silence(game, seat)
            return self.append(game, events, state, seat, command, once, timing, tokens, note)

        try:
            game, is_done_now = self.store.do(game_id, attempt, once)
        except Conflict:
            raise Refused("too-busy", "9", "others were quicker too often; try again") from None
        except FoggError:
            self.check_tokens(tokens)
            raise
        if not is_done_now:
            self.check_tokens(tokens)
        return game

    def mark_kept(self) -> None:
        """Have the sweep file all games under way that this process keeps, as Redis may have lost
        what was written after their entries: lists and deadlines."""
        side_by_side([partial(self.marks.unfiled, game.state.id, 0)
                      for game in self.store.kept() if game.state.status != FINISHED])

    def check_tokens(self, tokens: tuple[str, ...]) -> None:
        """Raise Revoked if one of these tokens, named by their keys, was revoked."""
        if tokens and self.redis.exists(*tokens) < len(tokens):
            raise Revoked

    def append(
        self,
        game: KnownGame,
        events: list[Event],
        state: State,
        seat: int | None = None,
        command: object = None,
        once: Once | None = None,
        timing: Timing | None = None,
        tokens: tuple[str, ...] = (),
        note: str | None = None,
        is_marked: bool = False,
    ) -> KnownGame:
        """Append what a command has come to, and tell all whom it concerns; return the game.
        ``is_marked``: what is to be filed was marked already."""
        is_action = isinstance(command, Command)
        is_filed = not is_action or state.status != game.state.status
        lease = workers.lease(state, seat)
        if is_filed:
            if not is_marked:
                self.marks.unfiled(state.id, state.version)
        elif lease and lease[0] == workers.TAKE:
            self.marks.look_at(state.id)
        new, called = self.store.append(
            game, events, state,
            seat=seat if is_action or timing else None,
            action=command if is_action else None,
            note=note,
            once=once,
            timing=timing,
            lease=lease,
            tokens=tokens,
        )
        try:
            if game.since or new.since:  # else no deadline is noted, and none is to be
                self.clocks.follow(game, new)
            if is_filed:  # last, as it drops the mark by which the sweep would find the game
                self.file(self.redis, new, game.state)
            for listener in self.listeners:
                listener(new)
        except (RedisError, RedisClusterException, OSError) as error:  # the sweep does it
            log.warning("%s could not be filed: %r", state.id, error)
        if called:
            workers.call(self.queue, state, self.answering_for(state.creator))
        return new
