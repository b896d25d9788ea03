"""Many finished games in one file, the segment of an archive (docs/archive.md).

    magic | dictionaries and games | index | length of the index, four bytes | magic

Each game can be read alone: it is compressed with the dictionary of its board, which is made of the
texts of the board's first games in this segment. All parts are compressed with zstd; numbers have
the least significant byte first.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

import orjson
from zstandard import (
    DICT_TYPE_RAWCONTENT,
    ZstdCompressionDict,
    ZstdCompressor,
    ZstdDecompressor,
    ZstdError,
    get_frame_parameters,
)

from domain.board.board import Board
from service.store.packing import Written, packed, unpacked

MAGIC = b"fogg\x00\x00\x00\x01"  # the last byte is the version of the format
LEVEL = 16  # takes half the time of 19; files are 2 % larger
DICTIONARY = 256 * 1024  # bytes of texts that a dictionary is made of, at most
MAX_BYTES = 1 << 28  # bytes of a segment, and of any part of it once decompressed, at most
GAME = struct.Struct("<QII")  # dictionary's offset, its length, that of the compressed texts
LENGTH = struct.Struct("<I")


@dataclass(frozen=True)
class Row:
    """The entry of a game in the index of a segment."""

    game: str
    offset: int
    length: int
    version: int
    hash: str  # of the last entry
    is_imported: bool

    @property
    def is_sound(self) -> bool:
        """Whether all members have the right types."""
        numbers, texts = (self.offset, self.length, self.version), (self.game, self.hash)
        return (all(type(number) is int and number >= 0 for number in numbers)
                and all(type(text) is str for text in texts) and type(self.is_imported) is bool)


@dataclass
class _Board:
    """The games of a board that are being written: they wait for the board's dictionary."""

    waiting: list[tuple[Row, bytes, bytes]] = field(default_factory=list)
    size: int = 0
    place: tuple[int, int] | None = None
    compressor: ZstdCompressor | None = None


@dataclass(frozen=True)
class Index:
    """The contents of a segment: games, and the tables of their boards."""

    games: list[Row]
    tables: list[dict]


class Writer:
    """Makes a segment, in memory."""

    def __init__(self) -> None:
        self._tables: dict[str, dict] = {}
        self._parts, self._size = [MAGIC], len(MAGIC)
        self._boards: dict[str, _Board] = {}
        self._rows: list[Row] = []

    def add(self, game: str, board: Board, history: list[Written], is_imported: bool) -> None:
        """Add a game; raise ValueError if its entries do not match their hashes."""
        texts, rest = packed(history)
        if unpacked(texts, rest) != history:
            raise ValueError("the chain of hashes is broken")
        row = Row(game, 0, 0, len(history), history[-1][1], is_imported)
        self._tables[board.digest] = board.table
        of_board = self._boards.setdefault(board.digest, _Board())
        of_board.waiting.append((row, texts, rest))
        of_board.size += len(texts)
        if of_board.compressor or of_board.size >= DICTIONARY:
            self._write_waiting(of_board)

    def finish(self) -> bytes:
        for of_board in self._boards.values():
            if of_board.waiting:
                self._write_waiting(of_board)
        index = ZstdCompressor(LEVEL).compress(orjson.dumps({
            "games": [[row.game, row.offset, row.length, row.version, row.hash, row.is_imported]
                      for row in self._rows],
            "tables": list(self._tables.values())}))
        return b"".join([*self._parts, index, LENGTH.pack(len(index)), MAGIC])

    def _write_waiting(self, of_board: _Board) -> None:
        if of_board.compressor is None:
            raw = b"\n".join(texts for _, texts, _ in of_board.waiting)[:DICTIONARY]
            of_board.place = self._write(ZstdCompressor(LEVEL).compress(raw))
            of_board.compressor = ZstdCompressor(
                LEVEL, dict_data=ZstdCompressionDict(raw, DICT_TYPE_RAWCONTENT))
        assert of_board.place is not None
        for row, texts, rest in of_board.waiting:
            small = of_board.compressor.compress(texts)
            offset, length = self._write(GAME.pack(*of_board.place, len(small)) + small + rest)
            self._rows.append(Row(row.game, offset, length, row.version, row.hash, row.is_imported))
        of_board.waiting.clear()

    def _write(self, part: bytes) -> tuple[int, int]:
        offset, length = self._size, len(part)
        self._parts.append(part)
        self._size += length
        return offset, length


def dictionary_of(game: bytes) -> tuple[int, int]:
    """Return the offset and length of the dictionary that a game's bytes name; raise ValueError if
    they are invalid."""
    if len(game) < GAME.size:
        raise ValueError("the game is cut off")
    offset, length, _ = GAME.unpack_from(game)
    if offset + length > MAX_BYTES:
        raise ValueError("its dictionary is nowhere")
    return offset, length


def as_dictionary(part: bytes) -> ZstdDecompressor:
    """Return the decompressor for the games of a dictionary, given its bytes."""
    return ZstdDecompressor(ZstdCompressionDict(_unfolded(ZstdDecompressor(), part),
                                                DICT_TYPE_RAWCONTENT))


def history_of(game: bytes, dictionary: ZstdDecompressor) -> list[Written]:
    """Return the history that is in a game's bytes; raise ValueError if there is none."""
    *_, length = GAME.unpack_from(game)
    end = GAME.size + length
    return unpacked(_unfolded(dictionary, game[GAME.size : end]), game[end:])


def index_of(segment: bytes) -> Index:
    """Return the index of a whole segment, or of its end; raise ValueError if there is none."""
    end = len(segment) - len(MAGIC) - LENGTH.size
    if end < 0 or not segment.endswith(MAGIC):
        raise ValueError("this is no segment, or none that was written to its end")
    (length,) = LENGTH.unpack_from(segment, end)
    if length > end:
        raise ValueError("the index is longer than what is there")
    index = orjson.loads(_unfolded(ZstdDecompressor(), segment[end - length : end]))
    try:
        games, tables = [Row(*row) for row in index["games"]], [*index["tables"]]
        if not all(row.is_sound for row in games):
            raise ValueError("it has a game without a place")
    except (KeyError, TypeError) as error:
        raise ValueError(f"it is no index: {error!r}") from error
    return Index(games, tables)


def _unfolded(reader: ZstdDecompressor, part: bytes) -> bytes:
    try:
        if get_frame_parameters(part).content_size > MAX_BYTES:
            raise ValueError("it says that it is too large")
        return reader.decompress(part)
    except (ZstdError, MemoryError) as error:
        raise ValueError(f"it cannot be decompressed: {error}") from error
