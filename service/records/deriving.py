"""The rows that are computed from what is recorded: compare them with the stored rows, or rebuild
them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import sqlalchemy as sa

from domain.board.board import Board
from domain.boards import parse
from domain.codec import Json
from domain.errors import BrokenHistory, BrokenTable
from service.eventlog.histories import Written
from service.games.games import Games
from service.games.store import LoadedGame
from service.games.visibility import is_duplicate
from service.records import settling
from service.records.comparing import Transaction, pages, within
from service.records.database import add
from service.records.games import (
    HISTORY,
    WITH_TABLE,
    Numbers,
    add_parts,
    numbers_of_parts,
    parts_of,
    parts_of_table,
    values_of,
)
from service.records.packing import unpack
from service.records.projection import Fault, Progress, Projection, RecordedGame, projections
from service.records.tables import board_table, claim, game, kept_ticket, seat

AT_ONCE = 20  # games that are read together, which takes a fraction of a second
GAMES = sa.select(*game.columns, HISTORY[-1]).select_from(WITH_TABLE)
PARTS = (seat, claim, kept_ticket)
BROKEN, RECORDS = "record-broken", "records-differ"
UNREADABLE = (LookupError, TypeError, ValueError, AttributeError)  # of rows that were damaged


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


@contextmanager
def noting(faults: list[Fault], code: str, where: str) -> Iterator[None]:
    """Note an error in damaged rows as a fault."""
    try:
        yield
    except UNREADABLE as error:
        faults.append((code, where, f"its rows cannot be read: {error!r}"))


def _read(
    db: sa.Connection, games: Games, rows: Sequence[sa.RowMapping], faults: list[Fault]
) -> list[Recorded]:
    numbers_of, some = cache(partial(numbers_of_parts, db)), list[Recorded]()
    for row in rows:
        try:
            history = unpack(*(row[part.name] for part in HISTORY))
            over = games.store.folded(history)
        except (BrokenHistory, *UNREADABLE) as error:
            faults.append((BROKEN, row["id"], str(error) or repr(error)))
            continue
        assert over  # as a history has entries
        some.append(
            Recorded(
                row["n"],
                over,
                row["is_imported"],
                _is_settled(db, over),
                row,
                history,
                numbers_of(row["board_table"]),
            )
        )
    return some


def _is_settled(db: sa.Connection, over: LoadedGame) -> bool:
    ids = over.state.terms.deal if is_duplicate(over.state) else ()
    return not ids or db.scalar(sa.select(sa.func.count()).where(game.c.id.in_(ids))) == len(ids)


def _boards(
    transaction: Transaction, faults: list[Fault]
) -> Iterator[tuple[sa.Connection, sa.RowMapping, Board]]:
    """Yield the boards whose tables are right, each with its row."""
    for db, rows in pages(transaction, sa.select(board_table), [board_table.c.n], 1):
        for row in rows:
            try:
                board = parse(row["content"])
            except (BrokenTable, *UNREADABLE):
                board = None
            if board is None or board.digest != row["digest"]:
                faults.append((BROKEN, row["digest"], "the table of a board has another digest"))
            else:
                yield db, row, board


class _Comparison:
    """All recorded games, compared with the rows that follow from each."""

    def __init__(self, games: Games, progress: Progress):
        self.games, self.progress, self.hooks = games, progress, projections(games)
        self.faults = list[Fault]()
        self._last, self._unsettled = 0, set[int]()

    @contextmanager
    def up_to_date(self) -> Iterator[sa.Connection]:
        """Yield a short transaction, after all its games were compared in others before it."""
        while True:
            with self.games.database.reading() as db:
                if not self._compare_next(db):
                    yield db
                    return

    def _compare_next(self, db: sa.Connection) -> bool:
        """Compare some more games, last those whose deal has ended since. Return whether there were
        any."""
        _, rows = next(pages(within(db), GAMES.where(game.c.n > self._last), [game.c.n], AT_ONCE))
        if rows:
            self._last = rows[-1]["n"]
            self._unsettled |= {one.n for one in self._compare(db, rows) if not one.is_settled}
        elif self._unsettled:
            unsettled = {*db.scalars(sa.select(game.c.n).where(~game.c.is_settled))}
            settled = [*self._unsettled - unsettled][:AT_ONCE]
            self._unsettled -= {*settled}
            rows = db.execute(GAMES.where(game.c.n.in_(settled))).mappings().all()
            self._compare(db, rows)
        return bool(rows)

    def _compare(self, db: sa.Connection, rows: Sequence[sa.RowMapping]) -> list[Recorded]:
        some = _read(db, self.games, rows, self.faults)
        parts = [*PARTS, *(part for hook in self.hooks for part in hook.parts)]
        stored = {part: rows_of(db, part.c.game, [one.n for one in some]) for part in parts}
        for one in some:
            with noting(self.faults, RECORDS, one.row["id"]):
                self.faults += _faults_of(db, self.games, one, self.hooks, stored)
            self.progress(one.over.state.id)
        for hook in self.hooks:
            hook.take(db, some)
        return some


def differences(games: Games, progress: Progress) -> list[Fault]:
    whole = _Comparison(games, progress)
    faults = whole.faults
    for db, row, board in _boards(games.database.reading, faults):
        if row["board"] != board.id:
            faults.append((RECORDS, row["digest"], "its row has another board"))
        for part, rows in parts_of_table(row["n"], board).items():
            stored = db.execute(sa.select(part).where(part.c.board_table == row["n"]))
            if {tuple(one) for _, *one in stored} != {tuple(one.values()) for one in rows}:
                faults.append((RECORDS, row["digest"], f"{part.name} has other rows"))
    with whole.up_to_date():
        codes = {code for code, *_ in faults}
    for hook in whole.hooks:
        if hook.code not in codes:
            with noting(faults, hook.code or RECORDS, "database"):
                faults.extend(hook.differences(whole.up_to_date, progress))
    return [*dict.fromkeys(faults)]


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
        transaction, postponed = within(db), list[Recorded]()
        for _, row, board in _boards(transaction, faults):
            which = board_table.c.n == row["n"]
            db.execute(sa.update(board_table).where(which).values(board=board.id))
            for part, of_board in parts_of_table(row["n"], board).items():
                db.execute(sa.delete(part).where(part.c.board_table == row["n"]))
                add(db, part, of_board)
        for _, rows in pages(transaction, GAMES, [game.c.n], AT_ONCE):
            some = _read(db, games, rows, faults)
            for one in some:
                try:
                    _rebuild_game(db, games, one, hooks)
                except UNREADABLE:  # it needs another game of its deal, whose row is mended later
                    postponed.append(one)
                progress(one.over.state.id)
            for hook in hooks:
                hook.take(db, some)
        for one in postponed:
            with noting(faults, BROKEN, one.row["id"]):
                _rebuild_game(db, games, one, hooks)
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
