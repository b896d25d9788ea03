"""Tables of sums over published games."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import sqlalchemy as sa

from domain.codec import Json
from service.games.games import Games
from service.games.store import LoadedGame
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

    def stored(self, db: sa.Connection) -> Rows:
        return {
            table: {
                row[: len(table.primary_key)]: [*row[len(table.primary_key) :]]
                for row in map(tuple, db.execute(sa.select(table)))
            }
            for table in self.tables
        }

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

    def differences(self, db: sa.Connection, progress: Progress) -> Iterator[Fault]:
        for table, rows in self.stored(db).items():
            should = self.sums[table]
            if wrong := [key for key in {**should, **rows} if should.get(key) != rows.get(key)]:
                yield self.code, table.name, named(wrong)

    def replace(self, db: sa.Connection) -> None:
        for table in self.tables:
            db.execute(sa.delete(table))
            add(db, table, self.of(table))
