"""The log of finished games, and the statistics that are sums over it.

``{stats}:games``        the log: game id -> when it was added, in milliseconds since 1970. Each
                         game that is added as it finishes has a time of its own, so that a
                         reader who continues after the last one misses none
``{stats}:version``      random text, replaced when a game is taken back
``{stats}:waiting``      finished game -> the games of its deal, as JSON; some are not over yet

The log has the games that everybody may see and that were played from the start to a result. Games
of a deal that is played several times are added once the whole deal is over. One script
(``service.projections.scripts``) adds a game to the log and to all statistics. It does nothing if
the log has the game, so each game is counted once, even if a process dies or retries.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import orjson
from redis import Redis

from domain.errors import BrokenHistory
from domain.game.state import FINISHED, State
from service.errors import UnknownThing
from service.games.visibility import is_deal_over, is_duplicate, is_public
from service.projections import scripts
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
from service.store.scripts import Script
from service.store.steps import Steps
from service.store.versioned import new_version
from service.times import in_ms

PREFIX = "{stats}:"
GAMES, WAITING = PREFIX + "games", PREFIX + "waiting"
VERSION = PREFIX + "version"
DAY = 86_400  # seconds

Adds = Mapping[str, Any]  # name of a row -> numbers to add to it: a list, or a dict by name


def read_sums(redis: Redis, key: str) -> dict[str, list[int]]:
    """Return the rows of a statistic of sums, by name."""
    return {name.decode(): [*map(int, row.split())] for name, row in redis.hgetall(key).items()}


@dataclass(frozen=True)
class Statistic:
    """A statistic of finished games.

    ``adds`` returns what one game adds. ``how`` is the Lua function that adds it, or takes it back
    (``scripts.CHANGE``). ``more_keys`` are the ends of further keys that it uses. ``read`` returns
    all rows."""

    name: str
    adds: Callable[[LoadedGame], Adds]
    how: str = "sum"
    more_keys: tuple[str, ...] = ()
    read: Callable[[Redis, str], Adds] = read_sums

    @property
    def key(self) -> str:
        """The key in Redis that has its rows."""
        return self.keys(PREFIX)[0]

    def keys(self, prefix: str) -> list[str]:
        """Return its keys, which all begin with a prefix."""
        return [prefix + self.name, *(f"{prefix}{self.name}:{end}" for end in self.more_keys)]


def logged_games(redis: Redis) -> set[str]:
    """Return the games in the log."""
    return {game.decode() for game, _ in redis.zscan_iter(GAMES, count=1000)}


def mean(total: int, count: int) -> float:
    """Return a mean or a share as the API shows it, 0 if the count is 0."""
    return round(total / count, 4) if count else 0.0


def is_counted(state: State) -> bool:
    """Return whether a game belongs in the log once its deal is over: it has a result, is visible
    to everybody then, and is no fork."""
    return bool(state.status == FINISHED and state.results and state.fork is None
                and (is_public(state) or is_duplicate(state)))


def flat(statistic: str, adds: Adds) -> Iterator[tuple[str, int]]:
    """Yield each number of a statistic's rows with a name of its own, zeros left out."""
    for name, row in adds.items():
        for part, number in row.items() if isinstance(row, Mapping) else enumerate(row):
            if number:
                yield f"{statistic}: {name}: {part}", number


