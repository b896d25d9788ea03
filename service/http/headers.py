"""Headers that browsers and caches go by: who may call (CORS), what a page may load and do, and who
may be shown an answer.

Pages of any origin may call the API: ``Access-Control-Allow-Origin: *`` gives nothing away, as no
cookie says who calls. A token travels in Authorization, which only a page that holds the token can
send; browsers never add it by themselves.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from service.http.compressing import with_word

EXPOSED = (
    "Date, ETag, Link, Location, Preference-Applied, Retry-After, RateLimit, "
    "RateLimit-Policy, X-Request-Id"
)
ACCEPTED = (
    "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, "
    "Prefer, X-Request-Id"
)
PREFLIGHT_MAX_AGE_S = "86400"  # seconds a browser may remember what is allowed

NOTHING = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"


class Policy(NamedTuple):
    """What a page may load and do: its Content-Security-Policy, and whether other sites may show it
    in a frame."""

    content: str
    is_embedded: bool = False


# first part of an address -> the policy of a path and query; features with pages register theirs
POLICIES: dict[str, Callable[[str, str], Policy]] = {}
NO_PAGE = Policy(NOTHING)  # of all other answers: JSON and pictures
OPEN = {"v1"}  # addresses, or their first parts, that pages of any origin may ask


def keep_from_others(status: int, headers: dict[str, str]) -> None:
    """Forbid shared caches to store an answer, unless its headers say that it is the same for all.
    Forbid all caches to store a problem, as it may soon be solved."""
    if status >= 400:
        headers["Cache-Control"] = "no-store"
    kept = headers.setdefault("Cache-Control", "private, no-cache")
    if "public" not in kept and "Authorization" not in headers.get("Vary", ""):
        headers["Vary"] = with_word(headers.get("Vary"), "Authorization")


def allow(path: str, headers: dict[str, str]) -> None:
    """Answer a CORS preflight request (OPTIONS)."""
    del headers["Content-Type"]
    headers.pop("Content-Length", None)
    if "Access-Control-Allow-Origin" in of_address(path, ""):
        headers["Access-Control-Allow-Methods"] = headers["Allow"]
        headers["Access-Control-Allow-Headers"] = ACCEPTED
        headers["Access-Control-Max-Age"] = PREFLIGHT_MAX_AGE_S


def of_address(path: str, query: str) -> dict[str, str]:
    """Return the headers that depend on the address alone."""
    first = path.split("/", 2)[1] if "/" in path else ""
    policy = POLICIES[first](path, query) if first in POLICIES else NO_PAGE
    is_open = not policy.is_embedded and (first in OPEN or path in OPEN)
    return _of(policy, is_open)


@cache
def _of(policy: Policy, is_open: bool) -> dict[str, str]:
    headers = {
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Content-Security-Policy": policy.content,
        "Cross-Origin-Resource-Policy": "cross-origin"
        if is_open or policy.is_embedded
        else "same-origin",
    }
    if policy.is_embedded:  # pages that are isolated from all others show only such frames
        headers["Cross-Origin-Embedder-Policy"] = "require-corp"
    if is_open:
        headers |= {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": EXPOSED}
    return headers
