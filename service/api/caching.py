"""How long an answer may be kept, and by whom; and who need not be sent it again."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, request

from service.api.serving import games

BRIEFLY = {"Cache-Control": "public, max-age=10"}
DAILY = {"Cache-Control": "public, max-age=86400"}
NEVER = {"Cache-Control": "no-store"}
YEAR = 31_536_000  # seconds


def version_headers(version: int, more: str = "") -> dict[str, str]:
    """Return the headers that name the version of what is shown, and keep what one caller sees from
    another; ``more`` tells apart what is shown of one version at different times."""
    return {"ETag": f'"{version}{more}"', "Cache-Control": "private, no-cache",
            "Vary": "Authorization"}


def for_ever(whose: str) -> dict[str, str]:
    """Return the header that lets the caller (``private``) or everybody (``public``) keep an
    answer: nothing about it will change."""
    return {"Cache-Control": f"{whose}, max-age={YEAR}, immutable"}


def unless_had(
    headers: dict[str, str], make: Callable[[], Response],
    is_doubtful: Callable[[], bool] = lambda: False,
) -> Response:
    """Return what is made, with the headers, or only these (304) if the caller has what their ETag
    names, and that is not doubtful: then it need not be made."""
    if is_had(headers["ETag"]) and not is_doubtful():
        response = Response(status=304)
        del response.headers["Content-Type"]
    else:
        response = make()
    response.headers |= headers
    return response


def unless_game_had(headers: dict[str, str], make: Callable[[], Response]) -> Response:
    """Return the same of a game, by its version; but what is made in any case while some game may
    have come to another state at the same version, as Redis has lost entries."""
    return unless_had(headers, make, lambda: games().lately.has_lost)


def is_had(tag: str) -> bool:
    """Return whether the caller has what an ETag names (If-None-Match)."""
    return request.if_none_match.contains_weak(tag.strip('"'))


def brief_answer(response: Response) -> Response:
    """Return an answer that holds for some seconds, and is left out if the caller has it."""
    response.add_etag()
    return unless_had({"ETag": response.headers["ETag"]} | BRIEFLY, lambda: response)
