"""Caching of answers: Cache-Control headers, ETags and conditional requests (304)."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, request

from service.api.serving import games

BRIEFLY = {"Cache-Control": "public, max-age=10"}
NEVER = {"Cache-Control": "no-store"}
YEAR = 31_536_000  # seconds


def version_headers(version: int, more: str = "", *, for_all: bool = False) -> dict[str, str]:
    """Return the headers of an answer that shows a version. ``more`` makes the ETag differ where
    one version is shown in different ways.

    No cache may store the answer unless it is the same ``for_all``: a cache could revalidate the
    answer to one account with the ETag of the answer to another, as both are the version. Clients
    that keep answers by account may still send the ETag as If-None-Match."""
    return {"ETag": f'"{version}{more}"', "Vary": "Authorization",
            "Cache-Control": "private, no-cache" if for_all else "private, no-store"}


def for_ever(whose: str) -> dict[str, str]:
    """Return the header of an answer that never changes: the caller (``private``) or any cache
    (``public``) may keep it for a year."""
    return {"Cache-Control": f"{whose}, max-age={YEAR}, immutable"}


def unless_had(
    headers: dict[str, str], make: Callable[[], Response],
    is_doubtful: Callable[[], bool] = lambda: False,
) -> Response:
    """Return what ``make`` returns, with the headers; or an empty 304 if the caller has the ETag
    already and it is not ``is_doubtful``. Then ``make`` is not called."""
    if is_had(headers["ETag"]) and not is_doubtful():
        response = Response(status=304)
        del response.headers["Content-Type"]
    else:
        response = make()
    response.headers |= headers
    return response


def unless_game_had(headers: dict[str, str], make: Callable[[], Response]) -> Response:
    """Return what ``make`` returns, or a 304, as ``unless_had`` does, for a game, whose ETag is its
    version. Never answer 304 while rollbacks are recent: after one, a version may name another
    state than before."""
    return unless_had(headers, make, lambda: games().recent_rollbacks.has_lost)


def is_had(tag: str) -> bool:
    """Return whether the caller's If-None-Match holds an ETag."""
    return request.if_none_match.contains_weak(tag.strip('"'))


def brief_answer(response: Response) -> Response:
    """Return an answer that may be cached for ten seconds, or an empty 304 if the caller has it."""
    response.add_etag()
    return unless_had({"ETag": response.headers["ETag"]} | BRIEFLY, lambda: response)
