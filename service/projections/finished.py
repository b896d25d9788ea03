"""The log of finished games, and the statistics that are sums over it.

``{stats}:games``        the log: game id -> when it was added, in milliseconds since 1970. Each
                         game that is added as it finishes has a time of its own, so that a
                         reader who continues after the last one misses none
``{stats}:checkpoints``  statistic -> "WHEN GAME", the last game of the log that it counts
``{stats}:version``      random text, replaced when a game is taken back
``{stats}:waiting``      finished game -> the games of its deal, as JSON; some are not over yet

The log has the games that everybody may see and that were played from the start to a result. Games
of a deal that is played several times are added once the whole deal is over. A statistic counts
them in the order of the log. One script (``service.projections.scripts``) counts a game and moves
the checkpoint. It does nothing unless the statistic counts all games before, so each game is
counted once, even if a process dies or retries. A statistic that is behind continues from its
checkpoint; a rebuild starts without one.
"""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
GAMES, CHECKPOINTS, WAITING = PREFIX + "games", PREFIX + "checkpoints", PREFIX + "waiting"
VERSION = PREFIX + "version"
BATCH = 50  # games counted per run of the sweep, and read from the log at a time
DAY = 86_400  # seconds

Adds = Mapping[str, Any]  # name of a row -> numbers to add to it: a list, or a dict by name


def read_sums(redis: Redis, key: str) -> dict[str, list[int]]:
    """Return the rows of a statistic whose script is ``scripts.SUM``, by name."""
    return {name.decode(): [*map(int, row.split())] for name, row in redis.hgetall(key).items()}


