"""The rows that are computed from recorded games and tournaments: compare them with the stored
rows, or rebuild them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import orjson
import sqlalchemy as sa

from domain.codec import Json
from domain.errors import BrokenHistory
from service.games.games import Games
from service.records import log, ratings, settling, statistics, tournaments
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
from service.store.games import LoadedGame
from service.store.histories import Written
from service.store.sql.database import add
from service.store.sql.tables import (
    claim,
    game,
    kept_ticket,
    rated,
    seat,
    tournament,
    tournament_account,
)
from service.store.sql.tables import log as log_lines
from service.store.tournaments import LoadedTournament

AT_ONCE = 100  # games that are read together
NAMED = 5  # differing rows that a fault names
PARTS = (seat, claim, kept_ticket, rated)
BROKEN, RECORDS, LACKS_LINE = "record-broken", "records-differ", "log-lacks"
SUMS, RATINGS = "statistics-differ", "ratings-differ"

Fault = tuple[str, str, str]  # its code, the game, tournament or table, and why
Progress = Callable[[str], object]


@dataclass(frozen=True)
class Recorded:
    """A recorded game: its row, its state, its history, the numbers of its board's routes and
    tickets, and whether all games of its deal are recorded, so that it counts."""

    row: sa.RowMapping
    over: LoadedGame
    history: Sequence[Written]
    numbers: Numbers
    is_settled: bool

    @property
    def is_counted(self) -> bool:
        """Whether statistics count it."""
        return self.is_settled and settling.is_counted(self.over.state)

    def values(self, games: Games) -> Json:
        """Return what its own row should say."""
        return values_of(games.store, self.over, self.history, self.row["is_imported"]) | {
            "is_settled": self.is_settled}

    def parts(self, db: sa.Connection) -> dict[sa.Table, list[Json]]:
        """Return the rows that other tables should have of it."""
        n = self.row["n"]
        rows = parts_of(db, n, self.numbers, self.over) | {rated: self.rated(db)}
        for one in rows[seat]:
            one["published"] = self.row["published"]
        return rows

    def rated(self, db: sa.Connection) -> list[Json]:
        """Return its row among the rated games, if it is one."""
        n = self.row["n"]
        new = self.is_settled and ratings.rated_game_of(db, self.over, self.row["is_imported"])
        return [ratings.row_of_game(n, new)] if new else []

    @property
    def lacks_line(self) -> bool:
        """Whether the log should have a line of it, and has none."""
        return self.over.state.was_begun and not self.row["is_imported"] and (
            self.row["line"] is None)


def _pages(
    db: sa.Connection, table: sa.Table, query: sa.Select
) -> Iterator[Sequence[sa.RowMapping]]:
    """Yield the rows of a query over a table with numbers, in their order, some at a time."""
    last = 0
    while rows := db.execute(query.where(table.c.n > last).order_by(table.c.n)
                             .limit(AT_ONCE)).mappings().all():
        yield rows
        last = rows[-1]["n"]


def _recorded(
    db: sa.Connection, games: Games, faults: list[Fault]
) -> Iterator[list[Recorded]]:
    """Yield all recorded games that can be read, some at a time, and add the others to the faults.
    """
    numbers_of = cache(partial(numbers_of_parts, db))
    query = sa.select(*game.columns, HISTORY[-1], log_lines.c.n.label("line")).select_from(
        WITH_TABLE.outerjoin(log_lines, log_lines.c.last_hash == game.c.last_hash))
    for rows in _pages(db, game, query):
        some = []
        for row in rows:
            try:
                history = unpack(*(row[part.name] for part in HISTORY))
                over = games.store.folded(history)
            except BrokenHistory as error:
                faults.append((BROKEN, row["id"], str(error)))
                continue
            assert over  # as a history has entries
            some.append(Recorded(row, over, history, numbers_of(row["board_table"]),
                                 _is_settled(db, row)))
        yield some


def _is_settled(db: sa.Connection, row: sa.RowMapping) -> bool:
    """Return whether all games of a game's deal are recorded."""
    ids = orjson.loads(row["deal"] or "[]")
    return not ids or db.scalar(sa.select(sa.func.count()).where(game.c.id.in_(ids))) == len(ids)


def _tournaments(
    db: sa.Connection, games: Games, faults: list[Fault]
) -> Iterator[tuple[sa.RowMapping, LoadedTournament]]:
    """Yield all recorded tournaments that can be read, and add the others to the faults."""
    for rows in _pages(db, tournament, sa.select(tournament)):
        for row in rows:
            try:
                over = games.tournaments.folded(unpack(row["history"], row["last_hash"]))
            except BrokenHistory as error:
                faults.append((BROKEN, row["id"], str(error)))
                continue
            assert over
            yield row, over


# Comparing


