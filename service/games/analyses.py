"""Analyses of finished games: what ``expert`` thinks of each decision. Workers make them, one
decision after the other, when no game waits for a bot.

``{g:ID}:analysis``  the analysis of a game, a hash: ``last``, the hash of the game's last entry;
                     ``decisions``, how many it has, once a worker knows; ``judged``, how many are
                     judged; ``rows``, these as compressed JSON; ``tries``, how often a worker has
                     begun since a decision was judged; ``failed``. It expires.
``{g:ID}:analyst``   the lease on an analysis: the worker that makes it, or "1" until one comes
``analyses``         game -> account that answers for its analysis, of those under way

Games wait in the lines of these accounts (``service.games.workers`` describes the keys). If a job,
a worker or the whole queue is lost, the lease expires, and the sweep calls another worker, which
continues after the last judged decision.

``fogg:turns:analyses``          the accounts with games that wait, in the order of their turns
``fogg:turns:analyses:ACCOUNT``  these games of one account
``fogg:turns:analysing``         all games that wait
"""

from __future__ import annotations

import logging
import zlib
from dataclasses import dataclass
from typing import Annotated, Literal

import orjson
from redis import Redis
from rq import Queue

from domain.analysis import JudgedDecision, Summary, summary
from domain.errors import Refused
from service.games import visibility, workers
from service.games.games import Games
from service.store.games import LoadedGame
from service.store.locks import try_lock
from service.store.quotas import refuse_more
from service.store.scripts import Script

QUEUE = "analyses"
JOB = "workers.analyse.analyse"
WAITING, KIND = "fogg:turns:analysing", "analyses"
LEASE = 30_000  # milliseconds a worker may be silent before another is called
KEEP_S = 7 * 86_400  # for which an analysis is kept after its last change
MAX_TRIES = 5  # in a row without a judged decision; then the analysis has failed
UNDER_WAY = "analyses"

# KEYS analysis, lease. ARGV the hash of the game's last entry, seconds to keep the analysis.
# Creates it, unless there is one of this entry that has not failed. Returns whether it did.
CREATE = """
local last, failed = unpack(redis.call('HMGET', KEYS[1], 'last', 'failed'))
if last == ARGV[1] and not failed then return 0 end
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('HSET', KEYS[1], 'last', ARGV[1], 'judged', 0)
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 1
"""
# KEYS the analyses under way. ARGV a game, an account. Forgets the game if the account answers for
# it.
RELEASE = """
if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then redis.call('HDEL', KEYS[1], ARGV[1]) end
"""
# KEYS analysis, lease. ARGV the worker, the lease in milliseconds. Takes or renews the lease.
# Returns how often in a row a worker has begun in vain, or nothing if there is no such analysis, or
# another worker has the lease.
TAKE = """
local holder = redis.call('GET', KEYS[2])
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
if holder and holder ~= '1' and holder ~= ARGV[1] then return false end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
if holder == ARGV[1] then return 0 end
return redis.call('HINCRBY', KEYS[1], 'tries', 1)
"""
# KEYS analysis, lease. ARGV the worker, how many decisions were judged before, how many there are,
# the rows, seconds to keep them. Adds a judged decision, unless another worker has the lease, or it
# was added already.
ADD = """
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
if redis.call('HGET', KEYS[1], 'judged') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'judged', ARGV[2] + 1, 'decisions', ARGV[3], 'rows', ARGV[4],
           'tries', 0)
redis.call('EXPIRE', KEYS[1], ARGV[5])
return 1
"""
# KEYS analysis, lease. ARGV the worker. Ends the analysis as failed, unless another worker has the
# lease, or there is no such analysis.
FAIL = """
if redis.call('GET', KEYS[2]) ~= ARGV[1] or redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'failed', 1)
return 1
"""

log = logging.getLogger(__name__)


Status = Literal["queued", "running", "done", "failed"]


class AnalysisJson(Summary):
    """The analysis of a game."""

    status: Annotated[
        Status, "`failed` if a decision could not be judged, such as on a board with a rule that "
        "`expert` does not know."]
    progress: Annotated[float, "The share of decisions that are judged, from 0 to 1."]
    decisions: Annotated[list[JudgedDecision], "The judged decisions, in order."]


@dataclass(frozen=True)
class Analysis:
    """The analysis of a game, as far as it is made."""

    last: str  # the hash of the game's last entry
    count: int  # decisions of the game; 0 until a worker has counted them
    rows: list[JudgedDecision]  # the judged decisions, in order
    tries: int
    has_failed: bool

    @property
    def is_done(self) -> bool:
        return 0 < self.count == len(self.rows)

    @property
    def status(self) -> Status:
        """How far it is."""
        if self.has_failed:
            return "failed"
        if self.is_done:
            return "done"
        return "running" if self.rows or self.tries else "queued"

    def of_game(self, game: LoadedGame) -> AnalysisJson:
        """Return it as the API shows it."""
        shown: AnalysisJson = {
            "status": self.status, "decisions": self.rows,
            "progress": round(len(self.rows) / self.count, 3) if self.count else 0.0}
        if self.is_done:
            done = summary(self.rows, [result["rank"] for result in game.state.results])
            shown["turning_point"], shown["costliest"] = done["turning_point"], done["costliest"]
        return shown


