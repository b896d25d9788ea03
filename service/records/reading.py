"""Recorded histories, as their stores read them, and their lists: by creation, the newest first.

Each query of a list goes along one index, that of the most selective filter, from a place on. The
caller checks all other filters with the heads, of which it reads a limited number
(``page_of_newest``).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson
import sqlalchemy as sa

from service.errors import RecordsUnavailable
from service.eventlog.histories import End, Place, Records, Written
from service.games.index import GameFilter
from service.records import games
from service.records.database import Database
from service.records.tables import board_table, game, player, seat

Heads = tuple[Mapping[Place, Any], Place | None]


class DatabaseRecords(Records):
    """The recorded histories of one kind. Methods raise RecordsUnavailable without a database."""

    def __init__(
        self,
        database: Database,
        table: sa.Table,
        histories: Callable[[sa.Connection, Sequence[str]], Mapping[str, list[Written]]],
        newest: Callable[[sa.Connection, Any, Place, int], Heads],
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
            rows = db.execute(
                sa.select(columns.id, columns.version, columns.last_hash).where(
                    columns.id.in_([*ids])
                )
            )
            return {some_id: (version, _hex(last_hash)) for some_id, version, last_hash in rows}

    def imported(self, ids: Sequence[str]) -> set[str]:
        with self.database.reading() as db:
            return {
                *db.scalars(sa.select(game.c.id).where(game.c.id.in_([*ids]), game.c.is_imported))
            }

    def board_table(self, digest: str) -> str | None:
        with self.database.reading() as db:
            return db.scalar(sa.select(board_table.c.content).where(board_table.c.digest == digest))

    def newest(self, which: Any, below: Place, limit: int) -> Heads:
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
    return DatabaseRecords(database, game, games.histories, newest_games, notices_about_games)


def newest_games(db: sa.Connection, which: GameFilter, below: Place, limit: int) -> Heads:
    """Return heads (``Records.newest``) by player, opponent or bot, else of all public games."""
    source: sa.FromClause = game.join(seat, seat.c.game == game.c.n)
    created, bot = seat.c.created, which.bot or which.built_in_opponent
    opponent = None if which.built_in_opponent else which.opponent
    if account := which.won_by or which.player or opponent:
        fits = seat.c.player == number_of(account)
        if which.won_by:
            fits = sa.and_(fits, seat.c.rank == 1)
    elif bot:
        fits = sa.and_(seat.c.bot == bot, seat.c.is_built_in)
    else:
        source, created, fits = game, game.c.created, game.c.is_listed
        if which.board:
            fits = sa.and_(fits, game.c.board == which.board)
    if which.since is not None:
        fits = sa.and_(fits, created >= which.since)
    return heads_of(
        db, sa.select(created, game.c.id, game.c.head).select_from(source).where(fits), below, limit
    )


def number_of(account: str) -> sa.ScalarSelect[Any]:
    return sa.select(player.c.n).where(player.c.id == account).scalar_subquery()


def heads_of(db: sa.Connection, row: sa.Select[Any], below: Place, limit: int) -> Heads:
    """Return the heads that a query selects: time of creation, id, head. A game with several seats
    of a bot is selected several times."""
    (created, some_id, _), (at, last) = row.selected_columns, below
    rows = db.execute(
        row.where(created <= at, sa.or_(created < at, some_id < last))
        .order_by(created.desc(), some_id.desc())
        .limit(limit)
    ).all()
    texts = {(made, one): head for made, one, head in rows}
    return (
        {place: orjson.loads(text) for place, text in texts.items()},
        min(texts) if len(rows) == limit else None,
    )


def notices_about_games(db: sa.Connection, account: str, since: int) -> set[str]:
    """Return an account's games that ended, and its own where an invitation was closed since."""
    over = (
        sa.select(game.c.id)
        .join_from(seat, game, seat.c.game == game.c.n)
        .where(seat.c.player == number_of(account), seat.c.ended >= since)
    )
    declined = sa.select(game.c.id).where(
        game.c.creator == account, game.c.declined.is_not(None), game.c.declined >= since
    )
    return {*db.scalars(over), *db.scalars(declined)}


def _hex(last_hash: object) -> str:
    """Return a hash as text, an empty one if its row was damaged."""
    return last_hash.hex() if isinstance(last_hash, bytes) else ""
