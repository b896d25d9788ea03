"""Analyses of finished games: what ``expert`` thinks of each decision. Workers make them, one
decision after the other, when no game waits for a bot.

``{g:ID}:analysis``  the analysis of a game, a hash: ``last``, the hash of the game's last entry;
                     ``decisions``, how many it has, once a worker knows; ``judged``, how many are
                     judged; ``rows``, these as compressed JSON; ``tries``, how often a worker has
                     begun since a decision was judged; ``failed``. It expires.
``{g:ID}:analyst``   the lease on an analysis
``analyses``         game -> account that answers for its analysis, of those under way

Games wait for a worker in a queue (``service.redis.queue``). A worker continues after the last
judged decision.
"""

import logging
import zlib
from dataclasses import dataclass
from typing import Annotated, Literal

import orjson
from redis import Redis

from domain.analysis import JudgedDecision, Summary, summary
from domain.errors import Refused
from service.eventlog.quotas import refuse_more
from service.games import visibility
from service.games.games import Games
from service.games.store import LoadedGame
from service.redis.queue import TAKEN, Leases, Work
from service.redis.scripts import Script

WORK = Work("analyses", "workers.analyse.analyse")
LEASE = 30_000  # milliseconds a worker may be silent before another is called
KEEP_S = 7 * 86_400  # for which an analysis is kept after its last change
MAX_TRIES = 5  # in a row without a judged decision; then the analysis has failed
UNDER_WAY = "analyses"

CREATE, RELEASE, ADD = (
    Script(__file__, f"{name}.lua")
    for name in ("create_analysis", "release_analysis", "add_judged")
)

log = logging.getLogger(__name__)


Status = Literal["queued", "running", "done", "failed"]


class AnalysisJson(Summary):
    """The analysis of a game."""

    status: Annotated[
        Status,
        "`failed` if a decision could not be judged, such as on a board with a rule that "
        "`expert` does not know.",
    ]
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
        if self.has_failed:
            return "failed"
        if self.is_done:
            return "done"
        return "running" if self.rows or self.tries else "queued"

    def of_game(self, game: LoadedGame) -> AnalysisJson:
        shown: AnalysisJson = {
            "status": self.status,
            "decisions": self.rows,
            "progress": round(len(self.rows) / self.count, 3) if self.count else 0.0,
        }
        if self.is_done:
            done = summary(self.rows, [result["rank"] for result in game.state.results])
            shown["turning_point"], shown["costliest"] = done["turning_point"], done["costliest"]
        return shown


class Analyses:
    """The analyses of all games."""

    def __init__(self, games: Games):
        self.games, self._leases = games, Leases(games.redis, games.queues, WORK, LEASE)

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
            RELEASE(self.redis, under_way=UNDER_WAY, game=game_id, account=account)
            raise
        key, lease = _keys(game_id)
        if CREATE(self.redis, analysis=key, lease=lease, last=game.hash, seconds=KEEP_S):
            # again, as another account may have come first and been refused
            self.redis.hset(UNDER_WAY, game_id, account)

    def next(self, game_id: str, worker: str) -> int | None:
        """Take or renew the lease of a worker. Return how many decisions of the game are judged;
        the worker judges the next one. Return None if there is nothing to do for it."""
        key, lease = _keys(game_id)
        if not (held := self._leases.hold(lease, worker)):
            return None
        analysis = self._read(game_id)
        if analysis and not analysis.has_failed and not analysis.is_done:
            if held == TAKEN and self.redis.hincrby(key, "tries", 1) > MAX_TRIES:
                self.fail(game_id, worker)
            else:
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
            key, lease = _keys(game_id)
            ADD(
                self.redis,
                analysis=key,
                lease=lease,
                worker=worker,
                judged=number,
                decisions=count,
                rows=rows,
                seconds=KEEP_S,
            )

    def fail(self, game_id: str, worker: str) -> None:
        """End an analysis that a worker cannot make. Do nothing if another worker has the lease."""
        key, lease = _keys(game_id)
        if self._leases.hold(lease, worker) and self.redis.exists(key):
            self.redis.hset(key, "failed", 1)
            log.warning("%s cannot be analysed", game_id)

    def leave(self, game_id: str, worker: str) -> None:
        """End a worker's lease, and put the game back into the queue."""
        account = self.redis.hget(UNDER_WAY, game_id)
        if account and self._leases.leave(_keys(game_id)[1], worker):
            self._call_worker_if_free(game_id, account.decode())

    def sweep(self) -> None:
        """Call workers for the analyses that nobody makes, and forget those that have expired."""
        for game_id, account in self.redis.hgetall(UNDER_WAY).items():
            self._call_worker_if_free(game_id.decode(), account.decode())

    def _call_worker_if_free(self, game_id: str, account: str) -> None:
        key, lease = _keys(game_id)
        if self.redis.exists(key):
            self._leases.call(lease, account, game_id)
        else:
            self._end(game_id)

    def _end(self, game_id: str) -> None:
        self.redis.hdel(UNDER_WAY, game_id)
        self.redis.delete(_keys(game_id)[1])

    def _read(self, game_id: str) -> Analysis | None:
        fields = self.redis.hgetall(_keys(game_id)[0])
        if not fields:
            return None
        rows = orjson.loads(zlib.decompress(fields[b"rows"])) if b"rows" in fields else []
        return Analysis(
            fields[b"last"].decode(),
            int(fields.get(b"decisions", 0)),
            rows,
            int(fields.get(b"tries", 0)),
            b"failed" in fields,
        )


def game_for(games: Games, viewer: str | None, game_id: str) -> LoadedGame:
    """Return a game that may be analysed, if the viewer may see it. Raise Refused if it is not
    over, was not played to its end, or not everybody may watch it."""
    game = visibility.open_book_for(games, viewer, game_id)
    if not (visibility.is_for_all(game.state) or visibility.is_duplicate(game.state)):
        raise Refused("game-not-public", None, "only games that everybody may see are analysed")
    if not game.state.results:
        raise Refused("game-without-result", None, "the game was not played to its end")
    return game


def _keys(game_id: str) -> tuple[str, str]:
    return f"{{g:{game_id}}}:analysis", f"{{g:{game_id}}}:analyst"
