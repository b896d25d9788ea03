"""Building responses."""

from collections.abc import Callable, Iterable
from urllib.parse import quote, urlencode

import gevent
import orjson
from flask import Response, request
from werkzeug.datastructures import Headers, MIMEAccept
from werkzeug.wsgi import ClosingIterator

JSON = "application/json"
PROBLEM = "application/problem+json"
SVG = "image/svg+xml"
PNG = "image/png"
SSE = "text/event-stream"
NDJSON = "application/x-ndjson"


class Answer(Response):
    """A complete response, whose headers include its type and its length."""

    def __init__(self, body: bytes, status: int, headers: list[tuple[str, str]]):
        super().__init__([body], status, Headers(headers))
        self.body = body

    def __call__(self, _environ: dict, start_response: Callable) -> Iterable[bytes]:
        """Send status, headers and body unchanged: Werkzeug need not add headers or encode the
        body."""
        start_response(self.status, self.headers.to_wsgi_list())
        return ClosingIterator(self.response, self.close)  # type: ignore[arg-type]  # it is bytes


def answer(data, status: int = 200, headers: dict | None = None) -> Answer:
    body = orjson.dumps(data)
    return Answer(
        body,
        status,
        [("Content-Type", JSON), ("Content-Length", str(len(body))), *(headers or {}).items()],
    )


def answer_page(
    rows: list, cursor: str | int | None = None, headers: dict | None = None, **more: object
) -> Answer:
    """Return a page of a list, with the cursor of the next page, None at the end, and a link to it
    (RFC 8288)."""
    if cursor is not None:
        query = urlencode(request.args.to_dict() | {"after": cursor})
        headers = (headers or {}) | {"Link": f'<{quote(request.path)}?{query}>; rel="next"'}
    return answer({**more, "items": rows, "next": cursor}, 200, headers)


def answer_created(data: dict, where: str, headers: dict | None = None) -> Response:
    return answer(data, 201, {"Location": where} | (headers or {}))


def answer_nothing() -> Response:
    response = Response(status=204)
    del response.headers["Content-Type"]
    return response


def best_form(*forms: str) -> str:
    """Return the media type in ``forms`` that the caller prefers, by default the first. Parameters
    such as a charset are ignored."""
    accepted = MIMEAccept(
        [(kind.partition(";")[0].strip(), quality) for kind, quality in request.accept_mimetypes]
    )
    return accepted.best_match(forms, forms[0])


def aside(work: Callable, *args):
    """Run slow work (up to a second or so) in a thread and return its result. Other requests are
    answered meanwhile. The work cannot use Redis, whose connections belong to this thread."""
    return gevent.get_hub().threadpool.apply(work, args)
