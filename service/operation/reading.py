"""Reading requests off a connection: of each so much, in so much time, and no more.

A client can send faster than a process reads, and need never end. Between two pieces of what it
sends others have their turn; what is more than a request may have is refused, and left unread.
"""

from __future__ import annotations

import io
import time
from collections.abc import Iterator

import gevent
from gunicorn.http import errors
from gunicorn.http.body import LengthReader
from gunicorn.http.message import Request
from gunicorn.http.parser import RequestParser
from gunicorn.http.unreader import SocketUnreader

from service.operation.starting import MAX_BODY_BYTES

IDLE = 75  # seconds for which a connection may ask nothing, more than a proxy in front keeps one
HEAD, HEAD_SECONDS = 64 * 1024, 20  # bytes, and seconds from the first of them to the last
BODY_SECONDS = 30
CHUNKED, CHUNKS = 2 * MAX_BODY_BYTES, 1024  # bytes of a body in chunks, frames included; and chunks
PIECE = 8 * 1024  # bytes
# what is no request -> the status that says so; 400 for all else
STATUS = {errors.LimitRequestLine: 414, errors.LimitRequestHeaders: 431,
          errors.ExpectationFailed: 417}
CODES = {400: "bad-request", 408: "request-timeout", 413: "request-entity-too-large",
         414: "request-uri-too-long", 417: "expectation-failed",
         431: "request-header-fields-too-large"}


class Refusal(Exception):
    """Why a connection is not served: what comes is no request, or more than one may be, or too
    slow; or there are too many."""

    def __init__(self, status: int, detail: str, code: str = ""):
        super().__init__(detail)
        self.status, self.code = status, code or CODES[status]


class Idle(Exception):
    """Nobody has asked anything for a while."""


class Body(io.BytesIO):
    """The whole body of a request; or nothing of it, and why."""

    def __init__(self, data: bytes = b"", refusal: Refusal | None = None):
        super().__init__(data)
        self.refusal = refusal


class Reader(SocketUnreader):
    """What a client sends; says so where it is too much or too slow."""

    def await_head(self) -> None:
        """Take up to so many bytes for the head of a request, whenever it begins."""
        self._left, self._end, self._begun = HEAD, time.monotonic() + IDLE, bool(self.buf.tell())

    def await_body(self) -> None:
        """Take up to so many bytes for its body, at once."""
        self._left, self._end, self._begun = CHUNKED, time.monotonic() + BODY_SECONDS, True

    def chunk(self, size_hint: int | None = None) -> bytes:
        """Return what comes next, nothing once the client has ended."""
        if self._left <= 0:
            raise errors.LimitRequestHeaders("it has too many bytes")
        if self._begun:
            gevent.sleep(0)  # what has come already is read without a pause
        try:
            self.sock.settimeout(max(0.001, self._end - time.monotonic()))
            data: bytes = self.sock.recv(PIECE)
        except TimeoutError:
            if not self._begun:
                raise Idle from None
            raise Refusal(408, "the rest of the request has not come in time") from None
        if not self._begun:
            self._begun, self._end = True, time.monotonic() + HEAD_SECONDS
        self._left -= len(data)
        return data


def read_head(parser: RequestParser) -> Request:
    """Return the next request of a connection; raise StopIteration or NoMoreData once there is
    none, Idle when it is time to end, Refusal where what comes is no request."""
    try:
        return next(parser)
    except errors.ParseException as error:
        raise Refusal(STATUS.get(type(error), 400), str(error)) from None


def read_body(request: Request, reader: Reader) -> Body:
    """Return the body of a request, or why it is not to be had."""
    try:
        return Body(_whole_body(request, reader))
    except Refusal as error:
        return Body(refusal=error)
    except errors.NoMoreData:
        return Body(refusal=Refusal(400, "the body ends before it is as long as it should be"))
    except errors.LimitRequestHeaders:
        return Body(refusal=Refusal(413, "the chunks of the body take too many bytes"))
    except errors.ParseException as error:
        return Body(refusal=Refusal(400, f"the body cannot be read: {error}"))


def _whole_body(request: Request, reader: Reader) -> bytes:
    source = request.body.reader
    length = source.length if isinstance(source, LengthReader) else None
    waits, request._expected_100_continue = request._expected_100_continue, False
    if length == 0:
        return b""
    if length and length > MAX_BODY_BYTES:
        raise Refusal(413, f"the body has {length} bytes, and may have {MAX_BODY_BYTES}")
    if waits:  # gunicorn itself would say it after this
        reader.sock.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
    reader.await_body()
    if length is None:
        return _joined(source.parser)
    data: bytes = source.read(length)
    if len(data) < length:
        raise errors.NoMoreData
    return data


def _joined(chunks: Iterator[bytes]) -> bytes:
    data = bytearray()
    for number, piece in enumerate(chunks):
        data += piece
        if len(data) > MAX_BODY_BYTES:
            raise Refusal(413, f"the body has more than {MAX_BODY_BYTES} bytes")
        if number >= CHUNKS:
            raise Refusal(413, f"the body has over {CHUNKS} chunks; send it in larger ones")
    return bytes(data)
