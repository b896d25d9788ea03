"""Check and repair the append-only file of the embedded Redis before Redis reads it.

When power or disk fails, the last write may be torn: the file has only its beginning, and no client
got an acknowledgement. Redis reads such a file, but keeps the beginning of a torn transaction and
appends to it, so that the *next* start reads both as one. So the file is truncated here, after the
last whole transaction. Any other error is damage. A repair would lose acknowledged writes, so the
file is rejected; ``redis-check-aof --fix`` would cut it.
"""

from __future__ import annotations

import mmap
import os
import time
from contextlib import suppress
from pathlib import Path

from hiredis import ProtocolError, Reader, pack_command

FOLDER = "appendonlydir"
MANIFEST = "appendonly.aof.manifest"
CHUNK = 1 << 20  # bytes that are read at a time
ADVICE = (
    "Nothing was changed. Copy the folder away, then restore a backup (fogg restore); "
    "docs/operations.md says more under \"Torn and damaged files\"")


class Damaged(Exception):
    """Acknowledged writes cannot be read; the message says where, and what to do."""

    def __init__(self, what: str):
        super().__init__(f"{what}. {ADVICE}")


def mend(directory: Path) -> str | None:
    """Truncate a torn write at the end of this directory's last append-only file; return a sentence
    about it, None if the file is whole. On any other error raise Damaged and change nothing."""
    ends = [(file, *_whole(file)) for file in _files(directory / FOLDER)]
    torn = [(file, end, size) for file, end, size in ends if end < size]
    for file, end, _ in torn:
        if file != ends[-1][0]:
            raise Damaged(f"{file} ends too soon, within the command at byte {end}")
    return _cut(*torn[0]) if torn else None


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
        return whole_until(file, data, written), size


def whole_until(file: Path, data: mmap.mmap | bytes, size: int) -> int:
    """Return where the last whole transaction, or command outside of one, ends in the first
    ``size`` bytes of a file. Raise Damaged if they are not commands, the last one perhaps torn."""
    reader, at, whole, is_open = Reader(), 0, 0, False
    try:
        for start in range(0, size, CHUNK):
            reader.feed(data[start:min(start + CHUNK, size)])
            while command := reader.gets():
                text = pack_command(tuple(command))
                name = command[0].upper() if len(command) == 1 else b""
                if data[at:at + len(text)] != text or (
                        is_open == (name == b"MULTI") and name in (b"MULTI", b"EXEC")):
                    raise ProtocolError  # a nested transaction, or an end without a start
                is_open = name == b"MULTI" or (is_open and name != b"EXEC")
                at += len(text)
                if not is_open:
                    whole = at
        if data.find(b"\r\n*", at, size) >= 0:  # more commands follow: a length is wrong
            raise ProtocolError
    except (ProtocolError, TypeError, AttributeError):  # or a part that is no text
        raise Damaged(f"{file} is damaged at byte {at} of {size}") from None
    return whole


def _cut(file: Path, at: int, size: int) -> str:
    """Truncate a file; keep the rest in another one."""
    kept = file.parents[1] / time.strftime("torn-%Y%m%d-%H%M%S.aof", time.gmtime())
    with file.open("r+b") as opened:
        opened.seek(at)
        with suppress(OSError):  # a full disk has no room for what nobody needs
            kept.write_bytes(opened.read())
        opened.truncate(at)
        os.fsync(opened.fileno())
    return (f"the last write to {file} was torn: its {size - at} bytes from {at} on are no whole "
            f"transaction and were moved to {kept}")
