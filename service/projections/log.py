"""Which finished games are in the log, and when they get there (docs/fairness.md).

A finished game waits for its line; the sweep writes it within seconds (``service.store.log``). So
no request waits for it, and nothing is lost if a process dies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from redis import Redis

from domain.game.state import FINISHED, State
from domain.log import BrokenLog, Log
from service.games.marks import is_marked
from service.games.visibility import is_public
from service.projections.projection import (
    REBUILD,
    Finding,
    Projection,
    Read,
    Rebuild,
    Survey,
    readable,
)
from service.store.games import GameStore, LoadedGame
from service.store.guarding import log_errors
from service.store.loaded import Rollback
from service.store.log import BATCH_SIZE, LINES, WAITING, Ended, GameLog
from service.store.steps import Steps
from service.times import in_ms


def is_logged(state: State) -> bool:
    """Return whether a game belongs in the log, unless it was imported: it is over, and was begun.
    Private games do, too, as the hash of the last entry reveals nothing."""
    return state.status == FINISHED and state.was_begun


def catch_up(store: GameStore) -> None:
    """Write the lines of the games that wait."""
    game_log = store.log
    with log_errors("finished games cannot be logged"):
        waiting = game_log.waiting()
        imported = store.imported(game.game for game in waiting)
        game_log.drop(imported)
        game_log.append([game for game in waiting if game.game not in imported])


def wrong(store: GameStore, ended: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield (where, why) for each error of the log. ``ended`` are the games that should be in it,
    each with its last hash."""
    game_log, read, start = store.log, Log(), 0
    try:
        while lines := game_log.lines(start, BATCH_SIZE):
            for line in lines:
                read.add(line)
            start += len(lines)
    except (BrokenLog, ValueError) as error:
        yield LINES, str(error)
        return
    for game_id, last in ended.items():
        if reason := read.wrong_with(game_id, last):
            yield game_id, reason


class PublicLog(Projection):
    """The log that everybody may read, of all finished games."""

    name = "public_log"
    keys = r"\{log\}:(?!lines$).*"  # the lines are in no history: backups keep them
    advice: ClassVar[Mapping[str, str]] = {
        "log-lacks": REBUILD,
        "log-broken": "find out who has changed the list in Redis, and put it back from a backup: "
                      "who holds heads of the log finds it out as well",
    }

    def apply(self, store: GameStore, steps: Steps, game: LoadedGame, was: State | None) -> None:
        """Note that a finished game waits for its line."""
        if is_logged(game.state):
            _wait(steps.pipe, game)

    def take_back(self, store: GameStore, rollback: Rollback[LoadedGame]) -> None:
        """After a rollback, write no line for a game that is not over any more. An existing line
        stays."""
        if rollback.was.state.status == FINISHED:
            GameLog(store.redis).drop([rollback.was.state.id])

    def catch_up(self, store: GameStore) -> None:
        catch_up(store)

    def backlog(self, redis: Redis) -> int:
        return redis.hlen(WAITING)

    def begin_rebuild(self, store: GameStore) -> Rebuild:
        return _Rebuild()

    def survey(self) -> Survey:
        return _Survey()


class _Rebuild(Rebuild):
    def add(self, store: GameStore, game: LoadedGame) -> None:
        """Note that a game may wait for its line. Lines that exist are never rewritten."""
        if is_logged(game.state):
            _wait(store.redis, game)


def _wait(redis: Redis, game: LoadedGame) -> None:
    GameLog(redis).wait([Ended(in_ms(game.updated), game.state.id, game.hash,
                               is_public(game.state))])


@dataclass
class _Survey(Survey):
    ended: dict[str, str] = field(default_factory=dict)  # games that belong in the log: last hash

    def note(self, store: GameStore, game: LoadedGame) -> None:
        if is_logged(game.state) and not store.imported([game.state.id]):
            self.ended[game.state.id] = game.hash

    def findings(self, store: GameStore, read: Read) -> Iterator[Finding]:
        waiting = {game.game for game in GameLog(store.redis).waiting()}
        for where, reason in wrong(store, self.ended):
            if where not in self.ended:
                yield Finding("log-broken", where, reason)
            elif where not in waiting and not is_marked(store.redis, where):
                game = readable(store, where)  # it may have been rolled back
                if game and game.hash == self.ended[where]:
                    yield Finding("log-lacks", where, reason)
