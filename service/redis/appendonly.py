"""Check and repair the append-only file of the embedded Redis before Redis reads it.

When power or disk fails, the last write may be torn: the file has only its beginning, and no client
got an acknowledgement. Redis reads such a file, but keeps the beginning of a torn transaction and
appends to it, so that the *next* start reads both as one. So the file is truncated here, after the
last whole transaction. Any other error is damage. A repair would lose acknowledged writes, so the
file is rejected.
"""

import mmap
import os
import re
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

FOLDER = "appendonlydir"
MANIFEST = "appendonly.aof.manifest"
LONGEST_NUMBER = 24  # bytes; no count or length is longer
ADVICE = (
    "Nothing was changed. Copy the folder away, then restore a backup (fogg restore); "
    'docs/operations.md says more under "Torn and damaged files"'
)


class Damaged(Exception):
    """Acknowledged writes cannot be read; the message says where, and what to do."""

    def __init__(self, what: str):
        super().__init__(f"{what}. {ADVICE}")


@dataclass(frozen=True)
class Cut:
    """A truncation: the bytes of a file from ``at`` on were moved to another file."""

    file: Path
    at: int
    size: int
    kept: Path

    def __str__(self) -> str:
        return (
            f"the last write to {self.file} was torn: its {self.size} bytes from {self.at} on "
            f"are no whole transaction and were moved to {self.kept}"
        )


class _Torn(Exception):
    """A file ends within a command."""


class _Wrong(Exception):
    """There is no command at this position."""


def mend(directory: Path) -> Cut | None:
    """Truncate a torn write at the end of this directory's last append-only file; return the Cut,
    None if the file is whole. On any other error raise Damaged and change nothing."""
    files = _files(directory / FOLDER)
    ends = [(file, *_whole(file)) for file in files]
    for file, end, size in ends[:-1]:
        if end < size:
            raise Damaged(f"{file} ends too soon, within the command at byte {end}")
    for file, end, size in ends[-1:]:
        if end < size:
            return _cut(file, end, size)
    return None


def _files(folder: Path) -> list[Path]:
    """Return the files with commands that a manifest names, in order."""
    manifest = folder / MANIFEST
    if not manifest.exists():
        if any(folder.glob("*.aof")) or any(folder.glob("*.rdb")):
            raise Damaged(f"{manifest} is missing: without it Redis would begin with nothing")
        return []
    rows = [line.split() for line in manifest.read_text().splitlines() if line.startswith("file ")]
    if missing := [row[1] for row in rows if row[5] != "h" and not (folder / row[1]).exists()]:
        raise Damaged(f"{folder / missing[0]} is missing, which {manifest} names")
    return [folder / row[1] for row in rows if row[5] == "i"]


def _whole(file: Path) -> tuple[int, int]:
    """Return where the last whole transaction of a file ends, and the file's size."""
    size = file.stat().st_size
    if not size:
        return 0, 0
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
        written = size  # without space that was allocated and never written
        while written and data[written - 1] == 0:
            written -= 1
        try:
            return whole_until(data, written), size
        except _Wrong as wrong:
            raise Damaged(f"{file} is damaged at byte {wrong} of {size}") from None


def whole_until(data: mmap.mmap | bytes, size: int) -> int:
    """Return the end of the last whole transaction, or of the last command outside of one, within
    the first ``size`` bytes."""
    at = whole = 0
    is_open = False
    try:
        while at < size:
            name, at = _command(data, at, size)
            if is_open == (name == b"MULTI") and name in (b"MULTI", b"EXEC"):
                raise _Wrong(whole)  # a nested transaction, or an end without a start
            is_open = name == b"MULTI" or (is_open and name != b"EXEC")
            if not is_open:
                whole = at
    except _Torn:
        pass
    return whole


def _command(data: mmap.mmap | bytes, at: int, size: int) -> tuple[bytes, int]:
    """Return the name of the command at a position, and where it ends."""
    if data[at] == 0x23:  # "#", a note of the time
        end = data.find(b"\r\n", at, size)
        if end < 0:
            raise _Torn
        return b"", end + 2
    count, at = _number(data, at, size, 0x2A)  # "*"
    name = b""
    for argument in range(count):
        length, begin = _number(data, at, size, 0x24)  # "$"
        at = begin + length + 2
        if at > size:
            if data.find(b"\r\n*", begin, size) >= 0:  # more commands follow: the length is wrong
                raise _Wrong(begin)
            raise _Torn
        if data[at - 2] != 0x0D or data[at - 1] != 0x0A:
            raise _Wrong(at - 2)
        if not argument and length < 6:
            name = data[begin : at - 2].upper()
    return name, at


def _number(data: mmap.mmap | bytes, at: int, size: int, mark: int) -> tuple[int, int]:
    """Return the count or length after a mark at a position, and where its line ends."""
    if at >= size:
        raise _Torn
    limit = min(at + LONGEST_NUMBER, size)
    end = data.find(b"\r\n", at, limit)
    digits = data[at + 1 : limit if end < 0 else end]
    if data[at] == mark and end >= 0 and digits.isdigit():
        return int(digits), end + 2
    if data[at] == mark and end < 0 and limit == size and re.fullmatch(rb"\d*\r?", digits):
        raise _Torn
    raise _Wrong(at)


def _cut(file: Path, at: int, size: int) -> Cut:
    kept = file.parents[1] / time.strftime("torn-%Y%m%d-%H%M%S.aof", time.gmtime())
    with file.open("r+b") as opened:
        opened.seek(at)
        with suppress(OSError):  # a full disk has no room for what nobody needs
            kept.write_bytes(opened.read())
        opened.truncate(at)
        os.fsync(opened.fileno())
    return Cut(file, at, size - at, kept)
