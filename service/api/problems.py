"""Every error as ``application/problem+json`` (RFC 9457), and the one table of HTTP numbers."""

from __future__ import annotations

import logging

import orjson
from flask import Flask, Response
from marshmallow import ValidationError
from redis import exceptions as redis
from werkzeug.exceptions import HTTPException

from domain.errors import BrokenHistory, FoggError, Refused
from service.api.request_log import request_id
from service.errors import (
    Ahead,
    BadRequest,
    KeyReused,
    MissingScope,
    NotSignedIn,
    NotYours,
    Revoked,
    Stale,
    TooMany,
    UnknownThing,
)

STATUS = {
    BadRequest: 422,
    KeyReused: 422,
    NotSignedIn: 401,
    Revoked: 401,
    NotYours: 403,
    MissingScope: 403,
    UnknownThing: 404,
    Refused: 409,
    Ahead: 409,
    Stale: 412,
    TooMany: 429,
    BrokenHistory: 503,
}
TITLES = {
    400: "The body is not JSON",
    401: "A valid token is needed",
    403: "This is not yours to do",
    404: "There is no such thing",
    405: "This address does not take that method",
    406: "This address cannot answer in that form",
    409: "The rules do not allow this now",
    412: "The game has moved on",
    413: "The body is too large",
    415: "The body must be application/json",
    422: "The request is malformed",
    429: "Too many requests",
    500: "The service failed",
    503: "The service is not ready",
}
# what a Redis that is starting, failing over, full or gone answers
NOT_READY = (redis.ConnectionError, redis.TimeoutError, redis.ReadOnlyError, redis.ClusterError,
             redis.OutOfMemoryError)
log = logging.getLogger(__name__)


def problem(status: int, code: str, detail: str, headers: dict | None = None, **more) -> Response:
    """Return a problem document; ``type`` and ``code`` are stable, the words are not."""
    body = {"type": f"urn:fogg:problem:{code}", "title": TITLES.get(status, "Error"),
            "status": status, "code": code, "detail": detail, "request_id": request_id()}
    body |= {name: value for name, value in more.items() if value is not None}
    return Response(orjson.dumps(body), status, headers, mimetype="application/problem+json")


def of_error(error: FoggError, **more) -> Response:
    """Return the problem document of an error of ours."""
    status = STATUS[type(error)]
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    if isinstance(error, TooMany):
        headers["Retry-After"] = str(error.seconds)
    return problem(status, error.code, str(error), headers,
                   rule=getattr(error, "rule", None), field=getattr(error, "field", None), **more)


def register(app: Flask) -> None:
    """Let every error of the app be answered with a problem document."""
    app.register_error_handler(FoggError, of_error)
    app.register_error_handler(ValidationError, _malformed)
    app.register_error_handler(HTTPException, _of_http)
    for error in NOT_READY:
        app.register_error_handler(error, not_ready)
    app.register_error_handler(Exception, _of_bug)


def _of_http(error: HTTPException) -> Response:
    status = error.code or 500
    kept = ("Allow", "Location")
    headers = {k: v for k, v in error.get_headers() if k in kept}
    code = error.name.lower().replace(" ", "-")
    return problem(status, code, error.description or error.name, headers)


def not_ready(error: Exception) -> Response:
    """Return the problem that Redis does not answer."""
    log.error("Redis does not answer: %r", error)
    return problem(503, "not-ready", "the store does not answer", {"Retry-After": "1"})


def _malformed(error: ValidationError) -> Response:
    """Return the problem of a request that does not fit its schema."""
    errors = [{"field": ".".join(path), "reason": reason}
              for path, reason in _leaves(error.normalized_messages(), ())]
    first = errors[0]
    return problem(422, "malformed", f"{first['field']}: {first['reason']}".lstrip(": "),
                   field=first["field"] or None, errors=errors)


def _leaves(value, path: tuple):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, path if key == "_schema" else (*path, str(key)))
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, path)
    else:
        yield path, str(value)


def _of_bug(error: Exception) -> Response:
    log.exception("an unexpected error", exc_info=error)
    return problem(500, "internal-error", "this should not have happened; the log says more")
