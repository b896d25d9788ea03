"""Stored rows beside those that there should be, compared while the recorder writes.

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
        some = query.order_by(*keys).limit(size)
        if after:
            some = some.where(sa.tuple_(*keys) > sa.tuple_(*after, types=types))
        with transaction() as db:
            rows = db.execute(some).mappings().all()
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
    ``right`` returns the rows that there should be in it: each difference is looked at again, as
    the recorder may have written since. A row of zeros is as none."""
    others = [column for column in query.selected_columns if column not in {*keys}]

    def keyed(rows: Iterable[sa.RowMapping]) -> Rows:
        values = {tuple(row[key] for key in keys): [row[one] for one in others] for row in rows}
        return {key: numbers for key, numbers in values.items() if any(numbers)}

    found, wrong = dict[tuple, list[Any]](), list[tuple]()
    for _, rows in pages(database.reading, query, keys, ROWS):
        found |= keyed(rows)
    should = right()
    suspects = [key for key in {**should, **found} if should.get(key) != found.get(key)]
    for some in batches_of(ROWS, suspects):
        with transaction() as db:
            there = keyed(db.execute(query.where(sa.tuple_(*keys).in_(some))).mappings())
        should = right()
        wrong += [key for key in some if should.get(key) != there.get(key)]
    return wrong
