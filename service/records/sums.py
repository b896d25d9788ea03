"""Tables of sums over published games."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar

import sqlalchemy as sa

from domain.codec import Json
from service.games.games import Games
from service.games.store import LoadedGame
from service.records.comparing import Transaction, differing
from service.records.database import add, add_up
from service.records.projection import Fault, Progress, Projection, RecordedGame, named

Rows = Mapping[sa.Table, dict[tuple, list[int]]]  # table -> key -> numbers, as its columns are


class Sums(Projection):
    """Sums over published games. A subclass has ``tables``, and adds a game to them. ``sums`` are
    those of the games that were added, to be compared with what is stored."""

    code = "statistics-differ"
    tables: ClassVar[Sequence[sa.Table]]

    def __init__(self, games: Games):
        super().__init__(games)
        self.sums: Rows = {table: {} for table in self.tables}

    @abstractmethod
    def add_game(self, over: LoadedGame) -> None:
        """Add a published game, by ``add``."""

    def add(self, table: sa.Table, key: tuple, *numbers: int) -> None:
        row = self.sums[table].setdefault(key, [0] * len(numbers))
        for place, more in enumerate(numbers):
            row[place] += more

    def of(self, table: sa.Table) -> list[Json]:
        names = table.columns.keys()
        return [
            dict(zip(names, (*key, *row), strict=True)) for key, row in self.sums[table].items()
        ]

    def count(self, db: sa.Connection, one: RecordedGame) -> None:
        if one.is_counted:
            new = type(self)(self.games)
            new.add_game(one.over)
            for table in self.tables:
                add_up(db, table, new.of(table))

    def take(self, db: sa.Connection, some: Sequence[RecordedGame]) -> None:
        for one in some:
            if one.is_counted:
                self.add_game(one.over)

    def differences(self, transaction: Transaction, progress: Progress) -> Iterator[Fault]:
        for table in self.tables:
            if wrong := differing(
                self.games.database,
                sa.select(table),
                [*table.primary_key],
                transaction,
                partial(self._right, table),
            ):
                yield self.code, table.name, named(wrong)

    def _right(self, table: sa.Table) -> dict[tuple, list[int]]:
        return self.sums[table]

    def replace(self, db: sa.Connection) -> None:
        for table in self.tables:
            db.execute(sa.delete(table))
            add(db, table, self.of(table))
