"""Every error as ``application/problem+json`` (RFC 9457), and the one table of HTTP numbers."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field

import orjson
from flask import Flask, Response
from marshmallow import Schema, ValidationError
from redis import exceptions as redis
from werkzeug.exceptions import HTTPException

from domain.errors import BrokenHistory, FoggError, Refused
from service.api.answers import PROBLEM
from service.api.context import context
from service.api.descriptions import header
from service.api.schemas.base import ProblemSchema
from service.api.schemas.views import StaleProblemSchema
from service.errors import (
    Ahead,
    ArchiveDown,
    BadRequest,
    HistoryLost,
    KeyReused,
    MissingScope,
    NotSignedIn,
    NotYours,
    Revoked,
    Stale,
    TooLong,
    TooMany,
    TooManyStreams,
    UnknownThing,
)
from service.operation.outages import outage


@dataclass(frozen=True)
class Kind:
    """What the problems of one HTTP status have in common: their title, which of our errors they
    are of, and, where operations name the status, how openapi.yaml describes them."""

    title: str
    errors: tuple[type[FoggError], ...] = ()
    name: str | None = None
    words: str = ""
    headers: Mapping[str, dict] = field(default_factory=dict)
    schema: type[Schema] = ProblemSchema


# HTTP status: its problems
PROBLEMS = {
    400: Kind("The body cannot be read", name="NotJson",
              words="The body is not JSON, or has not come whole."),
    401: Kind("A valid token is needed", (NotSignedIn, Revoked), "NotSignedIn",
              "A token is needed, or the one sent is unknown or was revoked.",
              {"WWW-Authenticate": header("`Bearer`, as tokens are sent.", "Bearer")}),
    403: Kind("This is not yours to do", (NotYours, MissingScope), "NotYours",
              "The caller may not do this."),
    404: Kind("Not found", (UnknownThing,), "NotFound", "There is nothing at this address, or "
              "nothing that the caller may see."),
    405: Kind("Method not allowed"),
    406: Kind("This address cannot answer in that form"),
    408: Kind("The body comes too slowly"),
    409: Kind("The rules do not allow this now",
              (Refused, Ahead, HistoryLost, BrokenHistory), "Refused",
              "A rule refuses it: `code` and `rule` say which, `detail` why. Nothing has changed."),
    412: Kind("The game has moved on", (Stale,), "Stale",
              "The game is no longer at the version in `If-Match`. Nothing has changed; the "
              "problem carries what is needed to decide anew.", schema=StaleProblemSchema),
    413: Kind("The body is too large", name="TooLarge", words="The body is larger than 64 KiB."),
    414: Kind("The address is too long", name="TooLong",
              words="The address is too long; its query may have 4,000 bytes."),
    415: Kind("The body must be application/json", name="NotJsonType",
              words="The body must be `application/json`."),
    422: Kind("The request is malformed", (BadRequest, KeyReused), "Malformed",
              "The request does not fit its description: `errors` says where. Nothing has "
              "changed."),
    429: Kind("Too many requests", (TooMany, TooManyStreams, TooLong), "TooMany",
              "Too many requests, as `RateLimit-Policy` tells; or, with the code "
              "`too-many-streams`, too many that go on.",
              {"Retry-After": header("Seconds to wait before asking again.", "17")}),
    500: Kind("The service failed"),
    503: Kind("The service is not ready", (ArchiveDown,), "NotReady",
              "The store does not answer. What was asked may or may not have been done.",
              {"Retry-After": header("Seconds to wait before trying again.", "1")}),
}
TITLES = {KeyReused.code: "The idempotency key was used for another request"}  # by code
STATUS = {error: status for status, kind in PROBLEMS.items() for error in kind.errors}
log = logging.getLogger(__name__)


def problem(status: int, code: str, detail: str, headers: dict | None = None, **more) -> Response:
    """Return a problem document; ``type`` and ``code`` are stable, the words are not."""
    title = TITLES.get(code) or PROBLEMS.get(status, Kind("Error")).title
    body = {"type": f"urn:fogg:problem:{code}", "title": title, "status": status, "code": code,
            "detail": detail, "request_id": context().request_id}
    body |= {name: value for name, value in more.items() if value is not None}
    return Response(orjson.dumps(body), status, headers, mimetype=PROBLEM)


def problem_of(error: FoggError, **more) -> Response:
    """Return the problem document of an error of ours."""
    status = STATUS[type(error)]
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    if isinstance(error, TooMany):
        headers["Retry-After"] = str(error.seconds)
    if isinstance(error, ArchiveDown):
        headers["Retry-After"] = "5"
    said = {name: getattr(error, name, None) for name in ("rule", "field", "was")}
    if isinstance(error, Ahead | HistoryLost):
        said["version"] = error.version
    if isinstance(error, Stale):
        said |= error.more
    return problem(status, error.code, str(error), headers, **said | more)


def register(app: Flask) -> None:
    """Let every error of the app be answered with a problem document."""
    app.register_error_handler(FoggError, problem_of)
    app.register_error_handler(ValidationError, _problem_of_input)
    app.register_error_handler(HTTPException, problem_of_http)
    for error in (redis.RedisError, redis.RedisClusterException):
        app.register_error_handler(error, problem_of_redis)
    app.register_error_handler(Exception, _problem_of_bug)


# status: what is said where nobody has said what was wrong
WORDS = {
    404: "there is nothing at this address: those of the API begin with /v1, and /docs lists them",
    405: "this address takes {} only",
    413: "a body may have 64 KiB",
}


def problem_of_http(error: HTTPException) -> Response:
    status = error.code or 500
    kept = ("Allow", "Location")
    headers = {k: v for k, v in error.get_headers() if k in kept}
    code = error.name.lower().replace(" ", "-")
    words = error.description
    if words is None or words == type(error).description:  # Werkzeug's
        words = WORDS.get(status) or PROBLEMS.get(status, Kind(error.name)).title
        words = words.format(headers.get("Allow", "other methods"))
    return problem(status, code, words, headers)


def problem_of_redis(error: Exception) -> Response:
    """Return the problem that Redis does not answer, or takes no more."""
    said = outage(error)
    if said is None:
        return _problem_of_bug(error)
    # in a pipeline the command stands before what was wrong with it, and may hold anything
    words = str(error).rpartition("caused error: ")[2]
    log.error("Redis does not answer: %s: %s", type(error).__name__, words)
    return problem(503, "not-ready", said, {"Retry-After": "1"})


def _problem_of_input(error: ValidationError) -> Response:
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


def _problem_of_bug(error: Exception) -> Response:
    log.exception("an unexpected error", exc_info=error)
    return problem(500, "internal-error", "this should not have happened; the log says more")
