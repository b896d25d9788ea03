"""Compares stored rows with the right ones, while the recorder writes.

No transaction lasts longer than one read, as SQLite keeps all that is written meanwhile in another
file, and PostgreSQL what was deleted.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import sqlalchemy as sa

from service.records.database import Database
from service.redis.batches import batches_of

ROWS = 1000  # that one transaction reads
Transaction = Callable[[], AbstractContextManager[sa.Connection]]
Rows = Mapping[tuple, list[Any]]  # key -> the other columns
Keys = Sequence[sa.ColumnElement[Any]]


def within(db: sa.Connection) -> Transaction:
    """Return the transaction of a connection that is in one already."""
    return lambda: nullcontext(db)


def pages(
    transaction: Transaction, query: sa.Select, keys: Keys, size: int
) -> Iterator[tuple[sa.Connection, Sequence[sa.RowMapping]]]:
    """Yield the rows of a query by their keys, ``size`` at a time, with the transaction that has
    read them."""
    types, after = [key.type for key in keys], list[Any]()
    while True:
        page = query.order_by(*keys).limit(size)
        if after:
            page = page.where(sa.tuple_(*keys) > sa.tuple_(*after, types=types))
        with transaction() as db:
            rows = db.execute(page).mappings().all()
            yield db, rows
        if len(rows) < size:
            return
        after = [rows[-1][key] for key in keys]


def differing(
    database: Database,
    query: sa.Select,
    keys: Keys,
    transaction: Transaction,
    right: Callable[[], Rows],
) -> list[tuple]:
    """Return the keys of the rows of a query that are not right. After each ``transaction``,
    ``right`` returns the rows that there should be in it: each difference is compared again, as
    the recorder may have written since. A row of zeros counts as no row."""
    others = [column for column in query.selected_columns if column not in {*keys}]

    def keyed(rows: Iterable[sa.RowMapping]) -> dict[tuple, list[Any]]:
        by_key = {}
        for row in rows:
            values = [row[column] for column in others]
            if any(values):
                by_key[tuple(row[key] for key in keys)] = values
        return by_key

    stored = dict[tuple, list[Any]]()
    for _, rows in pages(database.reading, query, keys, ROWS):
        stored |= keyed(rows)
    expected = right()
    suspects = [key for key in {**expected, **stored} if expected.get(key) != stored.get(key)]
    wrong = list[tuple]()
    for batch in batches_of(ROWS, suspects):
        with transaction() as db:
            rows = db.execute(query.where(sa.tuple_(*keys).in_(batch))).mappings().all()
        stored, expected = keyed(rows), right()
        wrong += [key for key in batch if expected.get(key) != stored.get(key)]
    return wrong
