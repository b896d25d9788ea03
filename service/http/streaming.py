"""Streamed answers: server-sent events and newline-delimited JSON."""

import re
from collections.abc import Iterator
from itertools import chain

import orjson
from flask import Response, request
from marshmallow import ValidationError

from service.http import metrics
from service.http.answers import JSON, NDJSON, SSE, best_form
from service.http.compressing import packed, takes_gzip, vary
from service.http.counting import caller_or_address, count_stream
from service.http.serving import services
from service.http.slots import Slots
from service.http.sockets import drop_when_stalled

BY_FORM = {"Vary": "Accept, Authorization"}
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"} | BY_FORM


def last_event_id(pattern: str) -> str | None:
    """Return the Last-Event-ID header, after which a stream resumes; None if none was sent."""
    sent = request.headers.get("Last-Event-ID")
    if sent is not None and not re.fullmatch(pattern, sent):
        raise ValidationError({"Last-Event-ID": ["Should be an id that was received."]})
    return sent


def wanted_form() -> str:
    """Return the media type that the caller prefers: JSON unless the Accept header asks for
    another."""
    return best_form(JSON, SSE, NDJSON)


def event(name: str, data: object, number: object = None) -> bytes:
    """Return a server-sent event. Its id is ``number``; a client resumes after the last id that it
    received."""
    start = b"" if number is None else f"id: {number}\n".encode()
    return b"%sevent: %s\ndata: %s\n\n" % (start, name.encode(), orjson.dumps(data))


def line(data: object) -> bytes:
    return orjson.dumps(data) + b"\n"


def download(parts: Iterator[bytes | None], form: str = NDJSON) -> Response:
    """Return a streamed download, which takes turns with others in a limited number of slots."""
    parts = services().find(Slots).each(caller_or_address(), parts)
    response = stream_of(parts, form, at_once=False)
    response.headers["Vary"] = "Accept-Encoding, Authorization"
    return response


def stream_of(parts: Iterator[bytes | None], form: str, *, at_once: bool = True) -> Response:
    """Return an answer that streams the parts, and a keep-alive for each None.

    The first part is awaited here, so that errors before it still become a problem. If the stream
    is compressed and ``at_once``, each part is flushed as it comes.
    """
    count_stream()
    sign = b": keep-alive\n\n" if form == SSE else b"\n"
    first = next(parts, b"")
    if connection := request.environ.get("gunicorn.socket"):
        drop_when_stalled(connection)

    def plain(parts: Iterator[bytes | None]) -> Iterator[bytes]:
        for part in parts:
            yield sign if part is None else part

    def body() -> Iterator[bytes]:
        whole = chain([first], parts)
        with metrics.count_stream():
            yield from packed(whole, sign, at_once=at_once) if is_small else plain(whole)

    is_small = takes_gzip()
    response = Response(body(), mimetype=form, headers=HEADERS)
    vary(response)
    if is_small:
        response.headers["Content-Encoding"] = "gzip"
    return response
