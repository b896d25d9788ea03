"""Every request has an id, is counted, and has its line in the log."""

from __future__ import annotations

import logging
import re
import secrets
import time
from functools import cache

from flask import Flask, Response, g, request

from service import logs, metrics

HEADER = "X-Request-Id"
GOOD = re.compile(r"[A-Za-z0-9._-]{1,64}")
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

log = logging.getLogger("fogg.requests")


def register(app: Flask) -> None:
    """Watch an application. Register this first: what comes before it is not watched."""
    tells = logs.tells_requests()

    def answered(response: Response) -> Response:
        """Tell of an answer; of a stream once it has ended."""
        g.setdefault("began", time.perf_counter())
        response.headers[HEADER] = request_id()
        method = request.method if request.method in METHODS else "other"
        about = {"method": method, "route": _route(), "status": response.status_code}
        metrics.answered(**about, seconds=time.perf_counter() - g.began)
        if tells and log.isEnabledFor(logging.INFO):
            if account := g.get("account_id"):
                about["account"] = account
            size = response.calculate_content_length()
            if size is None:
                size = response.content_length
            if size is None:
                response.call_on_close(lambda began=g.began: _tell(about, began))
            else:
                _tell(about | {"bytes": size}, g.began)
        return response

    app.before_request(_begin)
    app.after_request(answered)


def request_id() -> str:
    """Return the id of the request under way: the client's if it is a good one, else a new one."""
    if "request_id" not in g:
        sent = request.headers.get(HEADER, "")
        g.request_id = sent if GOOD.fullmatch(sent) else secrets.token_hex(8)
        logs.REQUEST_ID.set(g.request_id)  # for as long as this connection asks nothing else
    return g.request_id


def _begin() -> None:
    g.began = time.perf_counter()
    request_id()


def _tell(about: dict, began: float) -> None:
    milliseconds = round(1000 * (time.perf_counter() - began), 2)
    log.info("request", extra={"fields": about | {"ms": milliseconds}})


def _route() -> str:
    """Return the address as openapi.yaml writes it: with names for what varies, so that there are
    few, and no secret in any."""
    return _template(request.url_rule.rule) if request.url_rule else "unmatched"


@cache
def _template(rule: str) -> str:
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule)
