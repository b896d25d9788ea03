"""The WSGI layer that every request and answer passes: request ids, common headers, compression,
log.

It wraps the Flask application and works on a plain dict of headers, because setting one header
within Flask takes about nine calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask
from werkzeug.wsgi import ClosingIterator

from service import settings
from service.http import compressing, headers, request_log
from service.http import counting as limits
from service.http.context import CONTEXT
from service.http.serving import services


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
        context = request_log.begin(environ, services(self._flask))
        CONTEXT.set(context)
        compressing.read_tags(environ, context)
        status, answer, body = self._answer(environ)
        code = int(status[:3])
        if method == "OPTIONS" and code == 200:  # Flask's own answer
            status, code = "204 NO CONTENT", 204
            headers.allow(path, answer)
        headers.keep_from_others(code, answer)
        body = compressing.compressed(environ, context, code, answer, body)
        answer |= headers.of_address(path, environ.get("QUERY_STRING", ""))
        answer[request_log.HEADER] = context.request_id
        if context.standing:
            answer |= limits.headers_of(context.standing)
        at_end = request_log.log_answer(
            method, context, code, answer, is_logged=self._is_logged)
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
