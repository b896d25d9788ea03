"""Histories in files and at addresses: read with care, checked on all processors.

A history is one entry a line; a source may hold many, one after the other, and be compressed with
gzip. Whatever is in it, reading takes bounded memory and ends: a line, a game and what a source
unpacks to have a greatest size. Codes beside those of ``domain.game.proof``:

unreadable         the source cannot be opened or read to its end
not-json           a line is no JSON text, or holds what JSON does not allow
duplicate-member   an object has a member twice
too-large          a line, a game, or what a compressed source unpacks to
empty              there is no entry
"""

from __future__ import annotations

import gzip
import io
import json
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, islice
from multiprocessing import get_context
from pathlib import Path
from typing import BinaryIO, NoReturn
from urllib.parse import urlsplit

import urllib3

from domain.board.board import Board, boards_by_digest
from domain.game.proof import Verdict, Wrong, finished

LINE = 4 << 20  # bytes that a line may have
GAME = 64 << 20  # bytes that a game may have
ENTRIES = 100_000  # and lines
RATIO, SPARE = 100, 16 << 20  # a source may unpack to so many times its size, and this beyond it
BATCH = 1 << 20  # bytes of games that go to another processor at once
MAGIC = b"\x1f\x8b"
NDJSON = "application/x-ndjson"
SILENCE = 30.0  # seconds to wait for an answer
# Only a first entry has this outside a string: within one, each quote has a backslash before it.
FIRST = re.compile(rb'"type"\s*:\s*"game_created"')
GAME_PATH = re.compile(r"(.*/v1/games/[^/]+)(/events)?/?")


class Unreadable(Exception):
    """A source that cannot be read any further: ``code`` and why."""

    def __init__(self, code: str, reason: str):
        super().__init__(reason)
        self.code = code


@dataclass
class Lines:
    """The lines of one game, as they stand in a source; ``first`` is the number of the first."""

    source: str
    first: int
    lines: list[bytes] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    size: int = 0
    wrong: tuple[str, str] | None = None  # what ended reading: code and reason
    wrong_at: int = 0  # and on which line

    def add(self, line: bytes, number: int) -> None:
        """Take another line in, unless there are too many."""
        if self.wrong:
            return
        self.size += len(line)
        if self.size > GAME or len(self.lines) == ENTRIES:
            self.refuse(number, "too-large",
                        f"a game of more than {GAME >> 20} MiB or {ENTRIES} entries")
        else:
            self.lines.append(line)
            self.numbers.append(number)

    def refuse(self, number: int, code: str, reason: str) -> None:
        """Note that the game goes on as it cannot, unless something was wrong before."""
        if not self.wrong:
            self.wrong, self.wrong_at = (code, reason), number

    def entries(self) -> Iterator[dict]:
        """Yield the entries; raise Wrong at what is none."""
        version = 0
        for version, line in enumerate(self.lines, 1):
            yield parsed(line, version)
        if self.wrong:
            raise Wrong(version + 1, *self.wrong)

    def line_of(self, version: int) -> int:
        """Return the number of the line on which an entry should be."""
        if version <= len(self.numbers):
            return self.numbers[version - 1]
        return self.wrong_at or (self.numbers[-1] if self.numbers else self.first)


def parsed(line: bytes, version: int) -> dict:
    """Return what a line holds; raise Wrong where it is no JSON text of the strict kind."""
    try:
        value = _DECODER.decode(line.decode())
    except _Twice as twice:
        raise Wrong(version, "duplicate-member", f"an object has {twice} twice") from None
    except RecursionError:
        raise Wrong(version, "not-json", "objects and arrays lie too deep in each other") from None
    except ValueError as error:
        raise Wrong(version, "not-json", f"is no JSON text: {error}"[:200]) from None
    if isinstance(value, dict) and "items" in value and "version" not in value:
        raise Wrong(version, "malformed", "is a page of entries, and there should be one entry a "
                                          f"line: ask for {NDJSON}")
    return value


def games(source: str, stream: BinaryIO) -> Iterator[Lines]:
    """Yield the games of a source, each as soon as it has been read."""
    game, number = None, 0
    try:
        for number, line in _lines(stream):
            if line is not None and not line.strip():
                continue
            if game is None or (line is not None and FIRST.search(line)):
                if game:
                    yield game
                game = Lines(source, number)
            if line is None:
                game.refuse(number, "too-large", f"a line of more than {LINE >> 20} MiB")
            else:
                game.add(line, number)
    except Unreadable as error:
        game = game or Lines(source, number + 1)
        game.refuse(number + 1, error.code, str(error))
    if game is None:
        game = Lines(source, 1)
        game.refuse(1, "empty", "there is no entry")
    yield game


