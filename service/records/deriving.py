"""The tables that follow from recorded games. One function makes them: beside the database, to
check them, or in place, to make them anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sqlalchemy as sa

from domain.errors import BrokenHistory
from service.games.games import Games
from service.records import log, settling
from service.records.copying import BATCH_SIZE, copy_rows
from service.records.database import Database
from service.records.games import HISTORY, WITH_TABLE, add_parts
from service.records.packing import unpack
from service.records.tables import game, generation, metadata, standing
from service.records.tables import log as log_table
from service.store.games import LoadedGame

# what the games and tournaments themselves are, and the numbers by which other tables name them
FIRST = ("board_table", "route", "ticket", "player", "game", "tournament", "tournament_account",
         "log")
DERIVED = [table for table in metadata.sorted_tables if table.name not in FIRST]
AT_ONCE = 100  # games that are read together
NAMED = 5  # rows that are named of those that differ

Progress = Callable[[int], object]
Row = sa.RowMapping
Broken = Callable[[Row, BrokenHistory], object]


def recorded(
    db: sa.Connection, games: Games, on_broken: Broken
) -> Iterator[tuple[Row, LoadedGame]]:
    """Yield each recorded game, the first one first: its row, and its state, folded from its
    history. Call ``on_broken`` for one that cannot be read."""
    last = 0
    columns = [*game.columns, HISTORY[-1]]
    while rows := db.execute(sa.select(*columns).select_from(WITH_TABLE).where(game.c.n > last)
                             .order_by(game.c.n).limit(AT_ONCE)).mappings().all():
        for row in rows:
            last = row["n"]
            try:
                over = games.store.folded(unpack(*(row[part.name] for part in HISTORY)))
            except BrokenHistory as error:
                on_broken(row, error)
                continue
            if over:
                yield row, over


def _derive(db: sa.Connection, games: Games, row: Row, over: LoadedGame) -> None:
    """Add all that follows from a game, after all that follows from the games before."""
    add_parts(db, row["n"], row["board_table"], over)
    settling.settle(db, games, row["n"], over)


# In place


def rebuild(games: Games, progress: Progress, on_broken: Broken) -> int:
    """Make all that follows from recorded games anew; return how many there are. It is one
    transaction: readers see the rows before or after it. Games that cannot be read count nowhere.
    Lines of the log are added where they are missing, and never changed."""
    count = 0
    with games.database.writing() as db:
        for table in reversed(DERIVED):
            db.execute(sa.delete(table))
        db.execute(sa.update(game).values(is_settled=game.c.deal.is_(None)))
        for row, over in recorded(db, games, on_broken):
            if lacks_line(db, row, over):
                log.add_line(db, games, row["n"], over)
            _derive(db, games, row, over)
            progress(count := count + 1)
    return count


def lacks_line(db: sa.Connection, row: Row, over: LoadedGame) -> bool:
    """Return whether the log has no line of a game that belongs there."""
    return over.state.was_begun and not row["is_imported"] and db.scalar(
        sa.select(log_table.c.n).where(log_table.c.last_hash == row["last_hash"])) is None


# Beside


def differences(
    db: sa.Connection, games: Games, rows: Iterable[tuple[Row, LoadedGame]]
) -> Iterator[tuple[str, str]]:
    """Make all that follows from these games in a second database. Yield the name of each table
    that has other rows there, and some of these rows."""
    with TemporaryDirectory() as folder, closing(
            Database(f"sqlite:///{Path(folder) / 'records.sqlite3'}")) as beside:
        beside.migrate()
        with beside.writing() as there:
            for table in metadata.sorted_tables:
                if table.name in FIRST and table.name not in ("game", "tournament", "log"):
                    for _ in copy_rows(db, there, table):
                        pass
            for row, over in rows:
                there.execute(sa.insert(game), {
                    **{column.name: row[column.name] for column in game.columns},
                    "head": "", "history": b"", "is_settled": row["deal"] is None})
                _derive(there, games, row, over)
            for table in [game, *DERIVED]:
                wrong = [*islice(_other_rows(db, there, _comparable(table)), NAMED)]
                if wrong:
                    yield table.name, ", ".join(wrong)


def _comparable(table: sa.Table) -> tuple[sa.Select, int]:
    """Return how to read what has to be the same in both databases, and how many columns at the
    beginning are the key, by which it is ordered. Numbers of standings and of counts differ."""
    current = sa.select(generation.c.n).where(generation.c.is_current)
    key: Sequence[Any] = [*table.primary_key]
    query = sa.select(*key)
    if table is game:
        more = [game.c.published, game.c.is_settled]
    elif table is generation:
        key, more = [generation.c.until_at, generation.c.until_id], []
    elif table is standing:
        key = [standing.c.scope, standing.c.player]
        more = [column for column in table.columns if column.name not in ("n", "generation")]
    elif "standing" in table.columns:
        key = [table.c.game, standing.c.scope, standing.c.player]
        more = [column for column in table.columns if column.name != "standing"]
    else:
        key = [column for column in key if column.name != "generation"]
        more = [column for column in table.columns if column.name != "generation"]
    query = sa.select(*key, *more).order_by(*key)
    if "standing" in table.columns:
        query = query.join_from(table, standing)
    if table is generation:
        query = query.where(generation.c.is_current)
    elif "generation" in table.columns:
        query = query.where(table.c.generation.in_(current))
    elif "standing" in table.columns:
        query = query.where(standing.c.generation.in_(current))
    return query, len(key)


def _other_rows(
    db: sa.Connection, there: sa.Connection, how: tuple[sa.Select, int]
) -> Iterator[str]:
    """Yield the keys of the rows that only one database has, or that differ."""
    query, key = how
    streams = [iter(one.execute(query, execution_options={"yield_per": BATCH_SIZE}))
               for one in (db, there)]
    here, other = (next(stream, None) for stream in streams)
    while here is not None or other is not None:
        first = min(tuple(row[:key]) for row in (here, other) if row is not None)
        is_here, is_there = (row is not None and tuple(row[:key]) == first
                             for row in (here, other))
        if not (is_here and is_there and tuple(here or ()) == tuple(other or ())):
            yield " ".join(map(str, first))
        if is_here:
            here = next(streams[0], None)
        if is_there:
            other = next(streams[1], None)
