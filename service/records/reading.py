"""Recorded games and tournaments, as their stores read them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import sqlalchemy as sa

from service.errors import RecordsUnavailable
from service.records import games, lists, tournaments
from service.store.histories import End, Place, Records, Written
from service.store.sql.database import Database
from service.store.sql.tables import game, tournament


class _Records(Records):
    """The recorded histories of one kind in a database. Each method raises RecordsUnavailable if it
    does not answer."""

    table: ClassVar[sa.Table]
    # the queries of this kind
    histories_of: ClassVar[Callable[..., Mapping[str, list[Written]]]]
    newest_of: ClassVar[Callable[..., lists.Heads]]
    notices_of: ClassVar[Callable[..., set[str]]]

    def __init__(self, database: Database):
        self.database = database
        self._count = 0

    def has(self, some_id: str) -> bool:
        return self.database.has(self.table, some_id)

    def histories(self, ids: Sequence[str]) -> Mapping[str, list[Written]]:
        with self.database.reading() as db:
            return type(self).histories_of(db, ids)

    def heads(self, ids: Sequence[str]) -> Mapping[str, Any]:
        with self.database.reading() as db:
            return games.heads(db, ids, self.table)

    def ends(self, ids: Sequence[str]) -> Mapping[str, End]:
        with self.database.reading() as db:
            rows = db.execute(sa.select(self.table.c.id, self.table.c.version,
                                        self.table.c.last_hash)
                              .where(self.table.c.id.in_([*ids])))
            return {some_id: (version, last_hash.hex()) for some_id, version, last_hash in rows}

    def newest(self, which: Any, below: Place, limit: int) -> lists.Heads:
        with self.database.reading() as db:
            return type(self).newest_of(db, which, below, limit)

    def over(self, account: str, since: int) -> set[str]:
        with self.database.reading() as db:
            return type(self).notices_of(db, account, since)

    def count(self) -> int:
        """Return the number of the last row, about as many as are recorded: counting them takes too
        long for a web process. If the database does not answer, it is the last answer."""
        try:
            with self.database.reading() as db:
                self._count = db.scalar(sa.select(sa.func.max(self.table.c.n))) or 0
        except RecordsUnavailable:
            pass
        return self._count


class GameRecords(_Records):
    """The recorded games of a database."""

    table, histories_of = game, games.histories
    newest_of, notices_of = lists.newest_games, lists.notices_about_games

    def imported(self, ids: Sequence[str]) -> set[str]:
        with self.database.reading() as db:
            return {*db.scalars(sa.select(game.c.id).where(
                game.c.id.in_([*ids]), game.c.is_imported))}


class TournamentRecords(_Records):
    """The recorded tournaments of a database."""

    table, histories_of = tournament, tournaments.histories
    newest_of, notices_of = lists.newest_tournaments, lists.notices_about_tournaments
