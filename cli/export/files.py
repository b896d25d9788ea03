"""Output files: lines of JSON, or columns in Apache Parquet."""

import os
from datetime import datetime
from mmap import ACCESS_READ, mmap
from pathlib import Path

from cli.export import columns

BATCH_ROWS = 2000  # rows written at a time
START = b'{"cursor":"'  # of each line
NOT_OURS = "the file does not hold what an export writes; name a new file"

# types whose values pyarrow takes in another form than JSON has
CONVERTED = {
    columns.COUNTS: lambda value: list(value.items()),
    columns.TIME: datetime.fromisoformat,
}


class CannotExport(Exception):
    """The file cannot be written; the message names the reason."""


class LineFile:
    """A file of lines. ``cursor`` is the end of the existing content, None for a new file."""

    def __init__(self, path: Path):
        self._file, self.cursor = path.open("r+b" if path.exists() else "w+b"), None
        try:
            if size := os.fstat(self._file.fileno()).st_size:
                with mmap(self._file.fileno(), size, access=ACCESS_READ) as text:
                    # the last whole line: an interrupted run may have left a part of a line
                    end = text.rfind(b"\n") + 1
                    last = text.rfind(b"\n", 0, max(0, end - 1)) + 1
                    if end:
                        self.cursor = cursor_of(text[last : end - 1])
                    elif not START.startswith(text[: len(START)]):
                        raise CannotExport(NOT_OURS)
                self._file.truncate(end)
                self._file.seek(end)
        except BaseException:
            self.close()
            raise

    def write(self, line: bytes) -> None:
        self._file.write(line + b"\n")

    def close(self) -> None:
        self._file.close()


class ColumnFile:
    """A Parquet file. It is written under a temporary name, which replaces the old file on close.
    ``cursor`` is the end of the old file's content, None for a new file."""

    def __init__(self, path: Path, kind: str):
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError:
            raise CannotExport("--parquet needs pyarrow: pip install pyarrow") from None
        self._arrow, self._columns, self._kind = pyarrow, columns.COLUMNS[kind], kind
        text, whole, real = pyarrow.string(), pyarrow.int64(), pyarrow.float64()
        types = {
            columns.TEXT: text,
            columns.WHOLE: whole,
            columns.REAL: real,
            columns.TRUTH: pyarrow.bool_(),
            columns.TIME: pyarrow.timestamp("ms", "UTC"),
            columns.TEXTS: pyarrow.list_(text),
            columns.WHOLES: pyarrow.list_(whole),
            columns.COUNTS: pyarrow.map_(text, whole),
        }
        self._schema = pyarrow.schema(
            [
                pyarrow.field(
                    column.name, types[column.type], metadata={"description": column.words}
                )
                for column in self._columns
            ]
        )
        self._path, self._beside = path, path.with_name(path.name + ".part")
        self._waiting: list[dict] = []
        self.cursor = None
        old = self._old_file(parquet) if path.exists() else None
        self._writer = parquet.ParquetWriter(self._beside, self._schema, compression="zstd")
        for group in range(old.num_row_groups if old else 0):
            table = old.read_row_group(group)
            self._writer.write_table(table)
            if table.num_rows:
                self.cursor = table["cursor"][-1].as_py()

    def _old_file(self, parquet):
        try:
            old = parquet.ParquetFile(self._path)
        except (self._arrow.ArrowInvalid, OSError) as error:
            raise CannotExport(f"{self._path} is no Parquet file: {error}") from error
        if not old.schema_arrow.equals(self._schema):
            raise CannotExport(f"{self._path} has other columns; name a new file")
        return old

    def write(self, line: bytes) -> None:
        self._waiting += list(columns.rows(self._kind, line))
        if len(self._waiting) >= BATCH_ROWS:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._writer.close()
        self._beside.replace(self._path)

    def _flush(self) -> None:
        arrays = []
        for column, field in zip(self._columns, self._schema, strict=True):
            values = [column.value(row) for row in self._waiting]
            if convert := CONVERTED.get(column.type):
                values = [None if value is None else convert(value) for value in values]
            arrays.append(self._arrow.array(values, field.type))
        self._writer.write_batch(self._arrow.record_batch(arrays, schema=self._schema))
        self._waiting = []


def cursor_of(line: bytes) -> str:
    """Return the cursor that a line begins with."""
    if not line.startswith(START):
        raise CannotExport(NOT_OURS)
    return line[len(START) : line.index(b'"', len(START))].decode()
