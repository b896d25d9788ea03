"""Every request has an id, is counted, and has its line in the log."""

from __future__ import annotations

import logging
import random
import re
import time
from functools import cache

from flask import Flask, Response, g, request

from service.operation import logs, metrics

HEADER = "X-Request-Id"
GOOD = re.compile(r"[A-Za-z0-9._-]{1,64}")
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

log = logging.getLogger("fogg.requests")


def register(app: Flask) -> None:
    """Log the requests of an application. Register this first: what comes before it is not
    logged."""
    tells = logs.tells_requests() and log.isEnabledFor

    def log_answer(response: Response) -> Response:
        """Log an answer; of a stream once it has ended."""
        asked, notes = request._get_current_object(), g._get_current_object()
        response.headers[HEADER] = request_id()
        method = asked.method if asked.method in METHODS else "other"
        route = template(asked.url_rule.rule) if asked.url_rule else "unmatched"
        seconds = time.perf_counter() - notes.began
        metrics.count_request(method, route, response.status_code, seconds)
        if tells and tells(logging.INFO):
            about = {"method": method, "route": route, "status": response.status_code,
                     "account": notes.get("account_id"), "bytes": _size(response)}
            if about["bytes"] is None:
                response.call_on_close(lambda: _tell(about, time.perf_counter() - notes.began))
            else:
                _tell(about, seconds)
        return response

    app.before_request(_begin)
    app.after_request(log_answer)


def request_id() -> str:
    """Return the id of the request under way: the client's if it is a good one, else a new one."""
    if "request_id" not in g:  # refused before it could begin
        _begin()
    return g.request_id


@cache
def template(rule: str) -> str:
    """Return an address as openapi.yaml writes it: with names for what varies, so that there are
    few, and no secret in any."""
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule)


def _begin() -> None:
    sent = request.environ.get("HTTP_X_REQUEST_ID", "")
    notes = g._get_current_object()
    notes.began = time.perf_counter()
    notes.request_id = (sent if sent and GOOD.fullmatch(sent) else
                        f"{random.getrandbits(64):016x}")
    logs.REQUEST_ID.set(notes.request_id)  # for as long as this connection asks nothing else


def _size(response: Response) -> int | None:
    """Return the bytes of a body, None if it is a stream, which is not read here."""
    if response.is_sequence:
        return response.calculate_content_length()
    return response.content_length


def _tell(about: dict, seconds: float) -> None:
    log.info("request", extra={"fields": about | {"ms": round(1000 * seconds, 2)}})
