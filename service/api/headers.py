"""Headers that browsers and caches go by: who may call (CORS), what a page may load and do, and who
may be shown an answer.

Pages of any origin may call the API: ``Access-Control-Allow-Origin: *`` gives nothing away, as no
cookie says who calls. A token travels in Authorization, which only a page that holds the token can
send; browsers never add it by themselves.
"""

from __future__ import annotations

from functools import cache

from flask import Flask, Response, request

EXPOSED = ("Deprecation, ETag, Link, Location, Preference-Applied, Retry-After, RateLimit, "
           "RateLimit-Policy, Sunset, X-Request-Id")
ACCEPTED = ("Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, "
            "Prefer, X-Request-Id")
DAY = "86400"  # seconds a browser may remember what is allowed

NOTHING = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
# The page loads its own files and asks this API; what it writes as HTML, lit-html has made.
PAGE = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types lit-html; frame-ancestors {by}")
EMBEDDED = "embed=1"  # in a query: other sites may show a game in a frame
SCREENS = ("", "games", "tournaments", "leaderboards", "players", "boards")
# first part of the address -> Content-Security-Policy; NOTHING for the others: JSON and pictures
POLICIES = dict.fromkeys(SCREENS, PAGE.format(by="'none'")) | {
    EMBEDDED: PAGE.format(by="*"),
    # Swagger UI: its own files, styles in its elements, icons as data:, and calls to this API
    "docs": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
            "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'",
}


def register(app: Flask) -> None:
    """Put the headers on every answer, and answer the questions that browsers ask beforehand."""
    app.after_request(_answer_options)
    app.after_request(_keep_from_others)
    app.wsgi_app = _Adding(app.wsgi_app)


def _keep_from_others(response: Response) -> Response:
    """Let no cache show anybody what was answered to another, unless the answer says that it is for
    all; nor a problem to anybody, as it may be over."""
    headers = response.headers
    if response.status_code >= 400:
        headers["Cache-Control"] = "no-store"
    elif "Cache-Control" not in headers:
        headers["Cache-Control"] = "private, no-cache"
    if "public" not in headers["Cache-Control"] and "Authorization" not in headers.get("Vary", ""):
        response.vary.add("Authorization")
    return response


class _Adding:
    """Adds the headers that depend on the address alone, below Flask, where it costs least."""

    def __init__(self, app):
        self._app = app

    def __call__(self, environ: dict, start_response):
        more = _of(*_kind(environ["PATH_INFO"], environ.get("QUERY_STRING", "")))
        return self._app(environ, lambda status, headers, error=None: start_response(
            status, headers + more, error))


def _answer_options(response: Response) -> Response:
    if request.method == "OPTIONS" and response.status_code == 200:  # Flask's own answer
        headers = response.headers
        response.status_code = 204
        del headers["Content-Type"]
        if _kind(request.path)[1]:
            headers["Access-Control-Allow-Methods"] = headers["Allow"]
            headers["Access-Control-Allow-Headers"] = ACCEPTED
            headers["Access-Control-Max-Age"] = DAY
    return response


def _kind(path: str, query: str = "") -> tuple[str | None, bool]:
    """Return (the policy's name if it has one of its own, whether any origin may ask)."""
    first = path.split("/", 2)[1] if "/" in path else ""
    if first == "games" and EMBEDDED in query.split("&"):
        return EMBEDDED, False
    return (first if first in POLICIES else None,
            first in ("v1", "web") or path == "/openapi.yaml")


@cache
def _of(policy: str | None, is_open: bool) -> list[tuple[str, str]]:
    found = [
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Content-Security-Policy", POLICIES.get(policy, NOTHING)),
        ("Cross-Origin-Resource-Policy",
         "cross-origin" if is_open or policy == EMBEDDED else "same-origin"),
    ]
    if policy == EMBEDDED:  # pages that are isolated from all others show only such frames
        found.append(("Cross-Origin-Embedder-Policy", "require-corp"))
    if is_open:
        found += [("Access-Control-Allow-Origin", "*"),
                  ("Access-Control-Expose-Headers", EXPOSED)]
    return found
