"""Histories as bytes: the entries' texts, compressed.

An entry is stored without its hash, and without its salt where that follows from the first one's.
The hash of the last entry, in another column, proves that the history is complete.
The text of the board's table is the dictionary to compress with, as entries name its parts.
"""

import re
import zlib
from collections.abc import Iterable

from domain.entry import hash_after, salt_after
from domain.errors import BrokenHistory
from service.eventlog.histories import Written

LEVEL = 7  # of zlib: 9 takes 1.4 times as long for 1.5 % less
RAW = -15  # zlib's format without a header, as the hash is the check
# no string inside an entry contains this, as quotes are escaped there
SALT = re.compile(rb',"salt":"([0-9a-f]*)"')


def pack(history: Iterable[Written], dictionary: str = "") -> bytes:
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, RAW, 9, zdict=dictionary.encode())
    first, lines = "", list[bytes]()
    for version, (text, _) in enumerate(history, 1):
        salt = _salt_in(text)
        first = first or salt
        if version > 1 and salt and salt == salt_after(first, version):
            text = _with_salt(text, "")
        lines.append(text)
    return packer.compress(b"\n".join(lines)) + packer.flush()


def unpack(packed: bytes, last_hash: bytes, dictionary: str | None = "") -> list[Written]:
    """Return the history that was packed. Raise BrokenHistory if its last hash is another one, or
    if the dictionary is missing."""
    if dictionary is None:
        raise BrokenHistory(1, "the table of its board is missing")
    unpacker = zlib.decompressobj(RAW, zdict=dictionary.encode())
    try:
        lines = (unpacker.decompress(packed) + unpacker.flush()).split(b"\n")
    except zlib.error as error:
        raise BrokenHistory(1, "its record cannot be read") from error
    first, before, history = _salt_in(lines[0]), "", list[Written]()
    for version, text in enumerate(lines, 1):
        if b',"salt":""' in text:
            text = _with_salt(text, salt_after(first, version))
        before = hash_after(before, text)
        history.append((text, before))
    if before != last_hash.hex():
        raise BrokenHistory(len(history), "the hash of its last entry is another one")
    return history


def _salt_in(text: bytes) -> str:
    return match[1].decode() if (match := SALT.search(text)) else ""


def _with_salt(text: bytes, salt: str) -> bytes:
    return SALT.sub(b',"salt":"%s"' % salt.encode(), text, count=1)
