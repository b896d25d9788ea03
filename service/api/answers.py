"""Writing an answer, in one of the forms that the API speaks."""

from __future__ import annotations

from collections.abc import Callable

import gevent
import orjson
from flask import Response
from werkzeug.datastructures import Headers

JSON = "application/json"
PROBLEM = "application/problem+json"
SVG = "image/svg+xml"
SSE = "text/event-stream"
NDJSON = "application/x-ndjson"


class Answer(Response):
    """An answer that is whole when it is made, its length among its headers."""

    def get_wsgi_headers(self, _environ: dict) -> Headers:
        """Return the headers as they are: none is missing that Werkzeug would add."""
        return self.headers


def answer(data, status: int = 200, headers: dict | None = None) -> Response:
    """Return data as JSON."""
    return Answer(orjson.dumps(data), status, headers, mimetype=JSON)


def answer_nothing() -> Response:
    """Return an answer without a body."""
    response = Response(status=204)
    del response.headers["Content-Type"]
    return response


def aside(work: Callable, *args):
    """Return what some work that may take a second comes to; it is done in a thread of its own, so
    that other requests are answered meanwhile."""
    return gevent.get_hub().threadpool.apply(work, args)
