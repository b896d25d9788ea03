"""Where histories are: files and addresses, opened and unpacked with care."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit

import urllib3

from cli.recorded.strict import Twice, decode

LINE = 4 << 20  # bytes that a line may have
RATIO, SPARE = 100, 16 << 20  # a source may unpack to so many times its size, and this beyond it
MAGIC = b"\x1f\x8b"
NDJSON = "application/x-ndjson"
SILENCE = 30.0  # seconds to wait for an answer
GAME_PATH = re.compile(r"(.*/v1/games/[^/]+)(/events)?/?")


class Unreadable(Exception):
    """A source that cannot be read any further: ``code`` and why."""

    def __init__(self, code: str, reason: str):
        super().__init__(reason)
        self.code = code


def open_source(source: str) -> BinaryIO:
    """Open a file, or what is at an address; raise Unreadable if that cannot be done."""
    if source.startswith(("http://", "https://")):
        return _open_address(source)
    try:
        return open(source, "rb")
    except OSError as error:
        raise Unreadable("unreadable", error.strerror or str(error)) from error


def position_in(stream: BinaryIO) -> int:
    """Return how far a stream has been read; a pipe does not know."""
    try:
        return stream.tell()
    except OSError:
        return 0


def size_of(sources: Iterable[str]) -> int:
    """Return how many bytes the sources that are files have."""
    return sum(Path(source).stat().st_size for source in sources if Path(source).is_file())


def lines_of(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Yield (number, line) of a source, None for a line that is too long to be kept; empty lines
    count, and most are left out."""
    number, is_long, unpacked = 0, False, io.BufferedReader(_Unpacked(stream), 1 << 16)
    while True:
        try:
            number += 0 if is_long else _empty_lines(unpacked)
            line = unpacked.readline(LINE + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise Unreadable("unreadable", f"breaks off: {error}"[:200]) from error
        if not line:
            return
        whole = line.endswith(b"\n")
        if not is_long:
            number += 1
            yield number, line if whole or len(line) <= LINE else None
        is_long = not whole and (is_long or len(line) > LINE)


def _empty_lines(unpacked: io.BufferedReader) -> int:
    """Read the empty lines that are in memory, of which millions may be packed; return how many."""
    ahead = unpacked.peek()
    return len(unpacked.read(len(ahead) - len(ahead.lstrip(b"\n"))))


class _Unpacked(io.RawIOBase):
    """The bytes of a stream, unpacked if gzip has packed them, as long as they are not too many."""

    def __init__(self, stream: BinaryIO):
        self._packed, self._given = _Counted(stream), 0
        self._bytes: BinaryIO | None = None
        self._is_packed = False

    def _begin(self) -> None:
        """Look how the stream begins."""
        start = b""
        while len(start) < len(MAGIC) and (more := self._packed.read(len(MAGIC) - len(start))):
            start += more
        self._packed.put_back(start)
        self._is_packed = start == MAGIC
        self._bytes = gzip.GzipFile(fileobj=self._packed) if self._is_packed else self._packed

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        if self._bytes is None:
            self._begin()
        found = self._bytes.read(len(buffer))
        self._given += len(found)
        if self._is_packed and self._given > RATIO * self._packed.count + SPARE:
            raise Unreadable("too-large", f"unpacks to more than {RATIO} times its size")
        buffer[: len(found)] = found
        return len(found)


class _Counted:
    """A stream that counts what was read of it."""

    def __init__(self, stream: BinaryIO):
        self._stream, self._start, self.count = stream, b"", 0

    def put_back(self, start: bytes) -> None:
        """Let bytes be read again."""
        self._start = start

    def read(self, size: int) -> bytes:
        if self._start:
            start, self._start = self._start[:size], self._start[size:]
            return start
        found = self._stream.read(size) or b""
        self.count += len(found)
        return found


def _open_address(address: str) -> BinaryIO:
    """Open what is at an address; a game's own is that of its entries, if it is over."""
    http = urllib3.PoolManager(retries=False)
    timeout = urllib3.Timeout(connect=5.0, read=SILENCE)
    try:
        parts = urlsplit(address)
        if found := GAME_PATH.fullmatch(parts.path):
            _check_is_over(http, timeout, parts._replace(path=found[1], query="").geturl())
            address = parts._replace(path=f"{found[1]}/events", query="").geturl()
        answer = http.request("GET", address, headers={"Accept": NDJSON}, timeout=timeout,
                              preload_content=False)
    except (urllib3.exceptions.HTTPError, ValueError) as error:
        why = re.sub(r"^\[Errno -?\d+\] ", "", str(error).rpartition(": ")[2])
        raise Unreadable("unreadable", f"cannot be reached: {why}"[:200]) from error
    if answer.status != 200:
        answer.close()
        raise Unreadable("unreadable", f"answers with {answer.status}")
    return _Answer(answer)


def _check_is_over(http, timeout, address: str) -> None:
    """Refuse a game that goes on, whose entries are never all there."""
    answer = http.request("GET", f"{address}?legal_actions=false", timeout=timeout,
                          preload_content=False, headers={"Accept": "application/json"})
    with closing(answer):
        if answer.status != 200:
            raise Unreadable("unreadable", f"answers with {answer.status}")
        try:
            view = decode(answer.read(LINE, decode_content=False).decode())
            status = view["status"]
        except (ValueError, LookupError, TypeError, RecursionError, Twice):
            raise Unreadable("unreadable", "is no game") from None
    if status != "finished":
        raise Unreadable("unfinished", "the game is not over, so parts of it are secret")


class _Answer:
    """The body of an answer, as a file to be read."""

    def __init__(self, answer):
        self._answer, self._count = answer, 0

    def read(self, size: int) -> bytes:
        try:
            found = self._answer.read(size, decode_content=False)  # unpacked with care, see above
        except urllib3.exceptions.HTTPError as error:
            raise OSError(str(error)) from error
        self._count += len(found)
        return found

    def tell(self) -> int:
        return self._count

    def close(self) -> None:
        self._answer.close()