def differences(
    db: sa.Connection, games: Games, progress: Progress,
    look: Callable[[LoadedTournament], object] = lambda over: None,
) -> list[Fault]:
    """Return all faults in what is stored. ``progress`` gets the id of each game, ``look`` each
    tournament."""
    faults: list[Fault] = []

    def published() -> Iterator[LoadedGame]:
        for some in _recorded(db, games, faults):
            stored = {part: _rows_of(db, part.c.game, [one.row["n"] for one in some])
                      for part in PARTS}
            for one in some:
                faults.extend(_faults_of(db, games, one, stored))
                progress(one.row["id"])
                if one.is_counted:
                    yield one.over

    should = statistics.sums_of(published()).rows
    for table, rows in statistics.stored_sums(db).rows.items():
        if wrong := [key for key in {**should[table], **rows}
                     if should[table].get(key) != rows.get(key)]:
            faults.append((SUMS, table.name, _named(wrong)))
    if all(code != RATINGS for code, *_ in faults) and (names := ratings.differences(db)):
        faults.append((RATINGS, "standing", _named(names)))
    for row, over in _tournaments(db, games, faults):
        faults.extend(_faults_of_tournament(db, row, over))
        look(over)
    return faults


def _faults_of(
    db: sa.Connection, games: Games, one: Recorded, stored: Mapping[sa.Table, Mapping[int, list]]
) -> Iterator[Fault]:
    some_id, values = one.row["id"], one.values(games)
    reasons = [f"its row has another {name}" for name in values if one.row[name] != values[name]]
    if (one.row["published"] is not None) != one.is_counted:
        reasons.append("it is not counted" if one.is_counted else
                       "it is counted, and should not be")
    for part, rows in one.parts(db).items():
        if _keyed(part, rows) != _keyed(part, stored[part][one.row["n"]]):
            code = RATINGS if part is rated else RECORDS
            yield code, some_id, f"{part.name} has other rows"
    for reason in reasons:
        yield RECORDS, some_id, reason
    if one.lacks_line:
        yield LACKS_LINE, some_id, "the log has no line of it"


def _faults_of_tournament(
    db: sa.Connection, row: sa.RowMapping, over: LoadedTournament
) -> Iterator[Fault]:
    n, values = row["n"], tournaments.values_of(over)
    for name in values:
        if row[name] != values[name]:
            yield RECORDS, row["id"], f"its row has another {name}"
    stored = _rows_of(db, tournament_account.c.tournament, [n])[n]
    if _keyed(tournament_account, stored) != _keyed(
            tournament_account, tournaments.accounts_of(n, over)):
        yield RECORDS, row["id"], f"{tournament_account.name} has other rows"


def _rows_of(
    db: sa.Connection, column: sa.Column, numbers: Sequence[int]
) -> Mapping[int, list[Any]]:
    """Return the rows of a table, by the game or tournament that they are of."""
    rows = defaultdict(list)
    for row in db.execute(sa.select(column.table).where(column.in_(numbers))).mappings():
        rows[row[column.name]].append(row)
    return rows


def _keyed(table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> dict[tuple, tuple]:
    """Return rows by their keys, all columns in the order of the table."""
    keys, names = [key.name for key in table.primary_key], table.columns.keys()
    return {tuple(row[key] for key in keys): tuple(row[name] for name in names) for row in rows}


def _named(keys: Sequence[Any]) -> str:
    names = [key if isinstance(key, str) else " ".join(map(str, key)) for key in keys[:NAMED]]
    return f"{len(keys)} rows differ: {', '.join(names)}"


# In place


def rebuild(games: Games, progress: Progress) -> list[Fault]:
    """Rebuild all rows that are computed from recorded games and tournaments. Return the faults
    that stay: games and tournaments that cannot be read, which count nowhere.

    One transaction writes all rows but the ratings, which are counted in a generation of their
    own. So readers see all rows from before or all from after. Lines of the log are added where
    they are missing, and never changed."""
    faults: list[Fault] = []
    with games.database.writing() as db:
        for part in (*PARTS, tournament_account):
            db.execute(sa.delete(part))
        statistics.replace(db, statistics.sums_of(_remade(db, games, faults, progress)))
        for row, over in _tournaments(db, games, faults):
            db.execute(sa.update(tournament).where(tournament.c.n == row["n"])
                       .values(tournaments.values_of(over)))
            add(db, tournament_account, tournaments.accounts_of(row["n"], over))
    ratings.recount(games.database)
    return faults


def _remade(
    db: sa.Connection, games: Games, faults: list[Fault], progress: Progress
) -> Iterator[LoadedGame]:
    """Rebuild the rows of all games; yield the games that statistics count."""
    for some in _recorded(db, games, faults):
        for one in some:
            n, values = one.row["n"], one.values(games)
            if not one.is_counted:
                values["published"] = None
            db.execute(sa.update(game).where(game.c.n == n).values(values))
            add_parts(db, n, one.numbers, one.over)
            add(db, rated, one.rated(db))
            if one.is_counted:
                settling.publish(db, n)
                yield one.over
            if one.lacks_line:
                log.add_line(db, one.over)
            progress(one.row["id"])
