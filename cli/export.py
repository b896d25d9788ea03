"""Finished games from a service into a file: lines of JSON, or columns in Apache Parquet.

A file that is there already is gone on with, after the last game or decision in it.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fogg_client.client import Client
from urllib3.exceptions import HTTPError

DECISIONS, HISTORIES = "decisions", "histories"
BATCH = 2000  # rows written at a time
BLOCK = 1 << 20  # bytes read at a time, from the end of a file
STOPS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
TEXT, WHOLE, TRUTH, TEXTS, COUNTS = "string", "int64", "bool", "list<string>", "map<string, int64>"


class CannotExport(Exception):
    """The file cannot be written; the message says why."""


@dataclass(frozen=True)
class Column:
    """A column: its name, its type, what it holds, and how it is found in a row."""

    name: str
    type: str
    words: str
    value: Callable[[dict], Any]


def _of(*path: str) -> Callable[[dict], Any]:
    """Return a function that follows members, to None where one is missing."""
    def value(row: dict) -> Any:
        for name in path:
            row = row.get(name) if row else None
        return row
    return value


def _mine(name: str) -> Callable[[dict], Any]:
    """Return a function that finds a member of the seat itself in a decision's view."""
    return lambda row: row["view"]["seats"][row["seat"]].get(name)


WHERE = (
    Column("cursor", TEXT, "where to go on after this row", _of("cursor")),
    Column("game", TEXT, "the game's id", _of("game")),
    Column("board", TEXT, "the board's id", _of("board")),
    Column("version", WHOLE, "the version that the entry made", _of("version")),
)
ACTION = (
    Column("action", TEXT, "the action's type", _of("action", "type")),
    Column("route", TEXT, "the route claimed", _of("action", "route")),
    Column("cards", COUNTS, "the cards paid, colour to count", _of("action", "cards")),
    Column("from", TEXT, "`deck` or `row`, of a card drawn", _of("action", "from")),
    Column("card", TEXT, "the card taken from the row", _of("action", "card")),
    Column("tickets", TEXTS, "the tickets kept", _of("action", "tickets")),
    Column("location", TEXT, "where a station was built", _of("action", "location")),
)
PARTS = ("routes", "tickets", "longest_path", "stations", "districts", "flags")
RESULT = (
    Column("total", WHOLE, "the seat's final total", _of("result", "total")),
    Column("rank", WHOLE, "its final rank, 1 for the winner", _of("result", "rank")),
)
COLUMNS = {
    DECISIONS: (
        *WHERE,
        Column("seats", WHOLE, "how many seats the game has",
               lambda row: len(row["view"]["seats"])),
        Column("seat", WHOLE, "who decided", _of("seat")),
        Column("bot", TEXT, "the bot's name, where it is one",
               lambda row: _mine("player")(row).get("bot")),
        Column("decision", TEXT, "what was to be decided", _of("decision")),
        Column("milliseconds", WHOLE, "how long it took", _of("milliseconds")),
        Column("timed_out", TRUTH, "whether the service acted for the seat",
               lambda row: row.get("timed_out", False)),
        *ACTION,
        Column("legal_actions", WHOLE, "how many legal actions there were",
               lambda row: len(row["view"]["you"]["legal_actions"])),
        Column("hand", COUNTS, "the seat's hand before, colour to count",
               _of("view", "you", "hand")),
        Column("held_tickets", TEXTS, "the tickets it had kept before",
               _of("view", "you", "tickets")),
        Column("offered", TEXTS, "the tickets it could choose from",
               _of("view", "you", "offered")),
        Column("score", WHOLE, "its points before", _mine("score")),
        Column("trains", WHOLE, "its trains before", _mine("trains")),
        Column("row", TEXTS, "the face-up cards", _of("view", "row")),
        Column("deck", WHOLE, "cards in the deck", _of("view", "deck")),
        Column("claims", WHOLE, "routes claimed by anybody",
               lambda row: len(row["view"]["claims"])),
        *RESULT,
        *(Column(f"total_{part}", WHOLE, f"of the total, the part `{part}`",
                 _of("result", part)) for part in PARTS),
    ),
    HISTORIES: (
        *WHERE,
        Column("seats", WHOLE, "how many seats the game has", _of("seats")),
        Column("at", TEXT, "when the entry was accepted", _of("at")),
        Column("seat", WHOLE, "who acted, if a seat did", _of("seat")),
        Column("bot", TEXT, "the bot's name, where it is one", _of("bot")),
        *ACTION,
        Column("events", TEXTS, "the types of its events, in order",
               lambda row: [event["type"] for event in row["events"]]),
        *RESULT,
        Column("hash", TEXT, "the entry's hash", _of("hash")),
        Column("entry", TEXT, "the whole entry as JSON", _of("entry")),
    ),
}


def rows(kind: str, line: bytes) -> Iterator[dict]:
    """Yield the rows of a line: one of a decision, one for each entry of a history."""
    found = json.loads(line)
    if kind == DECISIONS:
        yield found
        return
    about = {name: found[name] for name in ("cursor", "game", "board")}
    about["seats"] = len(found["seats"])
    for entry in found["entries"]:
        more = {"entry": json.dumps(entry, separators=(",", ":"), ensure_ascii=False)}
        if "seat" in entry:
            seat = found["seats"][entry["seat"]]
            more |= {"bot": seat["player"].get("bot"), "result": seat}
        yield about | entry | more


