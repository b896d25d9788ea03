"""The archive of finished games: write their histories to files, and read them. Also pages of lists
(``service.store.shelves``), many in one file: a page's name is "FILE:OFFSET:LENGTH:HASH".

Redis has the ``Place`` of each, in ``{TAG:ID}:archived``. Each history that is read is compared
with the hash in its place, so that a changed or wrong one is never used.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import accumulate
from typing import Any, NamedTuple

import orjson
from zstandard import ZstdCompressor, ZstdDecompressor, ZstdError

from domain.errors import BrokenHistory
from service import settings
from service.errors import ArchiveDown, PageLost
from service.store import segments
from service.store.packing import Written
from service.store.vaults import Down, Missing, Vault, vault_at
from service.times import now

HISTORIES, DICTIONARIES, PAGES = 32, 64, 64  # cached in memory, the last ones that were read
DIGITS = 16  # of its SHA-256, in hex, that a segment's name ends with
PAGE_LEVEL = 12  # of compression
log = logging.getLogger(__name__)


class Place(NamedTuple):
    """The place of a history: its last version and hash, the segment, the range of bytes in it."""

    version: int
    hash: str
    segment: str
    offset: int
    length: int


class Found(NamedTuple):
    """The contents of a segment: its games and their places, the tables of their boards, and a
    sentence for each error."""

    name: str
    games: list[tuple[segments.Row, Place]]
    tables: list[dict]
    damage: list[str]


class Archive:
    """An archive in one vault. If the vault is None, this process cannot read the archive."""

    def __init__(self, vault: Vault | None = None):
        self._vault = vault
        self._dictionary = lru_cache(DICTIONARIES)(self._read_dictionary)
        self._history = lru_cache(HISTORIES)(self._read_history)
        self._page = lru_cache(PAGES)(self._read_page)

    @staticmethod
    def named() -> Archive:
        """Return the archive at FOGG_ARCHIVE. Raise NoVault if no archive can be at that place."""
        place = settings.ARCHIVE.value()
        return Archive(vault_at(place) if place else None)

    @property
    def is_there(self) -> bool:
        """Whether games can be archived here."""
        return self._vault is not None

    # Reading

    def history(self, place: Place) -> list[Written]:
        """Return the history at a place. Raise BrokenHistory if it is missing or its hash differs,
        ArchiveDown if the archive does not respond."""
        return self._history(place)

    def _read_history(self, place: Place) -> list[Written]:
        try:
            game = self._get(place.segment, place.offset, place.length)
            where = segments.dictionary_of(game)
            return _checked(game, self._dictionary(place.segment, *where), place)
        except (Missing, ValueError) as error:
            raise BrokenHistory(1, "the archive does not hold it any more") from error

    def _read_dictionary(self, segment: str, offset: int, length: int) -> ZstdDecompressor:
        return segments.as_dictionary(self._get(segment, offset, length))

    def _get(self, name: str, offset: int = 0, length: int | None = None) -> bytes:
        if self._vault is None:
            raise ArchiveDown("this game is archived, and FOGG_ARCHIVE names no archive here")
        try:
            return self._vault.get(name, offset, length)
        except Down as error:
            log.error("the archive does not answer: %s", error)
            raise ArchiveDown() from error

    # Writing

    def check_writable(self) -> None:
        """Raise ArchiveDown unless files can be written to the archive, if there is one."""
        try:
            if self._vault:
                self._vault.check_writable()
        except Down as error:
            raise ArchiveDown(f"the archive cannot be written: {error}") from error

    def put(self, writer: segments.Writer) -> list[tuple[segments.Row, Place]]:
        """Write a segment; return its games that are safely stored, with their places. Everything
        is read back from the archive and compared with its last hash."""
        return self._read_segment(self._write(writer.finish(), ".fogg")).games

    def _write(self, data: bytes, ending: str) -> str:
        """Write a file; return its name."""
        at = now()[:19].replace("-", "").replace(":", "")
        name = f"{at}-{_digest(data)}{ending}"
        if self._vault is None:
            raise ArchiveDown("FOGG_ARCHIVE names no archive")
        try:
            self._vault.put(name, data)
        except Down as error:
            raise ArchiveDown(f"the archive cannot be written: {error}") from error
        return name

    def put_page(self, page: Any) -> str:
        """Write a value of JSON as a page. Read it back, and return its name."""
        return self.put_pages([page])[0]

    def put_pages(self, pages: Sequence[Any]) -> list[str]:
        """Write several pages to one file. Read it back, and return their names."""
        parts = [ZstdCompressor(level=PAGE_LEVEL).compress(orjson.dumps(page)) for page in pages]
        data = b"".join(parts)
        file = self._write(data, ".page")
        if self._get(file) != data:
            raise ArchiveDown(f"the archive does not return {file} as it was written")
        offsets = accumulate(map(len, parts), initial=0)
        return [f"{file}:{offset}:{len(part)}:{_digest(part)}"
                for part, offset in zip(parts, offsets, strict=False)]

    def page(self, name: str) -> Any:
        """Return the value of the page with this name. Raise PageLost if it is missing or damaged,
        ArchiveDown if the archive does not respond."""
        return self._page(name)

    def _read_page(self, name: str) -> Any:
        file, offset, length, digest = name.split(":")
        try:
            data = self._get(file, int(offset), int(length))
            if _digest(data) != digest:
                raise ValueError("its bytes are not those that its name has the hash of")
            return orjson.loads(ZstdDecompressor().decompress(data))
        except (Missing, ValueError, ZstdError) as error:
            log.error("%s of the archive cannot be read: %r", name, error)
            raise PageLost(f"a page of this list is missing in the archive ({file}); fogg rebuild "
                           "writes it again") from error

    def everything(self, *, read_games: bool = True) -> Iterator[Found]:
        """Yield the contents of each segment; a game may be in several. Without ``read_games``,
        games are listed from the index and not read."""
        if self._vault is None:
            return
        try:
            names = [name for name in self._vault.names() if name.endswith(".fogg")]
        except Down as error:
            raise ArchiveDown() from error
        for name in names:
            yield self._read_segment(name, read_games)

    def _read_segment(self, name: str, read_games: bool = True) -> Found:
        """Return the intact games of a segment, and its errors."""
        segment = Found(name, [], [], [])
        try:
            data = self._get(name)
            if not is_named_after(name, data):
                segment.damage.append("its bytes are not those that its name has the hash of")
            index = segments.index_of(data)
        except Missing:
            segment.damage.append("it was there, and is gone")
            return segment
        except ValueError as error:
            segment.damage.append(f"its index cannot be read: {error}")
            return segment
        dictionary = lru_cache(DICTIONARIES)(
            lambda offset, length: segments.as_dictionary(data[offset : offset + length]))
        for row in index.games:
            place = Place(row.version, row.hash, name, row.offset, row.length)
            game = data[row.offset : row.offset + row.length]
            try:
                if read_games:
                    _checked(game, dictionary(*segments.dictionary_of(game)), place)
            except ValueError as error:
                segment.damage.append(f"{row.game} cannot be read: {error}")
                continue
            segment.games.append((row, place))
        segment.tables.extend(index.tables)
        return segment


def is_named_after(name: str, data: bytes) -> bool:
    """Return whether the bytes of a segment match the hash in its name."""
    return _digest(data) == name.rpartition("-")[2].partition(".")[0]


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:DIGITS]


def _checked(game: bytes, dictionary: ZstdDecompressor, place: Place) -> list[Written]:
    """Return the history in a game's bytes; raise ValueError if it does not match its place."""
    history = segments.history_of(game, dictionary)
    if (len(history), history[-1][1]) != (place.version, place.hash):
        raise ValueError("it is another history")
    return history
