"""The archive: where the histories of finished games go, and how they are read from there.

Redis knows the ``Place`` of each, in ``{TAG:ID}:archived``. A history that is read is compared with
the hash in its place, so that a changed or mixed-up one is never used.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from zstandard import ZstdDecompressor

from domain.errors import BrokenHistory
from service import settings
from service.errors import ArchiveDown
from service.store import segments
from service.store.packing import Written
from service.store.vaults import Down, Missing, Vault, vault_at
from service.times import now

HISTORIES, DICTIONARIES = 32, 64  # kept in memory, those last read
DIGITS = 16  # of its SHA-256, in hex, that a segment's name ends with; 8 random ones in older names
log = logging.getLogger(__name__)


class Place(NamedTuple):
    """Where a history is: its last version and hash, the segment, and which bytes of it."""

    version: int
    hash: str
    segment: str
    offset: int
    length: int

    def __str__(self) -> str:
        return " ".join(map(str, self))

    @staticmethod
    def read(raw: bytes) -> Place:
        """Return the place that Redis holds."""
        version, last, segment, offset, length = raw.decode().split(" ")
        return Place(int(version), last, segment, int(offset), int(length))


class Found(NamedTuple):
    """The contents of a segment: its games and their places, the tables of their boards, and a
    sentence for each damage."""

    name: str
    games: list[tuple[segments.Row, Place]]
    tables: list[dict]
    damage: list[str]


class Archive:
    """An archive in one place; None for the place is an archive that this process cannot read."""

    def __init__(self, vault: Vault | None = None):
        self._vault = vault
        self._dictionary = lru_cache(DICTIONARIES)(self._read_dictionary)
        self._history = lru_cache(HISTORIES)(self._read_history)

    @staticmethod
    def named() -> Archive:
        """Return the archive that FOGG_ARCHIVE names; raise NoVault if it cannot be one."""
        place = settings.ARCHIVE.value()
        return Archive(vault_at(place) if place else None)

    @property
    def is_there(self) -> bool:
        """Whether games can be put here."""
        return self._vault is not None

    # Reading

    def history(self, place: Place) -> list[Written]:
        """Return the history at a place. Raise BrokenHistory if it is not the one that was put
        there, ArchiveDown if that cannot be found out."""
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
        """Keep a segment; return which games it holds for sure, and where: everything is read
        back from where it is now, and is what its last hash says."""
        data = writer.finish()
        at = now()[:19].replace("-", "").replace(":", "")
        name = f"{at}-{sha256(data).hexdigest()[:DIGITS]}.fogg"
        if self._vault is None:
            raise ArchiveDown("FOGG_ARCHIVE names no archive")
        try:
            self._vault.put(name, data)
        except Down as error:
            raise ArchiveDown(f"the archive cannot be written: {error}") from error
        return self._found(name).games

    def everything(self, *, read_games: bool = True) -> Iterator[Found]:
        """Yield what is in each segment; a game may be in more than one. Without ``read_games``,
        games are returned as the index lists them, and not read."""
        if self._vault is None:
            return
        try:
            names = [name for name in self._vault.names() if name.endswith(".fogg")]
        except Down as error:
            raise ArchiveDown() from error
        for name in names:
            yield self._found(name, read_games)

    def _found(self, name: str, read_games: bool = True) -> Found:
        """Return what is whole in a segment, and what is damaged."""
        found = Found(name, [], [], [])
        try:
            data = self._get(name)
            if not is_named_after(name, data):
                found.damage.append("its bytes are not those that its name has the hash of")
            index = segments.index_of(data)
        except Missing:
            found.damage.append("it was there, and is gone")
            return found
        except ValueError as error:
            found.damage.append(f"its index cannot be read: {error}")
            return found
        dictionary = lru_cache(DICTIONARIES)(
            lambda offset, length: segments.as_dictionary(data[offset : offset + length]))
        for row in index.games:
            place = Place(row.version, row.hash, name, row.offset, row.length)
            game = data[row.offset : row.offset + row.length]
            try:
                if read_games:
                    _checked(game, dictionary(*segments.dictionary_of(game)), place)
            except ValueError as error:
                found.damage.append(f"{row.game} cannot be read: {error}")
                continue
            found.games.append((row, place))
        found.tables.extend(index.tables)
        return found


def has_digest(name: str) -> bool:
    """Return whether a segment's name has the hash of its bytes, which older names have not."""
    return len(_digits(name)) == DIGITS


def is_named_after(name: str, data: bytes) -> bool:
    """Return whether a segment has the bytes that its name has the hash of, if it has one."""
    return not has_digest(name) or sha256(data).hexdigest().startswith(_digits(name))


def _digits(name: str) -> str:
    return name.rpartition("-")[2].removesuffix(".fogg")


def _checked(game: bytes, dictionary: ZstdDecompressor, place: Place) -> list[Written]:
    """Return the history in a game's bytes; raise ValueError if it is not the one that a place is
    of."""
    history = segments.history_of(game, dictionary)
    if (len(history), history[-1][1]) != (place.version, place.hash):
        raise ValueError("it is another history")
    return history
