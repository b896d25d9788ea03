"""Answers made smaller on their way (gzip), for whoever takes that.

Whole answers of a thousand bytes or more are compressed, whatever they hold, but for those that
hold a secret which is shown once (``no-store``): nothing that others have written is compressed
beside a token. Of a stream each part can be read as soon as it has come, and is compressed with
what came before it: a view costs little more than what is new in it. A part that anybody can cause
stands ``Alone``, so that its length tells nothing of what came before (docs/threats.md).

A compressed answer is another representation, with a strong ETag of its own (RFC 9110, 8.8.3.3):
``"42-gzip"`` beside ``"42"``. Whoever sends either back means the same version.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import lru_cache

from flask import Flask, Response, g, request
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

LEAST = 1000  # bytes that are worth it
# Up to level 3 a view takes the same time, from 4 on twice as long (benchmarks/bytes.py).
LEVEL = 3
# What many are sent is compressed once, and what goes on grows by little each time.
SHARED_LEVEL = STREAM_LEVEL = 6
GZIP = 16  # to be added to the bits of a window, of zlib
WINDOW, MEMORY = 13, 5  # of a stream: 8 KiB hold the view before; together 48 KiB for a listener
KINDS = {"application/json", "application/problem+json", "application/x-ndjson",
         "application/yaml", "image/svg+xml"}
BODILESS = (204, 206, 304)
MARK = '-gzip"'  # ends the ETags of compressed answers
TAGS = ("HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH")


class Alone(bytes):
    """A part of a stream that is compressed by itself."""


def register(app: Flask) -> None:
    """Compress an application's answers, and let it read the ETags of those as any others."""
    app.before_request(_read_tags)
    app.after_request(_compress)


def takes_gzip() -> bool:
    """Return whether the caller takes gzip, and would not rather have nothing done."""
    return _takes_gzip(request.headers.get("Accept-Encoding", ""))


@lru_cache(maxsize=256)
def _takes_gzip(accepted: str) -> bool:
    wanted = parse_accept_header(accepted, Accept)
    return wanted.quality("gzip") > 0 and wanted.quality("gzip") >= wanted.quality("identity")


def packed(parts: Iterator[bytes | None], sign: bytes, *, at_once: bool) -> Iterator[bytes]:
    """Yield the parts of a stream compressed, a sign of life for each None. ``at_once``: each is
    sent when it comes; else when there is enough, or a sign of life."""
    packer = zlib.compressobj(STREAM_LEVEL, zlib.DEFLATED, WINDOW + GZIP, MEMORY)
    for part in parts:
        small = packer.flush(zlib.Z_FULL_FLUSH) if isinstance(part, Alone) else b""
        small += packer.compress(sign if part is None else part)
        if isinstance(part, Alone):
            small += packer.flush(zlib.Z_FULL_FLUSH)
        elif at_once or part is None:
            small += packer.flush(zlib.Z_SYNC_FLUSH)
        if small:
            yield small
    yield packer.flush()


def vary(response: Response) -> None:
    """Tell caches that another caller may be answered in another coding."""
    headers = response.headers
    headers["Vary"] = ", ".join(filter(None, (headers.get("Vary"), "Accept-Encoding")))


def _read_tags() -> None:
    for name in TAGS:
        if MARK in (sent := request.environ.get(name, "")):
            g.marked_tags = sent
            request.environ[name] = sent.replace(MARK, '"')


def _compress(response: Response) -> Response:
    if not _is_for_this(response):
        return response
    vary(response)
    if response.status_code in BODILESS:
        if (marked := _marked(response)) and marked in g.get("marked_tags", ""):
            response.headers["ETag"] = marked
        return response
    if not takes_gzip():
        return response
    response.direct_passthrough = False
    whole = response.get_data()
    if len(whole) >= LEAST:
        is_shared = ("public" in response.headers.get("Cache-Control", "")
                     or not request.path.startswith("/v1/"))
        response.set_data(_shared(whole) if is_shared else _gzip(whole, LEVEL))
        response.headers["Content-Encoding"] = "gzip"
        if marked := _marked(response):
            response.headers["ETag"] = marked
    return response


def _is_for_this(response: Response) -> bool:
    """Return whether an answer may be compressed, as far as its size matters not."""
    headers, status = response.headers, response.status_code
    if "Content-Encoding" in headers or not (response.is_sequence or response.direct_passthrough):
        return False
    if headers.get("Cache-Control") == "no-store" and status < 400:
        return False
    return status in BODILESS or response.mimetype in KINDS or (
        response.mimetype.startswith("text/"))


def _marked(response: Response) -> str:
    """Return an answer's ETag as that of the compressed one; a weak one stands for both."""
    tag: str = response.headers.get("ETag", "")
    return tag if tag.startswith("W/") or not tag else tag[:-1] + MARK


def _gzip(whole: bytes, level: int) -> bytes:
    packer = zlib.compressobj(level, zlib.DEFLATED, zlib.MAX_WBITS + GZIP)
    return packer.compress(whole) + packer.flush()


@lru_cache(maxsize=192)  # the files of the page are a hundred
def _shared(whole: bytes) -> bytes:
    return _gzip(whole, SHARED_LEVEL)
