"""A parser of event streams."""

import codecs
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import urllib3


@dataclass(frozen=True)
class Message:
    """One message of an event stream; ``id`` is where to resume after it."""

    event: str
    data: str
    id: str | None = None


class Reader:
    """Reads event streams (HTML standard, 9.2.6), one after the other. ``last`` is the id of the
    last whole message, to resume after. ``retry`` is the number of seconds to wait before resuming,
    if the stream has given one."""

    def __init__(self, last: str | None = None):
        self.last = last
        self.retry: float | None = None

    def messages(self, chunks: Iterable[bytes]) -> Iterator[Message]:
        """Yield each message of a stream once it is complete."""
        data: list[str] = []
        event, last = "", self.last
        for line in _lines(chunks):
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if not line:
                self.last = last
                if data:
                    yield Message(event or "message", "\n".join(data), last)
                event, data = "", []
            elif name == "event":
                event = value
            elif name == "data":
                data.append(value)
            elif name == "id" and "\0" not in value:
                last = value or None
            elif name == "retry" and value.isdecimal():
                self.retry = int(value) / 1000


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Yield the lines of UTF-8 text, ended by CR, LF or both; drop an unfinished last line."""
    utf8 = codecs.getincrementaldecoder("utf-8-sig")("replace")
    decoder, rest = io.IncrementalNewlineDecoder(utf8, translate=True), ""
    for chunk in chunks:
        *lines, rest = (rest + decoder.decode(chunk)).split("\n")
        yield from lines


def chunks(answer: urllib3.BaseHTTPResponse) -> Iterator[bytes]:
    """Yield the bytes of a response as they arrive."""
    while chunk := answer.read1(65536):
        yield chunk
