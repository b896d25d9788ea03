"""The value in Redis for an archived history: its place and its head, in less than 300 bytes.

    format    a byte: 2 if the segment's name is 12 bytes here, 3 if it is text
    length    a byte: the length of the place, with the segment's name
    place     version, offset and length as numbers; the last hash, 32 bytes; the segment's name:
              four bytes with the seconds since 1970, then the digits, or the text
    head      the head, empty if it is not stored here: the length of the compressed JSON as a
              number, the JSON, then the values of its marks: ten bytes for each id, then the times

Numbers are encoded as in ``service.store.packing``; each time is the milliseconds since the one
before. In the JSON, which lacks the id, a mark stands for each id and time. It is compressed with
``SAMPLE``, which must never change. A head that would not unpack to the same value is left out.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Any

import orjson
from zstandard import (
    CONTENTSIZE_UNKNOWN,
    DICT_TYPE_RAWCONTENT,
    FORMAT_ZSTD1_MAGICLESS,
    ZstdCompressionDict,
    ZstdCompressionParameters,
    ZstdCompressor,
    ZstdDecompressor,
    ZstdError,
    get_frame_parameters,
)

from service.store.archive import Place
from service.store.packing import as_bytes, as_numbers
from service.times import as_time, in_ms

SHORT, TEXT = 2, 3  # formats
HASH, ID = 32, 10  # bytes
MAX_HEAD_BYTES = 1 << 20  # bytes of a head, at most
NAME = re.compile(r"(\d{8}T\d{6})-([0-9a-f]{16})\.fogg")
WRITTEN = "%Y%m%dT%H%M%S"
TIME, NAMED = b'"\x02"', b'_\x01"'
MARKS = re.compile(rb'(?<="[a-z])_([0-9a-f]{20})"|"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"')
PLACES = re.compile(b"|".join([TIME, NAMED]))
SAMPLE = (
    b'"visibility":"unlisted","private","clock":{"per_decision":600.0,"bank":300.0,"increment":10.0,'
    b'"on_timeout":"act"},"resign","tournament":{"id":"c_\x01","round":1,"table":1},'
    b'"player":{"id":"p_\x01","name":"planner","bot":"planner"},"name":"greedy","bot":"greedy"},'
    b'"name":"random","bot":"random"},"name":"expert","bot":"expert"},"bot":"external","owner":"p_\x01",'
    b'"version":"1"},"total":-5,"rank":5},{"board":"london","board":"paris","board":"usa-10th",'
    b'"board":"europe","status":"finished","version":150,"created":"\x02","updated":"\x02",'
    b'"seats":[{"seat":0,"player":{"id":"p_\x01","name":"Ada"},"total":101,"rank":1},'
    b'{"seat":1,"player":{"id":"p_\x01","name":"Bob"},"total":92,"rank":2},'
    b'{"seat":2,"player":{"id":"p_\x01","name":"Eve"},"total":83,"rank":3},'
    b'{"seat":3,"player":{"id":"p_\x01","name":"Guest"},"total":74,"rank":4}],"deciding":[],'
    b'{"board":"usa","status":"finished","started":"\x02"}')
DICTIONARY = ZstdCompressionDict(SAMPLE, DICT_TYPE_RAWCONTENT)
PARAMETERS = ZstdCompressionParameters.from_level(
    19, format=FORMAT_ZSTD1_MAGICLESS, write_content_size=0, write_dict_id=0)


def packed(place: Place, head: Any = None) -> bytes:
    """Return the value that Redis stores for a history at a place."""
    try:
        segment, is_short = _short_name(place.segment), True
    except ValueError:
        segment, is_short = place.segment.encode(), False
    where = b"".join(map(as_bytes, (place.version, place.offset, place.length)))
    where += bytes.fromhex(place.hash) + segment
    raw = bytes([SHORT if is_short else TEXT, len(where)]) + where
    try:
        whole = raw + _packed_head(head) if head else raw
        is_same = head and orjson.dumps(head_of(head["id"], whole)) == orjson.dumps(head)
    except (ValueError, OverflowError):  # the text is no valid time
        is_same = False
    return whole if is_same else raw


def _short_name(segment: str) -> bytes:
    """Return the name of a segment as twelve bytes; raise ValueError if it is another kind of
    name."""
    name = NAME.fullmatch(segment)
    if name is None:
        raise ValueError(f"{segment} has no time and hash")
    at = datetime.strptime(name[1], WRITTEN).replace(tzinfo=UTC).timestamp()
    if not 0 <= at < 1 << 32:
        raise ValueError(f"{segment} is of another time")
    return struct.pack("<I", int(at)) + bytes.fromhex(name[2])


def place_of(raw: bytes) -> Place:
    """Return the place in a stored value."""
    where = raw[2 : 2 + raw[1]]
    version, offset, length = islice(as_numbers(where), 3)
    start = len(b"".join(map(as_bytes, (version, offset, length))))
    last, segment = where[start : start + HASH], where[start + HASH :]
    if raw[0] == TEXT:
        return Place(version, last.hex(), segment.decode(), offset, length)
    [seconds] = struct.unpack_from("<I", segment)
    at = datetime.fromtimestamp(seconds, tz=UTC)
    name = f"{at.strftime(WRITTEN)}-{segment[4:].hex()}.fogg"
    return Place(version, last.hex(), name, offset, length)


def head_of(some_id: str, raw: bytes) -> Any:
    """Return the head in a stored value, None if it has none or cannot be read."""
    if len(raw) == 2 + raw[1]:
        return None
    rest = raw[2 + raw[1] :]
    try:
        length = next(as_numbers(rest))
        start = len(as_bytes(length))
        small = rest[start : start + length]
        declared = get_frame_parameters(small, format=FORMAT_ZSTD1_MAGICLESS).content_size
        if declared != CONTENTSIZE_UNKNOWN:  # damaged, and the bytes to reserve could be any number
            return None
        reader = ZstdDecompressor(DICTIONARY, format=FORMAT_ZSTD1_MAGICLESS)
        text = reader.decompress(small, MAX_HEAD_BYTES)
        values = _values(rest[start + length :], text.count(NAMED))
        return {"id": some_id, **orjson.loads(PLACES.sub(lambda mark: next(values[mark[0]]), text))}
    except (ZstdError, ValueError, StopIteration, RuntimeError, OverflowError):
        return None


def _packed_head(head: Any) -> bytes:
    ids: list[bytes] = []
    times: list[bytes] = []
    last = 0

    def mark(match: re.Match[bytes]) -> bytes:
        nonlocal last
        if match[1]:
            ids.append(bytes.fromhex(match[1].decode()))
            return NAMED
        at = in_ms(match[2].decode())
        times.append(as_bytes(at - last))
        last = at
        return TIME

    text = MARKS.sub(mark, orjson.dumps({name: v for name, v in head.items() if name != "id"}))
    small = ZstdCompressor(dict_data=DICTIONARY, compression_params=PARAMETERS).compress(text)
    return b"".join([as_bytes(len(small)), small, *ids, *times])


def _values(raw: bytes, ids: int) -> dict[bytes, Iterator[bytes]]:
    """Return the values of each mark, given how many ids there are."""
    def times() -> Iterator[bytes]:
        at = 0
        for number in as_numbers(raw[ids * ID :]):
            at += number
            yield b'"%s"' % as_time(at).encode()

    return {NAMED: (b'_%s"' % raw[at : at + ID].hex().encode() for at in range(0, ids * ID, ID)),
            TIME: times()}