class FinishedGames(Projection):
    """The log of finished games, and all statistics that are counted from it."""

    name = "statistics"
    keys = r"\{stats\}:(?!games$).*"  # backups keep the log: its times are in no history
    advice: ClassVar[Mapping[str, str]] = {"statistics-differ": REBUILD}

    def __init__(self, statistics: Sequence[Statistic]):
        self.statistics = statistics

    # Keeping it up to date

    def apply(self, store: GameStore, steps: Steps, game: LoadedGame, was: State | None) -> None:
        """Add a finished game to the log and count it; or, if its deal is not over, note that it
        waits."""
        if not is_counted(game.state):
            return
        if is_duplicate(game.state):
            _wait(steps.pipe, game.state)
            return
        keys, args = self._words(game.state.id, self.adds(game))
        # as an EVAL, so that a pipeline runs it in order even if Redis does not know the script
        steps.pipe.execute_command("EVAL", scripts.CHANGE, len(keys), *keys, *args)

    def adds(self, game: LoadedGame) -> dict[str, Adds]:
        """Return what a game adds to each statistic. A statistic that fails on the game is left
        out, and the error is logged."""
        adds: dict[str, Adds] = {}
        for statistic in self.statistics:
            with log_errors(f"{game.state.id} cannot be counted for {statistic.name}"):
                adds[statistic.name] = statistic.adds(game)
        return adds

    def _words(
        self, game_id: str, adds: Mapping[str, Adds], sign: int = 1, *, at: int | str = "",
        prefix: str = PREFIX,
    ) -> tuple[list[str], list[str | int | bytes]]:
        """Return the keys and arguments of ``scripts.CHANGE``."""
        keys = [prefix + "games", VERSION]
        args: list[str | int | bytes] = [game_id, sign, at, new_version() if sign < 0 else ""]
        for statistic in self.statistics:
            if statistic.name in adds:
                own = statistic.keys(prefix)
                keys += own
                args += [statistic.how, len(own), orjson.dumps(adds[statistic.name])]
        return keys, args

    def take_back(self, store: GameStore, rollback: Rollback[LoadedGame]) -> None:
        """Remove a game that is not over any more from the log and the statistics."""
        state = rollback.was.state
        if state.status == FINISHED:
            store.redis.hdel(WAITING, state.id)
        if is_counted(state):
            self.change(store.redis, *self._words(state.id, self.adds(rollback.was), -1))

    def change(
        self, redis: Redis, keys: Sequence[str], args: Sequence[str | int | bytes]
    ) -> None:
        """Add a game to the log and to statistics, or take it out, given ``_words``."""
        Script(redis, scripts.CHANGE)(keys, args)

    def catch_up(self, store: GameStore) -> None:
        """Add the games of deals that are over to the log."""
        with log_errors("finished games cannot be counted"):
            if waiting := store.redis.hgetall(WAITING):
                self._end_deals(store, {game.decode(): orjson.loads(deal)
                                        for game, deal in waiting.items()})

    def _end_deals(self, store: GameStore, waiting: Mapping[str, list[str]]) -> None:
        ended = store.ended({other for deal in waiting.values() for other in deal})
        ready = [game for game, deal in waiting.items() if all(other in ended for other in deal)]
        for game_id in sorted(ready, key=lambda game: (ended[game], game)):
            with log_errors(f"{game_id} cannot be counted"):
                game = store.load(game_id)
                if is_counted(game.state):
                    self.change(store.redis, *self._words(game_id, self.adds(game)))
            store.redis.hdel(WAITING, game_id)

    def backlog(self, redis: Redis) -> int:
        return redis.hlen(WAITING)

    # Rebuilding

    def begin_rebuild(self, store: GameStore) -> Rebuild:
        return _Rebuild(self, store.redis)

    # Checking

    def survey(self) -> Survey:
        return _Survey(self)


def _wait(redis: Any, state: State) -> None:
    redis.hset(WAITING, state.id, orjson.dumps(state.deal))


def _counted_game(store: GameStore, game_id: str) -> LoadedGame | None:
    """Return a game that belongs in the log, None if it does not, is gone, or is broken."""
    try:
        game = store.load(game_id)
    except (UnknownThing, BrokenHistory):
        return None
    return game if is_counted(game.state) else None


