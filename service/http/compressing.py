"""Compression of answers with gzip, for clients that accept it.

Complete answers of 1,000 bytes or more are compressed, except those that carry a secret
(``no-store``): text from other users is never compressed together with a token. In a stream each
part is flushed, so it can be read at once, and shares the compression window with the parts before
it: a view costs little more than what is new in it. A part whose content others can influence is
``Alone``: it is compressed separately, so that its length reveals nothing about the parts before it
(docs/threats.md).

A compressed answer is another representation with a strong ETag of its own (RFC 9110, 8.8.3.3):
``"42-gzip"`` next to ``"42"``. Clients may send either; both mean the same version.
"""

import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from flask import Response, request
from isal import isal_zlib
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

from service.http.context import Context

LEAST = 1000  # bytes; shorter answers are not compressed
LEVEL = 1
# Shared answers are compressed once and then cached; streams send little new data at a time.
SHARED_LEVEL = STREAM_LEVEL = 6
GZIP = 16  # added to zlib's window bits, it selects gzip
WINDOW, MEMORY = 13, 5  # for streams: 8 KiB hold the view before; 48 KiB of memory in all
KINDS = {
    "application/json",
    "application/problem+json",
    "application/x-ndjson",
    "application/yaml",
    "image/svg+xml",
}
BODILESS = (204, 206, 304)
CODING = "Accept-Encoding"
MARK = '-gzip"'  # ends the ETags of compressed answers
IF_NONE_MATCH = "HTTP_IF_NONE_MATCH"


class Alone(bytes):
    """A part of a stream that is compressed separately."""


def takes_gzip() -> bool:
    """Return whether the caller accepts gzip and does not prefer the plain form."""
    return _takes_gzip(request.headers.get("Accept-Encoding", ""))


@lru_cache(maxsize=256)
def _takes_gzip(accepted: str) -> bool:
    wanted = parse_accept_header(accepted, Accept)
    return wanted.quality("gzip") > 0 and wanted.quality("gzip") >= wanted.quality("identity")


def packed(parts: Iterator[bytes | None], sign: bytes, *, at_once: bool) -> Iterator[bytes]:
    """Yield the compressed parts of a stream; for None, yield a keep-alive (``sign``). With
    ``at_once`` each part is flushed at once, else only keep-alives are."""
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
    """Add Accept-Encoding to an answer's Vary header."""
    response.headers["Vary"] = with_word(response.headers.get("Vary"), CODING)


def read_tags(environ: dict[str, Any], context: Context) -> None:
    """Replace ETags of compressed answers in If-None-Match by those of the plain answers."""
    if MARK in (sent := environ.get(IF_NONE_MATCH, "")):
        context.tags = sent
        environ[IF_NONE_MATCH] = sent.replace(MARK, '"')


def compressed(
    environ: dict[str, Any],
    context: Context,
    status: int,
    headers: dict[str, str],
    body: Iterable[bytes],
) -> Iterable[bytes]:
    """Return the body, compressed if that is allowed, worth it and accepted. Change ``headers`` to
    match."""
    if not _is_for_this(status, headers):
        return body
    headers["Vary"] = with_word(headers.get("Vary"), CODING)
    if status in BODILESS:
        if (tag := marked(headers.get("ETag", ""))) and tag in context.tags:
            headers["ETag"] = tag
        return body
    if int(headers["Content-Length"]) < LEAST or not _takes_gzip(
        environ.get("HTTP_ACCEPT_ENCODING", "")
    ):
        return body
    whole = b"".join(body)
    close(body)
    is_shared = "public" in headers.get("Cache-Control", "") or not environ["PATH_INFO"].startswith(
        "/v1/"
    )
    # ISA-L takes an eighth of zlib's time for the same size
    small = (
        _shared(whole)
        if is_shared
        else isal_zlib.compress(whole, LEVEL, isal_zlib.MAX_WBITS + GZIP)
    )
    headers["Content-Length"] = str(len(small))
    headers["Content-Encoding"] = "gzip"
    if tag := marked(headers.get("ETag", "")):
        headers["ETag"] = tag
    return [small]


def with_word(words: str | None, word: str) -> str:
    """Append a word to the comma-separated list of a header."""
    return f"{words}, {word}" if words else word


def close(body: Iterable[bytes]) -> None:
    """Close a response body that will not be read further."""
    if hasattr(body, "close"):
        body.close()


def _is_for_this(status: int, headers: Mapping[str, str]) -> bool:
    """Return whether an answer of any size may be compressed."""
    if "Content-Encoding" in headers:
        return False
    if headers.get("Cache-Control") == "no-store" and status < 400:
        return False
    kind = headers.get("Content-Type", "").partition(";")[0]
    return status in BODILESS or (
        "Content-Length" in headers and (kind in KINDS or kind.startswith("text/"))
    )


def marked(tag: str) -> str:
    """Return the ETag of the compressed form. A weak ETag is the same for both forms."""
    return tag if tag.startswith("W/") or not tag else tag[:-1] + MARK


@lru_cache(maxsize=192)  # the files of the page are a hundred
def _shared(whole: bytes) -> bytes:
    packer = zlib.compressobj(SHARED_LEVEL, zlib.DEFLATED, zlib.MAX_WBITS + GZIP)
    return packer.compress(whole) + packer.flush()
