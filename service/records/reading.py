"""Recorded games and tournaments, as their stores read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

    def __init__(self, database: Database):
        self.database = database

    def heads(self, ids: Sequence[str]) -> Mapping[str, Any]:
        """Return the heads of those of these ids that are recorded."""
        with self.database.reading() as db:
            return games.heads(db, ids, self.table)

    def ends(self, ids: Sequence[str]) -> Mapping[str, End]:
        """Return the ends of those of these ids that are recorded."""
        with self.database.reading() as db:
            rows = db.execute(sa.select(self.table.c.id, self.table.c.version,
                                        self.table.c.last_hash)
                              .where(self.table.c.id.in_([*ids])))
            return {some_id: (version, last_hash.hex()) for some_id, version, last_hash in rows}


class GameRecords(_Records):
    """The recorded games of a database."""

    table = game

    def __init__(self, database: Database):
        super().__init__(database)
        self._count = 0

    def histories(self, ids: Sequence[str]) -> Mapping[str, list[Written]]:
        """Return the histories of those of these games that are recorded."""
        with self.database.reading() as db:
            return games.histories(db, ids)

    def imported(self, ids: Sequence[str]) -> set[str]:
        """Return those of these games that were played elsewhere."""
        with self.database.reading() as db:
            return {*db.scalars(sa.select(game.c.id).where(
                game.c.id.in_([*ids]), game.c.is_imported))}

    def newest(self, which: Any, below: Place, limit: int) -> lists.Heads:
        """Return the newest games that a filter may match (``Records.newest``)."""
        with self.database.reading() as db:
            return lists.newest_games(db, which, below, limit)

    def over(self, account: str, since: int) -> set[str]:
        """Return the games of an account that ended, or where an invitation was closed, since a
        time."""
        with self.database.reading() as db:
            return lists.notices_about_games(db, account, since)

    def count(self) -> int:
        """Return the number of the last game, about as many as are recorded: counting them takes
        too long for a web process. If the database does not answer, it is the last answer."""
        try:
            with self.database.reading() as db:
                self._count = db.scalar(sa.select(sa.func.max(game.c.n))) or 0
        except RecordsUnavailable:
            pass
        return self._count


class TournamentRecords(_Records):
    """The recorded tournaments of a database."""

    table = tournament

    def histories(self, ids: Sequence[str]) -> Mapping[str, list[Written]]:
        """Return the histories of those of these tournaments that are recorded."""
        with self.database.reading() as db:
            return tournaments.histories(db, ids)

    def newest(self, which: Any, below: Place, limit: int) -> lists.Heads:
        """Return the newest tournaments that a filter may match (``Records.newest``)."""
        with self.database.reading() as db:
            return lists.newest_tournaments(db, which, below, limit)

    def over(self, account: str, since: int) -> set[str]:
        """Return the tournaments of which an account got a notice after a time."""
        with self.database.reading() as db:
            return lists.notices_about_tournaments(db, account, since)

    def count(self) -> int:
        """Return how many tournaments are recorded."""
        with self.database.reading() as db:
            return db.scalar(sa.select(sa.func.count()).select_from(tournament)) or 0
