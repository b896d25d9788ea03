"""Caching of answers: Cache-Control headers, ETags and conditional requests (304).

An ETag is a hash of the content (RFC 9110, 8.8.1). So it differs between viewers, and changes with
the name of a deleted account, a deadline or a release that shows more.
"""

from collections.abc import Callable
from hashlib import blake2b

from flask import Response, request

from service.http.answers import Answer, answer
from service.http.compressing import marked
from service.http.context import context

BRIEFLY = {"Cache-Control": "public, max-age=10"}
NEVER = {"Cache-Control": "no-store"}
REVALIDATED = {"Cache-Control": "private, no-cache"}
YEAR = 31_536_000  # seconds


def tag_of(content: bytes, version: int | None = None) -> str:
    """Return the ETag of a content. It begins with the version that the content shows, if any."""
    digest = blake2b(content, digest_size=8).hexdigest()
    return f'"{digest}"' if version is None else f'"{version}-{digest}"'


def version_headers(version: int) -> dict[str, str]:
    """Return the headers of an answer to a command. The ETag is the version alone."""
    return {"ETag": f'"{version}"', "Vary": "Authorization", "Cache-Control": "private, no-store"}


def answer_version(data: object, version: int, kept: dict[str, str] | None = None) -> Response:
    """Return an answer to the caller that shows a version, or an empty 304 if the caller has it.
    Without other headers in ``kept`` no cache may store it: it may show a hand."""
    response = answer(data)
    shown = b"%s%a" % (response.body, context().account)
    headers = version_headers(version) | {"ETag": tag_of(shown, version)}
    return unless_had(headers | (kept or {}), lambda: response)


def for_ever(whose: str) -> dict[str, str]:
    """Return the header of an answer that never changes: the caller (``private``) or any cache
    (``public``) may keep it for a year."""
    return {"Cache-Control": f"{whose}, max-age={YEAR}, immutable"}


def unless_had(headers: dict[str, str], make: Callable[[], Response]) -> Response:
    """Return the result of ``make`` with the headers. If the caller has the ETag already, return an
    empty 304 and do not call ``make``."""
    if request.if_none_match.contains_weak(headers["ETag"].strip('"')):
        response = Response(status=304)
        del response.headers["Content-Type"]
    else:
        response = make()
    response.headers |= headers
    if "Content-Encoding" in response.headers:  # a stream, which is compressed already
        response.headers["ETag"] = marked(response.headers["ETag"])
    return response


def brief_answer(response: Answer) -> Response:
    """Return an answer that may be cached for ten seconds, or an empty 304 if the caller has it."""
    return unless_had({"ETag": tag_of(response.body)} | BRIEFLY, lambda: response)
