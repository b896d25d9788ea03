"""How long an answer may be kept, and by whom."""

from __future__ import annotations

from flask import Response, request

BRIEFLY = {"Cache-Control": "public, max-age=10"}
DAILY = {"Cache-Control": "public, max-age=86400"}
NEVER = {"Cache-Control": "no-store"}
YEAR = 31_536_000  # seconds


def version_headers(version: int) -> dict[str, str]:
    """Return the headers that name the version of what is shown, and keep what one caller sees from
    another."""
    return {"ETag": f'"{version}"', "Cache-Control": "private, no-cache", "Vary": "Authorization"}


def for_ever(whose: str) -> dict[str, str]:
    """Return the header that lets the caller (``private``) or everybody (``public``) keep an
    answer: nothing about it will change."""
    return {"Cache-Control": f"{whose}, max-age={YEAR}, immutable"}


def table_answer(response: Response, digest: str) -> Response:
    """Return an answer made of a table alone, which can be kept until the table is another one."""
    response.set_etag(digest)
    response.headers["Cache-Control"] = f"public, max-age={YEAR}"
    return response.make_conditional(request)


def brief_answer(response: Response) -> Response:
    """Return an answer that holds for some seconds, and is left out if the caller has it."""
    response.add_etag()
    response.headers |= BRIEFLY
    return response.make_conditional(request)
