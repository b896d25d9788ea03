"""Reads the requests of a connection, each up to a size and within a time.

A client can send faster than a process reads, and without end. Between two pieces other connections
have their turn; a request that is too large or too slow is refused and left unread.

This is the only module that uses gunicorn's parser and answers, which gunicorn does not document.
"""

import io
import re
import socket
import time
from collections.abc import Iterator
from typing import Any

import gevent
from gunicorn.config import Config
from gunicorn.http import errors
from gunicorn.http.body import LengthReader
from gunicorn.http.message import Request
from gunicorn.http.parser import RequestParser
from gunicorn.http.unreader import SocketUnreader

from service.starting import MAX_BODY_BYTES

IDLE = 75  # seconds for which a connection may ask nothing, more than a proxy in front keeps one
HEAD, HEAD_SECONDS = 64 * 1024, 20  # bytes, and seconds from the first of them to the last
BODY_SECONDS = 30
CHUNKED, CHUNKS = 2 * MAX_BODY_BYTES, 1024  # bytes of a body in chunks, frames included; and chunks
PIECE = 8 * 1024  # bytes
# gunicorn's error -> the status of the answer; 400 for all others
STATUS = {
    errors.LimitRequestLine: 414,
    errors.LimitRequestHeaders: 431,
    errors.ExpectationFailed: 417,
}
# the host, and perhaps the port, in a URI of http (RFC 3986, 3.2.2; zones by RFC 6874)
HOST = re.compile(
    r"(\[[0-9A-Fa-f:.]+(%25[\w.~-]+)?\]|([\w.~!$&'()*+;=-]|%[0-9A-Fa-f]{2})+)(:\d*)?", re.ASCII
)
CODES = {
    400: "bad-request",
    408: "request-timeout",
    413: "request-entity-too-large",
    414: "request-uri-too-long",
    417: "expectation-failed",
    431: "request-header-fields-too-large",
}


class Refusal(Exception):
    """A connection is not served: the request is malformed, too large or too slow, or there are too
    many connections."""

    def __init__(self, status: int, detail: str, code: str = ""):
        super().__init__(detail)
        self.status, self.code = status, code or CODES[status]


class Ended(Exception):
    """The client has closed the connection or has been idle for too long."""


class Body(io.BytesIO):
    """The whole body of a request. If it could not be read, it is empty and has a ``refusal`` with
    the reason."""

    def __init__(self, data: bytes = b"", refusal: Refusal | None = None):
        super().__init__(data)
        self.whole, self.refusal = data, refusal


class Reader(SocketUnreader):
    """Receives bytes from a client; raises an error if they are too many or too slow."""

    def await_head(self) -> None:
        """Set the limits for the head of the next request: ``HEAD`` bytes, ``IDLE`` seconds until
        it begins."""
        self._left, self._end, self._begun = HEAD, time.monotonic() + IDLE, bool(self.buf.tell())

    def await_body(self) -> None:
        """Set the limits for its body: ``CHUNKED`` bytes, ``BODY_SECONDS`` from now on."""
        self._left, self._end, self._begun = CHUNKED, time.monotonic() + BODY_SECONDS, True

    def chunk(self, size_hint: int | None = None) -> bytes:
        """Return the next bytes, none once the client has closed the connection."""
        if self._left <= 0:
            raise errors.LimitRequestHeaders("it has too many bytes")
        if self._begun:
            gevent.sleep(0)  # a recv of waiting bytes would not yield
        try:
            self.sock.settimeout(max(0.001, self._end - time.monotonic()))
            data: bytes = self.sock.recv(PIECE)
        except TimeoutError:
            if not self._begun:
                raise Ended from None
            raise Refusal(408, "the rest of the request has not come in time") from None
        if not self._begun:
            self._begun, self._end = True, time.monotonic() + HEAD_SECONDS
        self._left -= len(data)
        return data


class Requests:
    """The requests of one connection, one after the other."""

    def __init__(self, settings: Config, client: socket.socket, address: object):
        self._parser = RequestParser(settings, client, address)
        self._reader = self._parser.unreader = Reader(client)

    @property
    def are_pipelined(self) -> bool:
        """Whether the client has sent some of the next request already."""
        return bool(self._reader.buf.tell())

    def next(self) -> Request:
        """Return the next request without its body; raise Ended if there is none, Refusal if it
        cannot be read."""
        self._reader.await_head()
        try:
            request: Request = next(self._parser)
        except (StopIteration, errors.NoMoreData):
            raise Ended from None
        except errors.ParseException as error:
            raise Refusal(STATUS.get(type(error), 400), str(error)) from None
        _check(request)
        return request

    def read_body(self, request: Request) -> Body:
        """Read the body of a request and store it in the request. If it is not whole, close the
        connection after the answer, as the start of the next request is unknown."""
        request.body = body = _body(request, self._reader)
        if body.refusal:
            request.force_close()
        return body


def length_of(start_response: Any) -> int:
    """Return the Content-Length of an answer whose head is made, 0 if it has none."""
    return start_response.__self__.response_length or 0  # of gunicorn's Response


def _check(request: Request) -> None:
    """Refuse a head that RFC 9112 (3.2, 6.1) forbids and that gunicorn lets pass."""
    hosts = [value for name, value in request.headers if name == "HOST"]
    if (request.version > (1, 0) and not hosts) or any(not HOST.fullmatch(host) for host in hosts):
        raise Refusal(400, "send one header Host, with a host and perhaps a port")
    if "#" in request.uri:
        raise Refusal(400, "an address has no fragment when it is sent")
    if any(
        name == "TRANSFER-ENCODING" and value.lower() != "chunked"
        for name, value in request.headers
    ):
        raise Refusal(400, "of the transfer codings only chunked is supported")


def _body(request: Request, reader: Reader) -> Body:
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
    if waits:  # gunicorn itself would send it too late
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
