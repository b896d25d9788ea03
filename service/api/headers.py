"""Headers that browsers and caches go by: who may call (CORS), what a page may load and do, and who
may be shown an answer.

Pages of any origin may call the API: ``Access-Control-Allow-Origin: *`` gives nothing away, as no
cookie says who calls. A token travels in Authorization, which only a page that holds the token can
send; browsers never add it by themselves.
"""

from __future__ import annotations

from functools import cache
from urllib.parse import parse_qs

from service.api.compressing import with_word
from service.api.screens import SCREENS, addressed

EXPOSED = ("ETag, Link, Location, Preference-Applied, Retry-After, RateLimit, "
           "RateLimit-Policy, X-Request-Id")
ACCEPTED = ("Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, "
            "Prefer, X-Request-Id")
DESCRIPTIONS = ("/openapi.yaml", "/openapi-without-examples.yaml")  # any page may read them
PREFLIGHT_MAX_AGE_S = "86400"  # seconds a browser may remember what is allowed

NOTHING = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
# The page loads its own files and asks this API; what it writes as HTML, lit-html has made.
PAGE = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types lit-html; frame-ancestors {by}")
EMBEDDED = "embed=1"  # the policy of a screen that other sites may show in a frame
FRAMED = {screen.first for screen in SCREENS if screen.framed}
# first part of the address -> Content-Security-Policy; NOTHING for the others: JSON and pictures
POLICIES = dict.fromkeys((screen.first for screen in SCREENS), PAGE.format(by="'none'")) | {
    EMBEDDED: PAGE.format(by="*"),
    # Swagger UI: its own files, styles in its elements, icons as data:, and calls to this API
    "docs": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
            "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'",
}


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
    if _kind(path)[1]:
        headers["Access-Control-Allow-Methods"] = headers["Allow"]
        headers["Access-Control-Allow-Headers"] = ACCEPTED
        headers["Access-Control-Max-Age"] = PREFLIGHT_MAX_AGE_S


def of_address(path: str, query: str) -> dict[str, str]:
    """Return the headers that depend only on the address."""
    return _of(*_kind(path, query))


def is_embedded(path: str, query: str) -> bool:
    """Return whether an address asks for a screen in a frame of another site: it gives `embed`
    once, as 1. `isEmbedded` in service/page/account.mjs must be the same rule: an address that only
    the service takes for a frame would be a page with an account that others can put in a frame."""
    screen = addressed(path)
    return screen is not None and screen.framed is not None and (
        parse_qs(query, keep_blank_values=True).get("embed") == ["1"])


def _kind(path: str, query: str = "") -> tuple[str | None, bool]:
    """Return (the policy's name if it has one of its own, whether any origin may ask)."""
    first = path.split("/", 2)[1] if "/" in path else ""
    if first in FRAMED and is_embedded(path, query):
        return EMBEDDED, False
    return (first if first in POLICIES else None,
            first in ("v1", "web") or path in DESCRIPTIONS)


@cache
def _of(policy: str | None, is_open: bool) -> dict[str, str]:
    headers = {
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Content-Security-Policy": NOTHING if policy is None else POLICIES.get(policy, NOTHING),
        "Cross-Origin-Resource-Policy":
            "cross-origin" if is_open or policy == EMBEDDED else "same-origin",
    }
    if policy == EMBEDDED:  # pages that are isolated from all others show only such frames
        headers["Cross-Origin-Embedder-Policy"] = "require-corp"
    if is_open:
        headers |= {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": EXPOSED}
    return headers