def opened(source: str) -> BinaryIO:
    """Open a file, or what is at an address; raise Unreadable if that cannot be done."""
    if source.startswith(("http://", "https://")):
        return _fetched(source)
    try:
        return open(source, "rb")
    except OSError as error:
        raise Unreadable("unreadable", error.strerror or str(error)) from error


def read(source: str, told: Callable[[int], None] = lambda position: None) -> Iterator[Lines]:
    """Yield the games of a file or an address; what cannot be read is a game that is wrong.
    ``told`` is called with how many bytes have been read."""
    try:
        stream = opened(source)
    except Unreadable as error:
        game = Lines(source, 1)
        game.refuse(1, error.code, str(error))
        yield game
        return
    with closing(stream):
        for game in games(source, stream):
            told(_position(stream))
            yield game


def only(source: str) -> Lines:
    """Return the game of a source that should hold one."""
    found = list(islice(read(source), 2))
    if len(found) > 1:
        raise Unreadable("malformed", "holds more than one game")
    return found[0]


def verdict(lines: Lines, boards: dict[str, Board]) -> Verdict:
    """Return what is to be said of a game that should be whole."""
    return finished(boards, lines.entries())


def told(lines: Lines, found: Verdict) -> dict:
    """Return a verdict as JSON."""
    row = {"source": lines.source, "game": found.game, "ok": found.wrong is None}
    if wrong := found.wrong:
        row |= {"line": lines.line_of(wrong.version), "version": wrong.version,
                "code": wrong.code, "reason": wrong.reason}
    return row


def verified(
    sources: Iterable[str], folders: tuple[str, ...] = (), jobs: int = 1,
    progress: Callable[[str, int], None] = lambda source, position: None,
) -> Iterator[dict]:
    """Yield a verdict as JSON for every game in the sources, in their order.

    Only so much is read ahead as the processors need. ``progress`` is told how far a source has
    been read.
    """
    batches = _batches(game for source in sources
                       for game in read(source, lambda at, source=source: progress(source, at)))
    first = list(islice(batches, 2))
    if jobs == 1 or len(first) < 2:  # other processes would take longer to start
        for batch in chain(first, batches):
            yield from _checked(batch, folders)
        return
    batches = chain(first, batches)
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))
    try:
        under_way = [pool.submit(_checked, batch, folders) for batch in islice(batches, 2 * jobs)]
        while under_way:
            yield from under_way.pop(0).result()
            under_way += [pool.submit(_checked, batch, folders) for batch in islice(batches, 1)]
    finally:
        pool.shutdown(cancel_futures=True)


@cache
def _boards(folders: tuple[str, ...]) -> dict[str, Board]:
    return boards_by_digest(folders)


def _checked(batch: list[Lines], folders: tuple[str, ...]) -> list[dict]:
    return [told(lines, verdict(lines, _boards(folders))) for lines in batch]


def _batches(found: Iterable[Lines]) -> Iterator[list[Lines]]:
    """Put games together so that sending them to another process pays."""
    batch: list[Lines] = []
    for lines in found:
        batch.append(lines)
        if sum(one.size for one in batch) >= BATCH or len(batch) >= 64:
            yield batch
            batch = []
    if batch:
        yield batch


def _lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Yield (number, line) of a source, None for a line that is too long to be kept."""
    number, is_long, unpacked = 0, False, io.BufferedReader(_Unpacked(stream), 1 << 16)
    while True:
        try:
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


def _position(stream: BinaryIO) -> int:
    """Return how far a stream has been read; a pipe does not know."""
    try:
        return stream.tell()
    except OSError:
        return 0


def _fetched(address: str) -> BinaryIO:
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
        raise Unreadable("unreadable", f"cannot be reached: {error}"[:200]) from error
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
            view = _DECODER.decode(answer.read(LINE, decode_content=False).decode())
            status = view["status"]
        except (ValueError, LookupError, TypeError, RecursionError, _Twice):
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


class _Twice(Exception):
    """A member that an object has twice."""


def _members(pairs: list[tuple]) -> dict:
    """Return an object; JSON leaves open what a member that is there twice means."""
    found = dict(pairs)
    if len(found) < len(pairs):
        name, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise _Twice(json.dumps(name)[:80])
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_members, parse_constant=_no_constant)


def size_of(sources: Iterable[str]) -> int:
    """Return how many bytes the sources that are files have."""
    return sum(Path(source).stat().st_size for source in sources if Path(source).is_file())