class Analyses:
    """The analyses of all games. ``queue`` is that of the jobs that make them."""

    def __init__(self, games: Games, queue: Queue):
        self.games, self._queue = games, queue
        self._create, self._release, self._take, self._add, self._fail = (
            Script(games.redis, text) for text in (CREATE, RELEASE, TAKE, ADD, FAIL))

    @property
    def redis(self) -> Redis:
        return self.games.redis

    def of(self, game: LoadedGame) -> Analysis | None:
        """Return the analysis of a game, None if nobody has asked for it, or it has expired."""
        analysis = self._read(game.state.id)
        return analysis if analysis and analysis.last == game.hash else None

    def ask(self, game: LoadedGame, account: str) -> Analysis:
        """Return the analysis of a game. If there is none, or it has failed, begin one for the
        account that answers for it; raise Refused if that has too many under way."""
        analysis = self.of(game)
        if analysis and analysis.is_done:
            return analysis
        if analysis is None or analysis.has_failed:
            self._begin(game, account)
        self._call_worker_if_free(game.state.id, account)
        return self.of(game) or Analysis(game.hash, 0, [], 0, False)

    def _begin(self, game: LoadedGame, account: str) -> None:
        """Begin an analysis, unless somebody else has just done so."""
        game_id = game.state.id
        is_first = self.redis.hsetnx(UNDER_WAY, game_id, account)
        others = self.redis.hvals(UNDER_WAY).count(account.encode()) - is_first
        try:
            refuse_more("analyses", others, "wait until one is done")
        except Refused:
            self._release([UNDER_WAY], [game_id, account])
            raise
        if self._create(_keys(game_id), [game.hash, KEEP_S]):
            # again, as another account may have come first and been refused
            self.redis.hset(UNDER_WAY, game_id, account)

    def next(self, game_id: str, worker: str) -> int | None:
        """Take or renew the lease of a worker. Return how many decisions of the game are judged;
        the worker judges the next one. Return None if there is nothing to do for it."""
        tries = self._take(_keys(game_id), [worker, LEASE])
        if tries is None or (analysis := self._read(game_id)) is None:
            return None
        if tries > MAX_TRIES:
            self.fail(game_id, worker)
        elif not analysis.has_failed and not analysis.is_done:
            return len(analysis.rows)
        self._end(game_id)
        return None

    def add(self, game_id: str, worker: str, number: int, count: int, row: JudgedDecision) -> None:
        """Add a judged decision to the analysis of a game: the one before which ``number`` were
        judged, of ``count``. Do nothing if it was added already, or another worker has the lease.
        """
        analysis = self._read(game_id)
        if analysis is not None and len(analysis.rows) == number:
            rows = zlib.compress(orjson.dumps([*analysis.rows, row]))
            self._add(_keys(game_id), [worker, number, count, rows, KEEP_S])

    def fail(self, game_id: str, worker: str) -> None:
        """End an analysis that a worker cannot make. Do nothing if another worker has the lease."""
        if self._fail(_keys(game_id), [worker]):
            log.warning("%s cannot be analysed", game_id)

    def leave(self, game_id: str, worker: str) -> None:
        """End a worker's lease, and put the game at the end of its account's line."""
        account = self.redis.hget(UNDER_WAY, game_id)
        lease = _keys(game_id)[1]
        if account and self.redis.get(lease) == worker.encode():
            self.redis.delete(lease)
            self._call_worker_if_free(game_id, account.decode())

    def sweep(self) -> None:
        """Call workers for the analyses that nobody makes, and forget those that have expired."""
        for game_id, account in self.redis.hgetall(UNDER_WAY).items():
            self._call_worker_if_free(game_id.decode(), account.decode())

    def _call_worker_if_free(self, game_id: str, account: str) -> None:
        analysis, lease = _keys(game_id)
        if not try_lock(self.redis, lease, LEASE):
            return
        if not self.redis.exists(analysis):
            self._end(game_id)
            return
        workers.put_in_line(self._queue, JOB, WAITING, KIND, account, game_id)

    def _end(self, game_id: str) -> None:
        self.redis.hdel(UNDER_WAY, game_id)
        self.redis.delete(_keys(game_id)[1])

    def _read(self, game_id: str) -> Analysis | None:
        fields = self.redis.hgetall(_keys(game_id)[0])
        if not fields:
            return None
        rows = orjson.loads(zlib.decompress(fields[b"rows"])) if b"rows" in fields else []
        return Analysis(fields[b"last"].decode(), int(fields.get(b"decisions", 0)), rows,
                        int(fields.get(b"tries", 0)), b"failed" in fields)


def game_for(games: Games, viewer: str | None, game_id: str) -> LoadedGame:
    """Return a game that may be analysed, if the viewer may see it. Raise Refused if it is not
    over, was not played to its end, or not everybody may watch it."""
    game = visibility.open_book_for(games, viewer, game_id)
    if not (visibility.is_for_all(game.state) or visibility.is_duplicate(game.state)):
        raise Refused("game-not-public", None, "only games that everybody may see are analysed")
    if not game.state.results:
        raise Refused("game-without-result", None, "the game was not played to its end")
    return game


def count_waiting(queue: Queue) -> int:
    """Return how many games wait for a worker that analyses them."""
    return queue.connection.hlen(WAITING)


def _keys(game_id: str) -> tuple[str, str]:
    return f"{{g:{game_id}}}:analysis", f"{{g:{game_id}}}:analyst"
