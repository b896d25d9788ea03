"""Recorded games and tournaments, as their stores read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from service.records import games
from service.records.database import Database
from service.records.tables import game
from service.store.histories import End, Written


def ends(db: sa.Connection, table: sa.Table, ids: Sequence[str]) -> dict[str, End]:
    """Return the ends of those of these games or tournaments that a table has."""
    rows = db.execute(sa.select(table.c.id, table.c.version, table.c.last_hash)
                      .where(table.c.id.in_([*ids])))
    return {some_id: (version, last_hash.hex()) for some_id, version, last_hash in rows}


class GameRecords:
    """The recorded games of a database."""

    def __init__(self, database: Database):
        self.database = database

    def histories(self, ids: Sequence[str]) -> Mapping[str, list[Written]]:
        """Return the histories of those of these games that are recorded."""
        with self.database.reading() as db:
            return games.histories(db, ids)

    def heads(self, ids: Sequence[str]) -> Mapping[str, Any]:
        """Return the heads of those of these games that are recorded."""
        with self.database.reading() as db:
            return games.heads(db, ids)

    def ends(self, ids: Sequence[str]) -> Mapping[str, End]:
        """Return the ends of those of these games that are recorded."""
        with self.database.reading() as db:
            return ends(db, game, ids)

    def imported(self, ids: Sequence[str]) -> set[str]:
        """Return those of these games that were played elsewhere."""
        with self.database.reading() as db:
            return {*db.scalars(sa.select(game.c.id).where(
                game.c.id.in_([*ids]), game.c.is_imported))}
