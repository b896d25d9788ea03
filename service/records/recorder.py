"""The recorder: writes the games that are over into the records, each once, in one transaction.

``{games:N}:finished``  the games that are over and not recorded yet, by time of creation: its work.
                        They are listed there before their last entry is answered, or by the sweep,
                        as they were marked before (``service.games.marks``).
``{games:N}:recorded``  games that are recorded and still in Redis: game -> when, in milliseconds
                        since 1970 (``service.records.keeping``)
``fogg:recorder``       a lock: usually one process at a time records
``fogg:records``        where the database is, without a password

A game leaves the lists in Redis once it is committed, so it is listed once. All steps can be done
again: if the process dies anywhere, the next one does the same.
"""

import time

from domain.errors import BrokenHistory
from domain.game.state import FINISHED
from service.errors import RecordsUnavailable, UnknownThing
from service.games import buckets, index, listing
from service.games.games import Games
from service.games.visibility import is_duplicate
from service.records.database import Database
from service.records.games import AnotherGame, add_game
from service.records.keeping import KeptGames
from service.records.projection import RecordedGame, projections
from service.records.settling import settle
from service.redis.guarding import log_errors
from service.redis.locks import try_lock
from service.times import now_in_ms

AT_ONCE = 200  # games that are recorded in one run
AGAIN_S = 60.0  # seconds until a game is tried again that could not be recorded
PLACE = "fogg:records"
LOCK, LOCK_MS = "fogg:recorder", 5_000  # milliseconds after which another process takes over


class Recorder:
    """Records the finished games of a service."""

    def __init__(self, games: Games, database: Database):
        self.games, self.database = games, database
        self.kept, self.projections = KeptGames(games.store), projections(games)
        self._again: dict[str, float] = {}  # games that failed -> not before

    def begin(self) -> None:
        """Compare Redis with the records, at the start and after a failover or an outage."""
        self.database.migrate()
        self.games.redis.set(PLACE, self.database.place)
        for one in self.projections:
            one.after(1)  # what Redis knows of them may be older
        for kept in self.games.kept:
            kept.recover()

    def run_alone(self) -> int:
        """Run, unless another process does; return how many games were recorded."""
        if not try_lock(self.games.redis, LOCK, LOCK_MS):
            return 0
        try:
            return self.run()
        finally:
            self.games.redis.delete(LOCK)

    def run(self) -> int:
        """Record the games that wait; return how many were recorded. A game that cannot be recorded
        is logged, and waits. Raise RecordsUnavailable if the database does not answer."""
        count = 0
        for game_id in self.waiting():
            with log_errors(f"{game_id} cannot be recorded", RecordsUnavailable) as guard:
                count += self.record(game_id)
                self.games.redis.pexpire(LOCK, LOCK_MS)
            if guard.failed:
                self._again[game_id] = time.monotonic() + AGAIN_S
            else:
                self._again.pop(game_id, None)
        for one in self.projections:
            one.after(count)
        return count

    def waiting(self) -> list[str]:
        """Return games that are over and not recorded yet, at most ``AT_ONCE``, in the order in
        which they ended: everybody may read them in this order. Those that failed lately are left
        out."""
        pipe = self.games.redis.pipeline(transaction=False)
        for key in buckets.keys(FINISHED):
            pipe.zrange(key, 0, AT_ONCE + len(self._again), withscores=True)
        rows = sorted((created, raw.decode()) for some in pipe.execute() for raw, created in some)
        ids = [game_id for _, game_id in rows if self._again.get(game_id, 0) <= time.monotonic()][
            :AT_ONCE
        ]
        ended = self.games.store.ended(ids)
        return sorted(ids, key=lambda game_id: (ended.get(game_id, 0), game_id))

    def record(self, game_id: str) -> bool:
        """Record a game, and remove it from the lists in Redis. Return whether it is new. If Redis
        has lost the end of a recorded game, the game gets it back."""
        store, redis = self.games.store, self.games.redis
        history = list(store.entries(game_id))
        try:
            over = store.folded(history)
        except BrokenHistory as error:
            store.set_aside(game_id, error)
            raise
        if not over:
            redis.zrem(buckets.key(game_id, FINISHED), game_id)
            raise UnknownThing("game", game_id)
        if over.state.status != FINISHED:
            if self.kept.put_back(game_id):
                return self.record(game_id)
            listing.move(store, game_id)
            return False
        is_imported = bool(store.imported([game_id]))
        try:
            with self.database.writing() as db:
                n = add_game(db, store, over, history, is_imported)
                if n is not None:
                    new = RecordedGame(n, over, is_imported, not is_duplicate(over.state))
                    for one in self.projections:
                        one.record(db, new)
                    settle(db, self.games, self.projections, new)
        except AnotherGame:
            if self.kept.put_back(game_id):
                return self.record(game_id)
            raise
        redis.zadd(buckets.key(game_id, index.RECORDED), {game_id: now_in_ms()}, nx=True)
        index.leave(redis, over.state)
        return n is not None
