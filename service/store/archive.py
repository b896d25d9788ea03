"""The archive: where the histories of finished games go, and how they are read from there.

Redis knows where each is: ``{TAG:ID}:archived`` holds a ``Place``. What is read is checked against
the hash in it, so that nothing that was changed or mixed up is ever taken for a history.
"""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from zstandard import ZstdDecompressor

from domain.errors import BrokenHistory
from service.errors import ArchiveDown
from service.store import segments
from service.store.packing import Written
from service.store.vaults import Down, Missing, Vault, vault_at
from service.times import now

HISTORIES, DICTIONARIES = 32, 64  # kept in memory, those last read
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
    """What a segment has: its games, and where each is; the tables of their boards."""

    games: list[tuple[segments.Row, Place]]
    tables: list[dict]


class Archive:
    """An archive in one place; None for the place is an archive that this process cannot read."""

    def __init__(self, vault: Vault | None = None):
        self._vault = vault
        self._dictionary = lru_cache(DICTIONARIES)(self._read_dictionary)
        self._history = lru_cache(HISTORIES)(self._read_history)

    @staticmethod
    def named() -> Archive:
        """Return the archive that FOGG_ARCHIVE names; raise NoVault if it cannot be one."""
        place = os.environ.get("FOGG_ARCHIVE")
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
            log.error("the archived history at %s is broken: %r", place, error)
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

    def put(self, writer: segments.Writer) -> list[tuple[segments.Row, Place]]:
        """Keep a segment; return which games it holds for sure, and where: everything is read
        back from where it is now, and is what its last hash says."""
        data = writer.finish()
        name = f"{now()[:19].replace('-', '').replace(':', '')}-{secrets.token_hex(4)}.fogg"
        if self._vault is None:
            raise ArchiveDown("FOGG_ARCHIVE names no archive")
        try:
            self._vault.put(name, data)
        except Down as error:
            raise ArchiveDown(f"the archive cannot be written: {error}") from error
        return self._found(name).games

    def everything(self) -> Iterator[Found]:
        """Yield what is in each segment; a game may be in more than one."""
        if self._vault is None:
            return
        try:
            names = [name for name in self._vault.names() if name.endswith(".fogg")]
        except Down as error:
            raise ArchiveDown() from error
        yield from map(self._found, names)

    def _found(self, name: str) -> Found:
        """Return what is whole in a segment."""
        data, games = self._get(name), []
        dictionary = lru_cache(DICTIONARIES)(
            lambda offset, length: segments.as_dictionary(data[offset : offset + length]))
        try:
            index = segments.index_of(data)
        except ValueError as error:
            log.error("%s cannot be read: %s", name, error)
            return Found([], [])
        for row in index.games:
            place = Place(row.version, row.hash, name, row.offset, row.length)
            game = data[row.offset : row.offset + row.length]
            try:
                _checked(game, dictionary(*segments.dictionary_of(game)), place)
            except ValueError as error:
                log.error("%s of %s cannot be read: %s", row.game, name, error)
                continue
            games.append((row, place))
        return Found(games, index.tables)


def _checked(game: bytes, dictionary: ZstdDecompressor, place: Place) -> list[Written]:
    """Return the history in a game's bytes; raise ValueError if it is not the one that a place is
    of."""
    history = segments.history_of(game, dictionary)
    if (len(history), history[-1][1]) != (place.version, place.hash):
        raise ValueError("it is another history")
    return history
