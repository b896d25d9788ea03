"""Pack a history: drop all parts that follow from others, and separate what cannot be compressed.

    texts, rest = packed(history)
    assert unpacked(texts, rest) == history

``texts`` are the entries' texts, a line each. Marks replace the parts that do not compress, or that
follow from others. ``rest`` holds the values of the marks, in order:

    VERSION   the number of entries before this one, plus one
    SALT      the salt derived from the first entry's salt (``domain.entry.salt_after``)
    ASKED     the second half of ``command``, where it follows from the action
    BYTES     eight bytes in hex, the next eight of ``rest``
    TIME      a time: how many milliseconds after the one before, from behind the bytes in ``rest``,
              seven bits at a time, the least first, doubled, and one less than nothing if before

JSON contains none of these bytes, so marks are unambiguous. Hashes are not stored, as they can be
computed. Unpacking returns the same bytes, or raises ValueError; the caller knows the last hash.
docs/archive.md shows how to read this format with other programs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256

from domain.entry import hash_after, salt_after
from service.times import as_time, in_ms

VERSION, SALT, ASKED, BYTES, TIME = b"\x01", b"\x02", b"\x03", b"\x04", b"\x05"
HEX = 16  # digits that one BYTES stands for
MARKS = re.compile(rb'"(at|arrived|available)":"([^"]+)"|"command":"([0-9a-f]{32})\.([0-9a-f]{16})"'
                   rb'|"salt":"([0-9a-f]{32})"|"version":([0-9]+)\}$')
PLACES = re.compile(b"[\x01-\x03\x05]|\x04+")
ACTION, AFTER_ACTION = b'{"action":', b'},"a'  # "arrived" or "at"

Written = tuple[bytes, str]  # an entry's text and its hash


def packed(history: Iterable[Written]) -> tuple[bytes, bytes]:
    """Return the texts of a history, with marks in place of some values, and these values."""
    packer = _Packer()
    texts = b"\n".join([packer.line(text) for text, _ in history])
    return texts, b"".join(packer.bytes) + b"".join(map(as_bytes, packer.times))


def unpacked(texts: bytes, rest: bytes) -> list[Written]:
    """Undo ``packed``: return the history; raise ValueError if the bytes are invalid."""
    reader = _Unpacker(rest, texts.count(BYTES))
    try:
        written = [reader.line(line) for line in texts.split(b"\n")]
    except (IndexError, StopIteration, RuntimeError, OverflowError, OSError) as error:
        raise ValueError(f"the history cannot be unpacked: {error!r}") from error
    history, previous = [], ""
    for text in written:
        previous = hash_after(previous, text)
        history.append((text, previous))
    return history


class _Packer:
    """Packs entry by entry; has the values of the marks so far."""

    def __init__(self) -> None:
        self.bytes: list[bytes] = []
        self.times: list[int] = []
        self._salt, self._version, self._last, self._asked = "", 0, 0, ""

    def line(self, text: bytes) -> bytes:
        """Return the next entry's text with marks."""
        self._version += 1
        self._asked = _asked(text)
        return MARKS.sub(self._mark, text)

    def _mark(self, match: re.Match[bytes]) -> bytes:
        name, time, once, asked, salt, version = match.groups()
        if name:
            return b'"%s":"%s"' % (name, self._time(time))
        if once:
            return b'"command":"%s.%s"' % (
                self._hex(once), ASKED if asked.decode() == self._asked else self._hex(asked))
        if salt:
            return b'"salt":"%s"' % self._salted(salt)
        return b'"version":%s}' % (VERSION if version == b"%d" % self._version else version)

    def _time(self, text: bytes) -> bytes:
        try:
            at = in_ms(text.decode())
            is_usual = as_time(at).encode() == text
        except (ValueError, OverflowError):
            is_usual = False
        if not is_usual:
            return text
        self.times.append(at - self._last)
        self._last = at
        return TIME

    def _salted(self, salt: bytes) -> bytes:
        if self._version == 1:
            self._salt = salt.decode()
        elif self._salt and salt_after(self._salt, self._version).encode() == salt:
            return SALT
        return self._hex(salt)

    def _hex(self, digits: bytes) -> bytes:
        self.bytes.append(bytes.fromhex(digits.decode()))
        return BYTES * (len(digits) // HEX)


class _Unpacker:
    """Unpacks entry by entry; has the values of the marks that are left."""

    def __init__(self, rest: bytes, count: int):
        end = count * HEX // 2
        self._digits, self._at = rest[:end].hex().encode(), 0
        if len(self._digits) != count * HEX:
            raise ValueError("the history cannot be unpacked: it is too short")
        self._times = as_numbers(rest[end:])
        self._salt, self._version, self._line = "", 0, b""
        self._time, self._second, self._until_second = 0, -1, b""

    def line(self, line: bytes) -> bytes:
        """Return the next entry's text."""
        self._version += 1
        self._line = line
        text = PLACES.sub(self._value, line)
        if self._version == 1:
            self._salt = _salt_of(text)
        return text

    def _value(self, mark: re.Match[bytes]) -> bytes:
        marks = mark[0]
        if marks == VERSION:
            return b"%d" % self._version
        if marks == SALT:
            return salt_after(self._salt, self._version).encode()
        if marks == ASKED:
            return _asked(self._line).encode()
        if marks == TIME:
            return self._next_time()
        start = self._at
        self._at += len(marks) * HEX
        return self._digits[start : self._at]

    def _next_time(self) -> bytes:
        self._time += next(self._times)
        second, ms = divmod(self._time, 1000)
        if second != self._second:
            self._second, self._until_second = second, as_time(second * 1000)[:-4].encode()
        return b"%s%03dZ" % (self._until_second, ms)


def _asked(text: bytes) -> str:
    """Return the digest of a request to play an entry's action (``service.store.idempotency``)."""
    action = text[len(ACTION) : text.find(AFTER_ACTION) + 1] if text.startswith(ACTION) else b""
    return sha256(b'["action",%s]' % action).hexdigest()[:HEX]


def _salt_of(text: bytes) -> str:
    match = re.search(rb'"salt":"([0-9a-f]{32})"', text)
    return match[1].decode() if match else ""


def as_bytes(number: int) -> bytes:
    """Return a number in seven bits a byte, the lowest first: 2x for x, 2x - 1 for -x."""
    doubled, encoded = (number << 1) ^ (number >> 63), bytearray()
    while doubled > 0x7F:
        encoded.append(doubled & 0x7F | 0x80)
        doubled >>= 7
    encoded.append(doubled)
    return bytes(encoded)


def as_numbers(raw: bytes) -> Iterator[int]:
    """Yield the numbers in some bytes."""
    value = shift = 0
    for byte in raw:
        value |= (byte & 0x7F) << shift
        if byte & 0x80:
            shift += 7
        else:
            yield (value >> 1) ^ -(value & 1)
            value = shift = 0
