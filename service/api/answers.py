"""Building responses."""

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
    """A complete response, whose headers include its length."""

    def get_wsgi_headers(self, _environ: dict) -> Headers:
        """Return the headers unchanged: Werkzeug need not add any."""
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
    """Run slow work (up to a second or so) in a thread and return its result. Other requests are
    answered meanwhile."""
    return gevent.get_hub().threadpool.apply(work, args)