class _Rebuild(Rebuild):
    """New statistics, which are counted under other keys while the old ones stay in use.

    Games keep the times that they have in the log; a log that is lost is made from their ends. The
    few games that finish meanwhile are loaded at the end."""

    def __init__(self, finished: FinishedGames, redis: Redis):
        self._finished, self._redis = finished, redis
        self._prefix = f"{PREFIX}new:{secrets.token_hex(8)}:"
        self._log = {game.decode() for game in redis.zrange(GAMES, 0, -1)}
        self._missing: dict[str, int] = {}  # game -> when it ended
        self._deals: list[str] = []
        self._version = redis.get(VERSION) or b""

    def add(self, store: GameStore, game: LoadedGame) -> None:
        game_id = game.state.id
        if not is_counted(game.state):
            return
        if game_id in self._log:
            self._count(game_id, self._finished.adds(game))
            self._keep()
        elif is_duplicate(game.state):
            self._deals.append(game_id)
        else:
            self._missing[game_id] = in_ms(game.updated)

    def _count(self, game_id: str, adds: Mapping[str, Adds]) -> None:
        self._finished.change(self._redis, *self._finished._words(
            game_id, adds, at=0, prefix=self._prefix))

    def _keep(self) -> None:
        """Extend the life of the new keys by a day; they expire if the rebuild dies."""
        pipe = self._redis.pipeline(transaction=False)
        for key in self._new_keys():
            pipe.expire(key, DAY)
        pipe.execute()

    def _new_keys(self) -> list[str]:
        own = [key for each in self._finished.statistics for key in each.keys(self._prefix)]
        return [self._prefix + "games", *own]

    def finish(self, store: GameStore, ids: set[str]) -> None:
        self._complete_log(store)
        while more := self._replace():
            if more == [b""]:  # a game was taken back: start again
                self._redis.delete(*self._new_keys())
                self._version = self._redis.get(VERSION) or b""
            for game_id in filter(None, (game.decode() for game in more)):
                if game := _counted_game(store, game_id):
                    self._count(game_id, self._finished.adds(game))
                else:
                    self._redis.zrem(GAMES, game_id)
            self._keep()

    def _complete_log(self, store: GameStore) -> None:
        for game_id in self._deals:
            if game := _counted_game(store, game_id):
                _wait(self._redis, game.state)
        if not self._log and self._missing:
            self._redis.zadd(GAMES, self._missing, nx=True)
            return
        for game_id in sorted(self._missing, key=lambda game: (self._missing[game], game)):
            # added last, so that a reader finds it
            self._finished.change(self._redis, *self._finished._words(game_id, {}))

    def _replace(self) -> list[bytes]:
        keys = [key for each in self._finished.statistics
                for pair in zip(each.keys(PREFIX), each.keys(self._prefix), strict=True)
                for key in pair]
        return Script(self._redis, scripts.REPLACE)(
            [GAMES, self._prefix + "games", VERSION, *keys], [self._version, new_version()])


@dataclass
class _Survey(Survey):
    finished: FinishedGames
    counted: set[str] = field(default_factory=set)
    sums: Counter[str] = field(default_factory=Counter)
    before: set[str] = field(default_factory=set)  # the log, before any game was read

    def begin(self, store: GameStore) -> None:
        self.before = logged_games(store.redis)

    def note(self, store: GameStore, game: LoadedGame) -> None:
        state = game.state
        if is_counted(state) and (not is_duplicate(state) or is_deal_over(store, state.deal)):
            self.counted.add(state.id)
            for name, adds in self.finished.adds(game).items():
                self.sums.update(dict(flat(name, adds)))

    def findings(self, store: GameStore, read: Read) -> Iterator[Finding]:
        redis = store.redis
        games = logged_games(redis)
        waiting = {game.decode() for game in redis.hkeys(WAITING)}
        for game_id in sorted(self.counted - games - waiting):
            yield Finding("statistics-differ", game_id, "it is not counted")
        for game_id in sorted(games - self.counted - read.unread):
            game = readable(store, game_id)  # it may have ended meanwhile
            if game is None or not is_counted(game.state):
                yield Finding("statistics-differ", game_id, "it is counted, and should not be")
        if games == self.before == self.counted:  # else games were counted meanwhile
            for statistic in self.finished.statistics:
                there = dict(flat(statistic.name, statistic.read(redis, statistic.key)))
                start = f"{statistic.name}: "
                should = {name: number for name, number in self.sums.items()
                          if number and name.startswith(start)}
                if wrong := sorted({name for name, _ in should.items() ^ there.items()}):
                    yield Finding("statistics-differ", statistic.key,
                                  f"wrong counts: {', '.join(wrong[:5])}")
