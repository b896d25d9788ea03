"""The gunicorn worker of the web processes: a greenlet a connection, thousands of them."""

from __future__ import annotations

import resource
import secrets
from http import HTTPStatus

import orjson
from gunicorn import util
from gunicorn.workers.ggevent import GeventWorker

CONNECTIONS = 10_000  # at a time and process; streams are connections
STALLED = 80  # seconds for which a client may send or take nothing; longer than keep-alive


class Worker(GeventWorker):
    """Serves with gevent, drops clients that have stalled, and may open as many files as the
    system allows."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.worker_connections = CONNECTIONS
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

    def handle(self, listener, client, addr):
        """Serve a connection. Half-open ones would stay for ever without a timeout."""
        client.settimeout(STALLED)
        super(GeventWorker, self).handle(listener, client, addr)


def write_problem(connection, status: int, reason: str, message: str) -> None:
    """Answer what is no HTTP request, or too large a one, with a problem document."""
    code = reason.lower().replace(" ", "-")
    body = orjson.dumps({
        "type": f"urn:fogg:problem:{code}", "title": "The request cannot be read",
        "status": status, "code": code, "detail": message or reason,
        "request_id": secrets.token_hex(8)})
    head = (f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nConnection: close\r\n"
            f"Content-Type: application/problem+json\r\nContent-Length: {len(body)}\r\n\r\n")
    util.write_nonblock(connection, head.encode() + body)


util.write_error = write_problem  # gunicorn's own is a page of HTML
