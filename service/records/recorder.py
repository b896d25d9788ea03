"""The recorder: writes the games that are over into the records, each once, in one transaction.

``{games:N}:finished``  the games that are over and not recorded yet, by time of creation: its work.
                        They are listed there before their last entry is answered, or by the sweep,
                        as they were marked before (``service.games.marks``).
``{games:N}:recorded``  games that are recorded and still in Redis: game -> when, in milliseconds
                        since 1970

A game leaves the lists in Redis once it is committed, so it is listed once. All steps can be done
again: if the process dies anywhere, the next one does the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sqlalchemy as sa

from domain.game.state import FINISHED
from service.games import buckets, index
from service.games.games import Games
from service.records import log, settling
from service.records.database import Database
from service.records.games import add_game
from service.store.games import LoadedGame
from service.store.guarding import log_errors
from service.times import now_in_ms

AT_ONCE = 200  # games that are read from one list at a time
# what follows from a new game: it gets the transaction, the game's number and the game
FOLLOWS: tuple[Callable[[sa.Connection, Games, int, LoadedGame], None], ...] = (
    log.add_line, settling.settle)


class Recorder:
    """Records the finished games of a service."""

    def __init__(self, games: Games, database: Database):
        self.games, self.database = games, database

    def run(self) -> int:
        """Record all games that wait; return how many were recorded. A game that cannot be recorded
        is logged, and waits."""
        count = 0
        for game_id in self.waiting():
            with log_errors(f"{game_id} cannot be recorded"):
                count += self.record(game_id)
        return count

    def waiting(self) -> Iterator[str]:
        """Yield the games that are over and not recorded yet."""
        for key in buckets.keys(FINISHED):
            for raw in self.games.redis.zrange(key, 0, AT_ONCE - 1):
                yield raw.decode()

    def record(self, game_id: str) -> bool:
        """Record a game, and remove it from the lists in Redis. Return whether it is new."""
        over = self.games.get(game_id)
        if over.state.status != FINISHED:  # Redis has lost its end; the sweep lists it anew
            return False
        history = list(self.games.store.entries(game_id))
        is_imported = bool(self.games.store.imported([game_id]))
        with self.database.writing() as db:
            n = add_game(db, self.games.store, over, history, is_imported)
            if n is not None:
                for follow in FOLLOWS:
                    follow(db, self.games, n, over)
        log.note_head(self.games, self.database)
        self.games.redis.zadd(buckets.key(game_id, index.RECORDED), {game_id: now_in_ms()})
        index.leave(self.games.redis, over.state)
        return n is not None
