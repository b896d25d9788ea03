"""Recorded histories, as their stores read them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from service.errors import RecordsUnavailable
from service.eventlog.histories import End, Place, Records, Written
from service.records import games, lists
from service.records.database import Database
from service.records.tables import board_table, game


class DatabaseRecords(Records):
    """The recorded histories of one kind. Methods raise RecordsUnavailable without a database."""

    def __init__(
        self, database: Database, table: sa.Table,
        histories: Callable[[sa.Connection, Sequence[str]], Mapping[str, list[Written]]],
        newest: Callable[[sa.Connection, Any, Place, int], lists.Heads],
        over: Callable[[sa.Connection, str, int], set[str]],
    ):
        self.database, self._table, self._count = database, table, 0
        self._histories, self._newest, self._over = histories, newest, over

    def has(self, some_id: str) -> bool:
        return self.database.has(self._table, some_id)

    def histories(self, ids: Sequence[str]) -> Mapping[str, list[Written]]:
        with self.database.reading() as db:
            return self._histories(db, ids)

    def heads(self, ids: Sequence[str]) -> Mapping[str, Any]:
        with self.database.reading() as db:
            return games.heads(db, ids, self._table)

    def ends(self, ids: Sequence[str]) -> Mapping[str, End]:
        columns = self._table.c
        with self.database.reading() as db:
            rows = db.execute(sa.select(columns.id, columns.version, columns.last_hash)
                              .where(columns.id.in_([*ids])))
            return {some_id: (version, last_hash.hex()) for some_id, version, last_hash in rows}

    def imported(self, ids: Sequence[str]) -> set[str]:
        with self.database.reading() as db:
            return {*db.scalars(sa.select(game.c.id).where(
                game.c.id.in_([*ids]), game.c.is_imported))}

    def board_table(self, digest: str) -> str | None:
        with self.database.reading() as db:
            return db.scalar(sa.select(board_table.c.content).where(board_table.c.digest == digest))

    def newest(self, which: Any, below: Place, limit: int) -> lists.Heads:
        with self.database.reading() as db:
            return self._newest(db, which, below, limit)

    def over(self, account: str, since: int) -> set[str]:
        with self.database.reading() as db:
            return self._over(db, account, since)

    def count(self) -> int:
        """Return the highest number, which is about the number of rows: counting takes too long for
        a web process. If the database does not answer, return the last result."""
        try:
            with self.database.reading() as db:
                self._count = db.scalar(sa.select(sa.func.max(self._table.c.n))) or 0
        except RecordsUnavailable:
            pass
        return self._count


def game_records(database: Database) -> Records:
    return DatabaseRecords(database, game, games.histories, lists.newest_games,
                           lists.notices_about_games)
