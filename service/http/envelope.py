"""The WSGI layer that every request and answer passes: request ids, common headers, compression,
log.

It wraps the Flask application and works on a plain dict of headers, because setting one header
within Flask takes about nine calls.
"""

import logging
import random
import re
import time
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from flask import Flask
from werkzeug.wsgi import ClosingIterator

from service import settings
from service.feature import Services
from service.http import compressing, counting, headers, logs, metrics
from service.http.context import CONTEXT, Context
from service.http.serving import services

HEADER = "X-Request-Id"
GOOD = re.compile(r"[A-Za-z0-9._-]{1,64}")
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

log = logging.getLogger("fogg.requests")


class Envelope:
    """A WSGI application around a Flask application. It gives each request an id, adds the common
    headers, compresses answers and logs requests."""

    def __init__(self, app: Flask):
        self._flask, self._app = app, app.wsgi_app
        self._is_logged = settings.LOG_REQUESTS.value()

    def __call__(
        self, environ: dict[str, Any], start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        if method == "HEAD":  # same headers as GET, including the compressed length
            environ["REQUEST_METHOD"] = "GET"
        context = begin(environ, services(self._flask))
        CONTEXT.set(context)
        compressing.read_tags(environ, context)
        status, answer, body = self._answer(environ)
        code = int(status[:3])
        if method == "OPTIONS" and code == 200:  # Flask's own answer
            status, code = "204 NO CONTENT", 204
            headers.allow(path, answer)
        headers.keep_from_others(code, answer)
        body = compressing.compressed(environ, context, code, answer, body)
        answer = headers.of_address(path, environ.get("QUERY_STRING", "")) | answer
        answer[HEADER] = context.request_id
        if context.standing:
            answer |= counting.headers_of(context.standing)
        at_end = log_answer(method, context, code, answer, is_logged=self._is_logged)
        if at_end:
            body = ClosingIterator(body, at_end)
        if method == "HEAD":
            compressing.close(body)
            body = ()
        start_response(status, [*answer.items()])
        return body

    def _answer(self, environ: dict[str, Any]) -> tuple[str, dict[str, str], Iterable[bytes]]:
        begun: list[tuple[str, list[tuple[str, str]]]] = []

        def start(status: str, fields: list[tuple[str, str]], error: object = None) -> Any:
            begun.append((status, fields))

        body = self._app(environ, start)
        status, fields = begun[-1]
        answer = dict(fields)
        if len(answer) < len(fields):  # join repeated headers into one
            answer = {}
            for name, value in fields:
                answer[name] = f"{answer[name]}, {value}" if name in answer else value
        return status, answer, body


def begin(environ: dict[str, Any], services: Services) -> Context:
    """Return the context of a new request. Its id is the client's, if that is well-formed."""
    sent = environ.get("HTTP_X_REQUEST_ID", "")
    request_id = sent if sent and GOOD.fullmatch(sent) else f"{random.getrandbits(64):016x}"
    logs.REQUEST_ID.set(request_id)  # until the next request of this connection
    return Context(request_id, time.perf_counter(), services)


def log_answer(
    method: str, context: Context, status: int, headers: Mapping[str, str], *, is_logged: bool
) -> Callable[[], None] | None:
    """Count an answer, and log it if requests are logged. For a stream, return the function that
    logs it when it ends."""
    route = template(context.rule) if context.rule else "unmatched"
    method = method if method in METHODS else "other"
    seconds = time.perf_counter() - context.began
    metrics.count_request(method, route, status, seconds)
    if not (is_logged and log.isEnabledFor(logging.INFO)):
        return None
    length = headers.get("Content-Length")
    size = int(length) if length else 0 if status in compressing.BODILESS else None
    about = {
        "method": method,
        "route": route,
        "status": status,
        "account": context.account,
        "bytes": size,
    }
    if size is None:
        return lambda: _write(about, time.perf_counter() - context.began)
    _write(about, seconds)
    return None


@cache
def template(rule: str) -> str:
    """Return the path template of a URL rule, as openapi.yaml has it. Templates are few and hold no
    secrets."""
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule)


def _write(about: dict, seconds: float) -> None:
    log.info("request", extra={"fields": about | {"ms": round(1000 * seconds, 2)}})
