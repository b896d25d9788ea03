"""Request ids, request metrics, and the log line of each request."""

from __future__ import annotations

import logging
import random
import re
import time
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from service.feature import Services
from service.http import logs, metrics
from service.http.compressing import BODILESS
from service.http.context import Context

HEADER = "X-Request-Id"
GOOD = re.compile(r"[A-Za-z0-9._-]{1,64}")
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

log = logging.getLogger("fogg.requests")


def begin(environ: dict[str, Any], services: Services) -> Context:
    """Return the context of a new request. Its id is the client's, if that is well-formed."""
    sent = environ.get("HTTP_X_REQUEST_ID", "")
    request_id = (sent if sent and GOOD.fullmatch(sent) else f"{random.getrandbits(64):016x}")
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
    size = int(length) if length else 0 if status in BODILESS else None
    about = {"method": method, "route": route, "status": status, "account": context.account,
             "bytes": size}
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
