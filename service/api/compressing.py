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
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from flask import Response, request
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

from service.api.context import Context

LEAST = 1000  # bytes that are worth it
# Levels 1 to 3 take the same time for a view, level 4 takes twice as long.
LEVEL = 3
# What many are sent is compressed once, and what goes on grows by little each time.
SHARED_LEVEL = STREAM_LEVEL = 6
GZIP = 16  # to be added to the bits of a window, of zlib
WINDOW, MEMORY = 13, 5  # of a stream: 8 KiB hold the view before; together 48 KiB for a listener
KINDS = {"application/json", "application/problem+json", "application/x-ndjson",
         "application/yaml", "image/svg+xml"}
BODILESS = (204, 206, 304)
CODING = "Accept-Encoding"
MARK = '-gzip"'  # ends the ETags of compressed answers
TAGS = ("HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH")


class Alone(bytes):
    """A part of a stream that is compressed by itself."""


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
    response.headers["Vary"] = with_word(response.headers.get("Vary"), CODING)


def read_tags(environ: dict[str, Any], context: Context) -> None:
    """Read the ETag of a compressed answer, where a client names one, as that of the plain one."""
    for name in TAGS:
        if MARK in (sent := environ.get(name, "")):
            context.tags = sent
            environ[name] = sent.replace(MARK, '"')


def compressed(
    environ: dict[str, Any], context: Context, status: int, headers: dict[str, str],
    body: Iterable[bytes],
) -> Iterable[bytes]:
    """Return the body of an answer compressed, if it may be, is long enough, and the client takes
    that; change the headers accordingly."""
    if not _is_for_this(status, headers):
        return body
    headers["Vary"] = with_word(headers.get("Vary"), CODING)
    if status in BODILESS:
        if (marked := _marked(headers)) and marked in context.tags:
            headers["ETag"] = marked
        return body
    if int(headers["Content-Length"]) < LEAST or not _takes_gzip(
            environ.get("HTTP_ACCEPT_ENCODING", "")):
        return body
    whole = b"".join(body)
    close(body)
    is_shared = ("public" in headers.get("Cache-Control", "")
                 or not environ["PATH_INFO"].startswith("/v1/"))
    small = _shared(whole) if is_shared else _gzip(whole, LEVEL)
    headers["Content-Length"] = str(len(small))
    headers["Content-Encoding"] = "gzip"
    if marked := _marked(headers):
        headers["ETag"] = marked
    return [small]


def with_word(words: str | None, word: str) -> str:
    """Return a list of words, as a header has it, with another at its end."""
    return f"{words}, {word}" if words else word


def close(body: Iterable[bytes]) -> None:
    """Say that no more of a body will be read."""
    if hasattr(body, "close"):
        body.close()


def _is_for_this(status: int, headers: Mapping[str, str]) -> bool:
    """Return whether an answer may be compressed, as far as its size matters not."""
    if "Content-Encoding" in headers:
        return False
    if headers.get("Cache-Control") == "no-store" and status < 400:
        return False
    kind = headers.get("Content-Type", "").partition(";")[0]
    return status in BODILESS or (
        "Content-Length" in headers and (kind in KINDS or kind.startswith("text/")))


def _marked(headers: Mapping[str, str]) -> str:
    """Return an answer's ETag as that of the compressed one; a weak one stands for both."""
    tag = headers.get("ETag", "")
    return tag if tag.startswith("W/") or not tag else tag[:-1] + MARK


def _gzip(whole: bytes, level: int) -> bytes:
    packer = zlib.compressobj(level, zlib.DEFLATED, zlib.MAX_WBITS + GZIP)
    return packer.compress(whole) + packer.flush()


@lru_cache(maxsize=192)  # the files of the page are a hundred
def _shared(whole: bytes) -> bytes:
    return _gzip(whole, SHARED_LEVEL)
