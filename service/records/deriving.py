"""The rows that are computed from what is recorded: compare them with the stored rows, or rebuild
them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import orjson
import sqlalchemy as sa

from domain.codec import Json
from domain.errors import BrokenHistory
from service.eventlog.histories import Written
from service.games.games import Games
from service.records import settling
from service.records.database import add
from service.records.games import (
    HISTORY,
    WITH_TABLE,
    Numbers,
    add_parts,
    numbers_of_parts,
    parts_of,
    values_of,
)
from service.records.packing import unpack
from service.records.projection import Fault, Progress, Projection, RecordedGame, projections
from service.records.tables import claim, game, kept_ticket, seat

AT_ONCE = 100  # games that are read together
PARTS = (seat, claim, kept_ticket)
BROKEN, RECORDS = "record-broken", "records-differ"


@dataclass(frozen=True)
class Recorded(RecordedGame):
    """A recorded game as it is stored: its row, history, and the numbers of its board's parts."""

    row: sa.RowMapping
    history: Sequence[Written]
    numbers: Numbers

    def values(self, games: Games) -> Json:
        """Return what its own row should say."""
        return values_of(games.store, self.over, self.history, self.is_imported) | {
            "is_settled": self.is_settled
        }

    def parts(self, db: sa.Connection) -> dict[sa.Table, list[Json]]:
        """Return the rows of seats, claims and tickets that it should have."""
        rows = parts_of(db, self.n, self.numbers, self.over)
        for one in rows[seat]:
            one["published"] = self.row["published"]
        return rows


def pages(
    db: sa.Connection, table: sa.Table, query: sa.Select
) -> Iterator[Sequence[sa.RowMapping]]:
    """Yield the rows of a query over a table with numbers, in their order, some at a time."""
    last = 0
    while (
        rows := db.execute(query.where(table.c.n > last).order_by(table.c.n).limit(AT_ONCE))
        .mappings()
        .all()
    ):
        yield rows
        last = rows[-1]["n"]


def _recorded(db: sa.Connection, games: Games, faults: list[Fault]) -> Iterator[list[Recorded]]:
    numbers_of = cache(partial(numbers_of_parts, db))
    query = sa.select(*game.columns, HISTORY[-1]).select_from(WITH_TABLE)
    for rows in pages(db, game, query):
        some = []
        for row in rows:
            try:
                history = unpack(*(row[part.name] for part in HISTORY))
                over = games.store.folded(history)
            except BrokenHistory as error:
                faults.append((BROKEN, row["id"], str(error)))
                continue
            assert over  # as a history has entries
            some.append(
                Recorded(
                    row["n"],
                    over,
                    row["is_imported"],
                    _is_settled(db, row),
                    row,
                    history,
                    numbers_of(row["board_table"]),
                )
            )
        yield some


def _is_settled(db: sa.Connection, row: sa.RowMapping) -> bool:
    ids = orjson.loads(row["deal"] or "[]")
    return not ids or db.scalar(sa.select(sa.func.count()).where(game.c.id.in_(ids))) == len(ids)


def differences(db: sa.Connection, games: Games, progress: Progress) -> list[Fault]:
    faults, hooks = list[Fault](), projections(games)
    parts = [*PARTS, *(part for hook in hooks for part in hook.parts)]
    for some in _recorded(db, games, faults):
        stored = {part: rows_of(db, part.c.game, [one.n for one in some]) for part in parts}
        for one in some:
            faults.extend(_faults_of(db, games, one, hooks, stored))
            progress(one.over.state.id)
        for hook in hooks:
            hook.take(db, some)
    codes = {code for code, *_ in faults}
    for hook in hooks:
        if hook.code not in codes:
            faults.extend(hook.differences(db, progress))
    return faults


def _faults_of(
    db: sa.Connection,
    games: Games,
    one: Recorded,
    hooks: Sequence[Projection],
    stored: Mapping[sa.Table, Mapping[int, list]],
) -> Iterator[Fault]:
    some_id, values = one.row["id"], one.values(games)
    reasons = [f"its row has another {name}" for name in values if one.row[name] != values[name]]
    if (one.row["published"] is not None) != one.is_counted:
        reasons.append(
            "it is not counted" if one.is_counted else "it is counted, and should not be"
        )
    for code, parts in (
        (RECORDS, one.parts(db)),
        *((hook.code, hook.rows(db, one)) for hook in hooks),
    ):
        for part, rows in parts.items():
            if keyed(part, rows) != keyed(part, stored[part][one.n]):
                yield code, some_id, f"{part.name} has other rows"
    for reason in reasons:
        yield RECORDS, some_id, reason


def rows_of(
    db: sa.Connection, column: sa.Column, numbers: Sequence[int]
) -> Mapping[int, list[Any]]:
    """Return the rows of a table, by the number in a column of what they are of."""
    rows = defaultdict(list)
    for row in db.execute(sa.select(column.table).where(column.in_(numbers))).mappings():
        rows[row[column.name]].append(row)
    return rows


def keyed(table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> dict[tuple, tuple]:
    """Return rows by their keys, all columns in the order of the table."""
    keys, names = [key.name for key in table.primary_key], table.columns.keys()
    return {tuple(row[key] for key in keys): tuple(row[name] for name in names) for row in rows}


def rebuild(games: Games, progress: Progress) -> list[Fault]:
    """Rebuild all rows that are computed from what is recorded. Return the faults that stay:
    histories that cannot be read, which count nowhere.

    One transaction writes all rows but the ratings, which are counted in a generation of their
    own. So readers see all rows from before or all from after. Lines of the log are added where
    they are missing, and never changed."""
    faults, hooks = list[Fault](), projections(games)
    with games.database.writing() as db:
        for part in (*PARTS, *(part for hook in hooks for part in hook.parts)):
            db.execute(sa.delete(part))
        for some in _recorded(db, games, faults):
            for one in some:
                _rebuild_game(db, games, one, hooks)
                progress(one.over.state.id)
            for hook in hooks:
                hook.take(db, some)
        for hook in hooks:
            faults.extend(hook.replace(db) or ())
    for hook in hooks:
        hook.finish()
    return faults


def _rebuild_game(
    db: sa.Connection, games: Games, one: Recorded, hooks: Sequence[Projection]
) -> None:
    values = one.values(games)
    if not one.is_counted:
        values["published"] = None
    db.execute(sa.update(game).where(game.c.n == one.n).values(values))
    add_parts(db, one.n, one.numbers, one.over)
    for hook in hooks:
        for part, rows in hook.rows(db, one).items():
            add(db, part, rows)
    if one.is_counted:
        settling.publish(db, one.n)