class Lines:
    """A file of lines. ``cursor`` is where what is there already ends, None at the start."""

    def __init__(self, path: Path, _kind: str):
        self._file = path.open("r+b" if path.exists() else "w+b")
        end = self._cut()
        self._file.truncate(end)
        self.cursor = cursor_of(self._last(end)) if end else None
        self._file.seek(end)

    def write(self, line: bytes) -> None:
        """Write a line."""
        self._file.write(line + b"\n")

    def close(self) -> None:
        """Be done, for now or for good."""
        self._file.close()

    def _cut(self) -> int:
        """Return where the last whole line ends: what follows was cut off."""
        return self._before(os.fstat(self._file.fileno()).st_size) + 1

    def _last(self, end: int) -> bytes:
        start = self._before(end - 1) + 1
        self._file.seek(start)
        return self._file.read(end - 1 - start)

    def _before(self, end: int) -> int:
        """Return where the last newline before a place is, -1 if there is none."""
        while end > 0:
            start = max(0, end - BLOCK)
            self._file.seek(start)
            found = self._file.read(end - start).rfind(b"\n")
            if found >= 0:
                return start + found
            end = start
        return -1


class Columns:
    """A Parquet file. It is written beside the one that is there, and takes its place when closed;
    ``cursor`` is where that one ends, None at the start."""

    def __init__(self, path: Path, kind: str):
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError:
            raise CannotExport("--parquet needs pyarrow: pip install pyarrow") from None
        self._arrow, self._columns, self._kind = pyarrow, COLUMNS[kind], kind
        types = {TEXT: pyarrow.string(), WHOLE: pyarrow.int64(), TRUTH: pyarrow.bool_(),
                 TEXTS: pyarrow.list_(pyarrow.string()),
                 COUNTS: pyarrow.map_(pyarrow.string(), pyarrow.int64())}
        self._schema = pyarrow.schema([
            pyarrow.field(column.name, types[column.type], metadata={"description": column.words})
            for column in self._columns])
        self._path, self._beside = path, path.with_name(path.name + ".part")
        self._waiting: list[dict] = []
        self.cursor = None
        old = self._opened(parquet) if path.exists() else None
        self._writer = parquet.ParquetWriter(self._beside, self._schema, compression="zstd")
        for group in range(old.num_row_groups if old else 0):
            table = old.read_row_group(group)
            self._writer.write_table(table)
            if table.num_rows:
                self.cursor = table["cursor"][-1].as_py()

    def _opened(self, parquet):
        try:
            old = parquet.ParquetFile(self._path)
        except (self._arrow.ArrowInvalid, OSError) as error:
            raise CannotExport(f"{self._path} is no Parquet file: {error}") from error
        if not old.schema_arrow.equals(self._schema):
            raise CannotExport(f"{self._path} has other columns; name a new file")
        return old

    def write(self, line: bytes) -> None:
        """Write a line's rows."""
        self._waiting += list(rows(self._kind, line))
        if len(self._waiting) >= BATCH:
            self._flush()

    def close(self) -> None:
        """Be done, for now or for good."""
        self._flush()
        self._writer.close()
        self._beside.replace(self._path)

    def _flush(self) -> None:
        arrays = []
        for column, field in zip(self._columns, self._schema, strict=True):
            values = [column.value(row) for row in self._waiting]
            if column.type == COUNTS:
                values = [None if value is None else list(value.items()) for value in values]
            arrays.append(self._arrow.array(values, field.type))
        self._writer.write_batch(self._arrow.record_batch(arrays, schema=self._schema))
        self._waiting = []


@dataclass
class Exported:
    """What was written: games, lines and bytes of JSON; and what was there before."""

    games: int = 0
    lines: int = 0
    bytes: int = 0
    resumed_after: str | None = None
    game: str = ""


def export(
    client: Client, kind: str, file: Lines | Columns, wish: dict[str, str | int],
    most: int | None = None,
) -> Iterator[Exported]:
    """Write finished games, ``most`` at most, as the service's query ``wish`` says; yield what was
    written so far after each line. A download that is cut off is taken up again."""
    done, cursor = Exported(resumed_after=file.cursor), file.cursor
    failed = None
    while True:
        query = wish | ({"after": cursor} if cursor else {})
        try:
            for line in client.download(f"/v1/{kind}", **query):
                game = cursor_of(line).split(".")[1]
                if game != done.game and done.games == most:
                    return
                with _undisturbed():
                    file.write(line)
                cursor, failed = cursor_of(line), None
                done.games += game != done.game
                done.lines, done.bytes, done.game = done.lines + 1, done.bytes + len(line), game
                yield done
            return
        except HTTPError:
            failed = failed or time.monotonic()
            if time.monotonic() > failed + client.patience:
                raise
            time.sleep(0.2)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let signals wait, so that a line is written whole or not at all."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def cursor_of(line: bytes) -> str:
    """Return the cursor that a line begins with."""
    start = b'{"cursor":"'
    if not line.startswith(start):
        raise CannotExport("the file does not hold what an export writes; name a new file")
    return line[len(start):line.index(b'"', len(start))].decode()