@dataclass(frozen=True)
class Statistic:
    """A statistic of finished games.

    ``adds`` returns what one game adds. ``script`` is the Lua that adds it, or takes it back, given
    ``keys``, ``adds`` and ``sign`` (1 or -1). ``more_keys`` are the ends of further keys that it
    uses. ``read`` returns all rows."""

    name: str
    adds: Callable[[LoadedGame], Adds]
    script: str = scripts.SUM
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
        self.statistics, self._names = statistics, [each.name for each in statistics]
        adding = "".join(f"function add.{each.name}(keys, adds, sign) {each.script} end\n"
                         for each in statistics)
        adding = scripts.FUNCTIONS + adding
        self._count_new, self._count_old, self._take_back, self._next, self._ends, self._replace = (
            re.sub(r"\n +", "\n", text) for text in (
                adding + scripts.NEW_GAME + scripts.COUNT,
                adding + scripts.PLACE + scripts.OLD_GAME + scripts.COUNT,
                adding + scripts.PLACE + scripts.TAKE_BACK,
                scripts.PLACE + scripts.NEXT, scripts.ENDS, scripts.PLACE + scripts.REPLACE))

    # Keeping it up to date

    def apply(self, steps: Steps, game: LoadedGame, was: State | None) -> None:
        """Add a finished game to the log and count it; or, if its deal is not over, note that it
        waits."""
        if not is_counted(game.state):
            return
        if is_duplicate(game.state):
            _wait(steps.pipe, game.state)
            return
        keys, args = self._words(game.state.id, self.adds(game))
        # as an EVAL, so that a pipeline runs it in order even if Redis does not know the script
        steps.pipe.execute_command("EVAL", self._count_new, len(keys), *keys, *args)

    def adds(self, game: LoadedGame) -> dict[str, Adds]:
        """Return what a game adds to each statistic. A statistic that fails on the game is left
        out, and the error is logged."""
        adds: dict[str, Adds] = {}
        for statistic in self.statistics:
            with log_errors(f"{game.state.id} cannot be counted for {statistic.name}"):
                adds[statistic.name] = statistic.adds(game)
        return adds

    def _words(
        self, game_id: str, adds: Mapping[str, Adds], prefix: str = PREFIX
    ) -> tuple[list[str], list[str | int | bytes]]:
        """Return the keys and arguments of the scripts that count games and take them back."""
        keys = [GAMES, prefix + "checkpoints"]
        args: list[str | int | bytes] = [game_id]
        for statistic in self.statistics:
            if statistic.name in adds:
                own = statistic.keys(prefix)
                keys += own
                args += [statistic.name, len(own), orjson.dumps(adds[statistic.name])]
        return keys, args

    def take_back(self, store: GameStore, rollback: Rollback[LoadedGame]) -> None:
        """Remove a game that is not over any more from the log and the statistics."""
        state = rollback.was.state
        if state.status == FINISHED:
            store.redis.hdel(WAITING, state.id)
        if is_counted(state):
            keys, args = self._words(state.id, self.adds(rollback.was))
            Script(store.redis, self._take_back)([*keys, VERSION], [*args, new_version()])

    def catch_up(self, store: GameStore) -> None:
        """Add the games of deals that are over to the log. For each statistic that is behind, count
        the next games."""
        with log_errors("finished games cannot be counted"):
            waiting, behind = self.ends(store.redis)
            if waiting and self._end_deals(store, waiting):
                _, behind = self.ends(store.redis)
            if behind:
                for game_id in self._next_games(store.redis, behind):
                    self._count_next(store.redis, game_id, self._adds_of(store, game_id, behind))

    def _end_deals(self, store: GameStore, waiting: Mapping[str, list[str]]) -> bool:
        """Add the games of deals that are over to the log; return whether there were any."""
        ended = store.ended({other for deal in waiting.values() for other in deal})
        ready = [game for game, deal in waiting.items() if all(other in ended for other in deal)]
        for game_id in sorted(ready, key=lambda game: (ended[game], game)):
            with log_errors(f"{game_id} cannot be counted"):
                game = store.load(game_id)
                if is_counted(game.state):
                    keys, args = self._words(game_id, self.adds(game))
                    Script(store.redis, self._count_new)(keys, args)
            store.redis.hdel(WAITING, game_id)
        return bool(ready)

    def ends(self, redis: Redis) -> tuple[dict[str, list[str]], list[str]]:
        """Return the waiting games, each with the games of its deal, and the statistics that are
        behind."""
        rows, behind = Script(redis, self._ends)([GAMES, CHECKPOINTS, WAITING], self._names)
        waiting = {game.decode(): orjson.loads(deal)
                   for game, deal in zip(rows[::2], rows[1::2], strict=True)}
        return waiting, [name.decode() for name in behind]

    def _next_games(self, redis: Redis, names: Iterable[str], prefix: str = PREFIX) -> list[str]:
        """Return the next games of the log after those that all of these statistics count."""
        rows = Script(redis, self._next)([GAMES, prefix + "checkpoints"], [BATCH, *names])
        return [row.decode() for row in rows]

    def _adds_of(self, store: GameStore, game_id: str, names: Iterable[str]) -> dict[str, Adds]:
        """Return what a game in the log adds to statistics: nothing if it cannot be counted, so
        that it does not block the games after it."""
        game = _counted_game(store, game_id)
        adds = self.adds(game) if game else {}
        return {name: adds.get(name, {}) for name in names}

    def _count_next(
        self, redis: Redis, game_id: str, adds: Mapping[str, Adds], prefix: str = PREFIX
    ) -> None:
        keys, args = self._words(game_id, adds, prefix)
        Script(redis, self._count_old)(keys, args)

    def backlog(self, redis: Redis) -> int:
        return self.uncounted(redis) + redis.hlen(WAITING)

    def uncounted(self, redis: Redis) -> int:
        """Return the number of games in the log that the slowest statistic has yet to count."""
        _, behind = self.ends(redis)
        games = self._next_games(redis, behind) if behind else []
        rank = redis.zrank(GAMES, games[0]) if games else None
        return 0 if rank is None else redis.zcard(GAMES) - rank

    # Rebuilding

    def begin_rebuild(self, store: GameStore) -> Rebuild:
        return _Rebuild(self, store.redis)

    def rebuild_game(
        self, store: GameStore, game: LoadedGame
    ) -> tuple[int, bool, dict[str, Adds]] | None:
        """Return when a game ended, whether ``catch_up`` has to add it to the log, and what it adds
        to each statistic."""
        if not is_counted(game.state):
            return None
        return in_ms(game.updated), is_duplicate(game.state), self.adds(game)

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
    """New statistics, which are counted while the old ones stay in use.

    Games keep the times that they have in the log; a log that is lost is made from their ends. The
    games are read in the order of the log, so that they are counted as they are read; the few that
    finish meanwhile are loaded at the end."""

    def __init__(self, finished: FinishedGames, redis: Redis):
        self._finished, self._redis = finished, redis
        self._prefix = f"{PREFIX}new:{secrets.token_hex(8)}:"
        self._names = [each.name for each in finished.statistics]
        self._log = [game.decode() for game in redis.zrange(GAMES, 0, -1)]
        self._in_log, self._read = {*self._log}, set[str]()
        self._adds: dict[str, dict[str, Adds]] = {}  # games in the log that are not counted yet
        self._missing: dict[str, int] = {}  # game -> when it ended
        self._deals: list[str] = []
        self._version = redis.get(VERSION) or b""

    def reading_order(self) -> Iterable[str]:
        return self._log

    def collect(self, read: Mapping[str, tuple[int, bool, dict[str, Adds]] | None]) -> None:
        for game_id, row in read.items():
            self._read.add(game_id)
            if row and game_id in self._in_log:
                self._adds[game_id] = row[2]
            elif row and row[1]:
                self._deals.append(game_id)
            elif row:
                self._missing[game_id] = row[0]
        self._count_those_read()
        self._keep()

    def _count_those_read(self) -> None:
        """Count games in the order of the log, as far as they were read."""
        while games := self._finished._next_games(self._redis, self._names, self._prefix):
            for game_id in games:
                if game_id in self._adds:
                    self._count(game_id, self._adds.pop(game_id))
                elif game_id in self._read:
                    self._redis.zrem(GAMES, game_id)  # it does not belong there
                else:
                    return

    def _count(self, game_id: str, adds: Mapping[str, Adds]) -> None:
        everything = {name: adds.get(name, {}) for name in self._names}
        self._finished._count_next(self._redis, game_id, everything, self._prefix)

    def _keep(self) -> None:
        """Extend the life of the new keys by a day; they expire if the rebuild dies."""
        pipe = self._redis.pipeline(transaction=False)
        for key in self._new_keys():
            pipe.expire(key, DAY)
        pipe.execute()

    def _new_keys(self) -> list[str]:
        own = [key for each in self._finished.statistics for key in each.keys(self._prefix)]
        return [self._prefix + "checkpoints", *own]

    def finish(self, store: GameStore, ids: set[str]) -> None:
        self._complete_log(store)
        while (done := self._replace()) != 1:
            if done == -1:  # a game was taken back: start again
                self._redis.delete(*self._new_keys())
                self._version = self._redis.get(VERSION) or b""
            for game_id in self._finished._next_games(self._redis, self._names, self._prefix):
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
        script = Script(self._redis, self._finished._count_new)
        for game_id in sorted(self._missing, key=lambda game: (self._missing[game], game)):
            script(*self._finished._words(game_id, {}))  # added last, so that a reader finds it

    def _replace(self) -> int:
        keys = [key for each in self._finished.statistics
                for pair in zip(each.keys(PREFIX), each.keys(self._prefix), strict=True)
                for key in pair]
        return Script(self._redis, self._finished._replace)(
            [GAMES, CHECKPOINTS, self._prefix + "checkpoints", VERSION, *keys],
            [self._version, new_version(), *self._names])


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

    def merge(self, other: Survey) -> None:
        assert isinstance(other, _Survey)
        self.counted |= other.counted
        self.sums.update(other.sums)

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
        # else games were counted meanwhile, or the sweep has yet to count the last ones
        if games == self.before == self.counted and not self.finished.uncounted(redis):
            for statistic in self.finished.statistics:
                there = dict(flat(statistic.name, statistic.read(redis, statistic.key)))
                start = f"{statistic.name}: "
                should = {name: number for name, number in self.sums.items()
                          if number and name.startswith(start)}
                if wrong := sorted({name for name, _ in should.items() ^ there.items()}):
                    yield Finding("statistics-differ", statistic.key,
                                  f"wrong counts: {', '.join(wrong[:5])}")
