"""Sources of histories: files, the archive.zip of a tournament, and addresses, opened and unpacked
with limits."""

import gzip
import io
import json
import re
import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, BinaryIO, NoReturn
from urllib.parse import urlsplit
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, is_zipfile

import urllib3
from urllib3.exceptions import HTTPError

MAX_LINE_BYTES = 4 << 20  # bytes in a line
MAX_RATIO, SPARE_BYTES = 100, 16 << 20  # unpacked: ratio times the packed size, plus
MAGIC = b"\x1f\x8b"
IN_ZIP = "histories.ndjson"  # the file in the archive.zip of a tournament
NDJSON = "application/x-ndjson"
TIMEOUT_S = 30.0
GAME_PATH = re.compile(r"(.*/v1/games/[^/]+)(/events)?/?")


class Unreadable(Exception):
    """A source that cannot be read further, with code and reason."""

    def __init__(self, code: str, reason: str):
        super().__init__(reason)
        self.code = code


class Twice(Exception):
    """A member that an object has twice."""


def _members(pairs: list[tuple]) -> dict:
    """Return an object; reject duplicate members, which JSON leaves undefined."""
    members = dict(pairs)
    if len(members) < len(pairs):
        name, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise Twice(json.dumps(name)[:80])
    return members


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_members, parse_constant=_no_constant)


def decode(text: str) -> Any:
    """Return the value of strict JSON: no duplicate members, no numbers outside of JSON. Raise
    Twice, ValueError or RecursionError if it is invalid."""
    return _DECODER.decode(text)


def open_source(source: str) -> BinaryIO:
    """Open a file or an address; raise Unreadable on errors."""
    if source.startswith(("http://", "https://")):
        return _open_address(source)
    try:
        if Path(source).is_file() and is_zipfile(source):
            return _open_zip(source)
        return open(source, "rb")
    except OSError as error:
        raise Unreadable("unreadable", error.strerror or str(error)) from error


def _open_zip(source: str) -> BinaryIO:
    try:
        with ZipFile(source) as archive:
            entry = archive.getinfo(IN_ZIP)
            if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
                raise Unreadable("unreadable", "is compressed in a way that is not supported")
            if entry.file_size > MAX_RATIO * entry.compress_size + SPARE_BYTES:
                raise Unreadable("too-large", f"unpacks to more than {MAX_RATIO} times its size")
            return archive.open(entry)
    except KeyError:
        raise Unreadable("another-format", f"is a zip file without {IN_ZIP}") from None
    except (BadZipFile, EOFError, ValueError, RuntimeError, struct.error) as error:
        raise Unreadable("unreadable", f"is no readable zip file: {error}"[:200]) from error


def position_in(stream: BinaryIO) -> int:
    """Return the position in a stream; 0 for a pipe, which has none."""
    try:
        return stream.tell()
    except OSError:
        return 0


def size_of(sources: Iterable[str]) -> int:
    """Return the total size in bytes of the sources that are files."""
    return sum(Path(source).stat().st_size for source in sources if Path(source).is_file())


def lines_of(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Yield (number, line) of a source, None for a line that is too long. Most empty lines are
    skipped but counted."""
    number, is_long, unpacked = 0, False, io.BufferedReader(_Unpacked(stream), 1 << 16)
    while True:
        try:
            number += 0 if is_long else _empty_lines(unpacked)
            line = unpacked.readline(MAX_LINE_BYTES + 1)
        except (OSError, EOFError, zlib.error, BadZipFile, HTTPError) as error:
            raise Unreadable("unreadable", f"breaks off: {error}"[:200]) from error
        if not line:
            return
        whole = line.endswith(b"\n")
        if not is_long:
            number += 1
            yield number, line if whole or len(line) <= MAX_LINE_BYTES else None
        is_long = not whole and (is_long or len(line) > MAX_LINE_BYTES)


def _empty_lines(unpacked: io.BufferedReader) -> int:
    """Skip the empty lines in the buffer, as a packed source may hold millions; return their
    number."""
    ahead = unpacked.peek()
    return len(unpacked.read(len(ahead) - len(ahead.lstrip(b"\n"))))


class _Unpacked(io.RawIOBase):
    """The bytes of a stream, without gzip, up to a maximum."""

    def __init__(self, stream: BinaryIO):
        self._packed, self._given = _Counted(stream), 0
        self._bytes: Any = None  # known once the first bytes are
        self._is_packed = False

    def _begin(self) -> None:
        start = b""
        while len(start) < len(MAGIC) and (more := self._packed.read(len(MAGIC) - len(start))):
            start += more
        self._packed.start, self._is_packed = start, start == MAGIC
        self._bytes = gzip.GzipFile(fileobj=self._packed) if self._is_packed else self._packed

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        if self._bytes is None:
            self._begin()
        data = self._bytes.read(len(buffer))
        self._given += len(data)
        if self._is_packed and self._given > MAX_RATIO * self._packed.count + SPARE_BYTES:
            raise Unreadable("too-large", f"unpacks to more than {MAX_RATIO} times its size")
        buffer[: len(data)] = data
        return len(data)


class _Counted:
    """A stream that counts the bytes read from it."""

    def __init__(self, stream: BinaryIO):
        self._stream, self.start, self.count = stream, b"", 0  # ``start`` is read once more

    def read(self, size: int) -> bytes:
        if self.start:
            start, self.start = self.start[:size], self.start[size:]
            return start
        data = self._stream.read(size) or b""
        self.count += len(data)
        return data


def _open_address(address: str) -> BinaryIO:
    """Open an address. For a game's own address, open its entries, if the game is over."""
    http = urllib3.PoolManager(retries=False)
    timeout = urllib3.Timeout(connect=5.0, read=TIMEOUT_S)
    try:
        parts = urlsplit(address)
        if game := GAME_PATH.fullmatch(parts.path):
            _check_is_over(http, timeout, parts._replace(path=game[1], query="").geturl())
            address = parts._replace(path=f"{game[1]}/events", query="").geturl()
        answer = http.request(
            "GET",
            address,
            headers={"Accept": NDJSON},
            timeout=timeout,
            preload_content=False,
            decode_content=False,
        )  # see _Unpacked
    except (HTTPError, ValueError) as error:
        why = re.sub(r"^\[Errno -?\d+\] ", "", str(error).rpartition(": ")[2])
        raise Unreadable("unreadable", f"cannot be reached: {why}"[:200]) from error
    if answer.status != 200:
        answer.close()
        raise Unreadable("unreadable", f"answers with {answer.status}")
    return answer


def _check_is_over(http, timeout, address: str) -> None:
    """Reject an unfinished game, whose entries are incomplete."""
    answer = http.request(
        "GET",
        f"{address}?legal_actions=false",
        timeout=timeout,
        preload_content=False,
        headers={"Accept": "application/json"},
    )
    with closing(answer):
        if answer.status != 200:
            raise Unreadable("unreadable", _reason(answer))
        try:
            view = decode(answer.read(MAX_LINE_BYTES, decode_content=False).decode())
            status = view["status"]
        except (ValueError, LookupError, TypeError, RecursionError, Twice):
            raise Unreadable("unreadable", "is no game") from None
    if status != "finished":
        raise Unreadable("unfinished", "the game is not over, so parts of it are secret")


def _reason(answer) -> str:
    """Return the reason for a failed request: the detail of its problem document, else the
    status."""
    with suppress(ValueError, LookupError, TypeError, RecursionError, Twice, HTTPError):
        return str(decode(answer.read(MAX_LINE_BYTES, decode_content=False).decode())["detail"])
    return f"answers with {answer.status}"
