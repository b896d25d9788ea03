"""Errors as ``application/problem+json`` (RFC 9457), and the one table of HTTP statuses."""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, NotRequired, TypedDict

import orjson
from flask import Flask, Response
from marshmallow import ValidationError
from redis import exceptions as redis
from werkzeug.exceptions import HTTPException

from domain.described import Positive
from domain.errors import BrokenHistory, FoggError, Refused
from service import errors
from service.http.answers import PROBLEM
from service.http.context import context
from service.http.descriptions import header


class FieldProblem(TypedDict):
    """An invalid member of the request."""

    field: Annotated[
        str,
        "The path of the member: names and indexes joined by dots, such as `seats.0.bot`; "
        "empty for the body as a whole.",
    ]
    reason: Annotated[str, "Why it is invalid."]


class Problem(TypedDict):
    """An error (RFC 9457)."""

    type: Annotated[str, "`urn:fogg:problem:` followed by the code; stable."]
    title: Annotated[str, "The kind of problem, for people."]
    status: Annotated[int, {"minimum": 400, "maximum": 599}, "The HTTP status."]
    code: Annotated[
        str, {"type": None, "$ref": "#/components/schemas/ProblemCode"}, "The code of the error."
    ]
    detail: Annotated[str, "A description of this error, for people."]
    request_id: Annotated[
        str,
        "The request's id in the server's log; also in the header `X-Request-Id`. A client "
        "may set it.",
    ]
    rule: NotRequired[
        Annotated[str, "The number of the rule that was broken, as in docs/rules.md."]
    ]
    field: NotRequired[Annotated[str, "The invalid member of the request."]]
    errors: NotRequired[Annotated[list[FieldProblem], "All invalid members."]]
    games: NotRequired[
        Annotated[
            list[str],
            "With `too-many-unplayed`: the ids of the games in which you have taken open seats and "
            "have not decided anything yet.",
        ]
    ]
    version: NotRequired[
        Annotated[
            int,
            "If the request named a version that does not exist or was lost: the version to "
            "continue from.",
        ]
    ]
    previous_version: NotRequired[
        Annotated[
            Positive, "The version that the game had before everything after `version` was lost."
        ]
    ]


@dataclass(frozen=True)
class Kind:
    """The problems of one HTTP status: their title, the errors that map to it and, for statuses
    that operations document, their description in openapi.yaml."""

    title: str
    errors: tuple[type[FoggError], ...] = ()
    name: str | None = None
    words: str = ""
    headers: Mapping[str, dict] = field(default_factory=dict)


# HTTP status -> its problems
PROBLEMS = {
    400: Kind(
        "The body cannot be read", name="NotJson", words="The body is not JSON, or is incomplete."
    ),
    401: Kind(
        "A valid token is required",
        (errors.NotSignedIn, errors.Revoked),
        "NotSignedIn",
        "A token is required, or the token sent is unknown or was revoked.",
        {"WWW-Authenticate": header("`Bearer`, the scheme of tokens.", "Bearer")},
    ),
    403: Kind(
        "Permission denied",
        (errors.NotYours, errors.MissingScope),
        "NotYours",
        "The caller has no permission for this.",
    ),
    404: Kind(
        "Not found",
        (errors.UnknownThing,),
        "NotFound",
        "It does not exist, or the caller may not see it.",
    ),
    405: Kind("Method not allowed"),
    406: Kind("Not acceptable"),
    408: Kind("The body arrives too slowly"),
    409: Kind(
        "Not allowed now",
        (
            Refused,
            errors.OutOfTime,
            errors.Ahead,
            errors.HistoryLost,
            errors.TooManyUnplayed,
            BrokenHistory,
        ),
        "Refused",
        "A rule or the present state does not allow this: `code` and `rule` say which, "
        "`detail` says why. Nothing has changed.",
    ),
    412: Kind(
        "There is a later version",
        (errors.Stale,),
        "Stale",
        "The game has a later version than the one in `If-Match`. Nothing has changed. The "
        "problem includes what you need to decide again.",
    ),
    413: Kind("The body is too large", name="TooLarge", words="The body is larger than 64 KiB."),
    414: Kind(
        "The URL is too long",
        name="TooLong",
        words="The URL is too long; its query may have 4,000 bytes.",
    ),
    415: Kind(
        "The body must be application/json",
        name="NotJsonType",
        words="The body must be `application/json`.",
    ),
    422: Kind(
        "The request is invalid",
        (errors.BadRequest, errors.KeyReused),
        "Malformed",
        "The request does not match its schema; `errors` says where. Or the idempotency key "
        "was used for another request (`key-reused`). Nothing has changed.",
    ),
    429: Kind(
        "Too many requests",
        (errors.TooMany, errors.TooManyStreams, errors.TooLong),
        "TooMany",
        "The rate limit in `RateLimit-Policy` is reached, or too many streams are open "
        "(`too-many-streams`).",
        {"Retry-After": header("Seconds to wait before a retry.", "17")},
    ),
    500: Kind("Internal error"),
    503: Kind(
        "The service is not ready",
        (errors.RecordsUnavailable,),
        "NotReady",
        "Redis does not respond. The request may or may not have been executed; repeat it "
        "with the same `Idempotency-Key`. Or the database of what is over does not respond "
        "(`records-unavailable`); games under way go on.",
        {"Retry-After": header("Seconds to wait before a retry.", "1")},
    ),
}
AWAY = "the store does not answer"
FULL = "the store has no room for more; what is in it can be read"

OUTAGE_ERRORS = (
    redis.ConnectionError,
    redis.TimeoutError,
    redis.ReadOnlyError,
    redis.ClusterError,
    redis.RedisClusterException,
    redis.TryAgainError,
    redis.AskError,
    redis.InvalidResponse,
    redis.NoScriptError,
    redis.ExecAbortError,
    redis.NoPermissionError,
)
BUGS = (redis.CrossSlotTransactionError, redis.InvalidPipelineStack)
# first word of an error reply -> message; in a pipeline the command precedes that word
OUTAGES = {
    "MISCONF": FULL,
    "OOM": FULL,
    "BUSY": AWAY,
    "UNKILLABLE": AWAY,
    "NOREPLICAS": AWAY,
    "LOADING": AWAY,
    "NOAUTH": AWAY,
}
SAID = re.compile(rf"(?:^|caused error: )({'|'.join(OUTAGES)})\b")
RECORDS_AWAY = "the database of what is over does not answer; games under way go on"
TITLES = {errors.KeyReused.code: "The idempotency key was used for another request"}  # by code
STATUS = {error: status for status, kind in PROBLEMS.items() for error in kind.errors}
log = logging.getLogger(__name__)


def problem(status: int, code: str, detail: str, headers: dict | None = None, **more) -> Response:
    """Return a problem document. ``type`` and ``code`` are stable; title and detail are not."""
    title = TITLES.get(code) or PROBLEMS.get(status, Kind("Error")).title
    body = {
        "type": f"urn:fogg:problem:{code}",
        "title": title,
        "status": status,
        "code": code,
        "detail": detail,
        "request_id": context().request_id,
    }
    body |= {name: value for name, value in more.items() if value is not None}
    return Response(orjson.dumps(body), status, headers, mimetype=PROBLEM)


def problem_of(error: FoggError, **more) -> Response:
    status = STATUS[type(error)]
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    if isinstance(error, errors.TooMany):
        headers["Retry-After"] = str(error.seconds)
    words = str(error)
    if isinstance(error, errors.RecordsUnavailable):
        log.error("the records do not answer: %s", words)
        words, headers["Retry-After"] = RECORDS_AWAY, "5"
    said = {
        name: getattr(error, name, None) for name in ("rule", "field", "games", "previous_version")
    }
    if isinstance(error, errors.Ahead | errors.HistoryLost):
        said["version"] = error.version
    if isinstance(error, errors.Stale):
        said |= error.more
    return problem(status, error.code, words, headers, **said | more)


def register(app: Flask) -> None:
    """Install handlers that answer every error with a problem document."""
    app.register_error_handler(FoggError, problem_of)
    app.register_error_handler(ValidationError, _problem_of_input)
    app.register_error_handler(HTTPException, problem_of_http)
    for error in (redis.RedisError, redis.RedisClusterException):
        app.register_error_handler(error, problem_of_redis)
    app.register_error_handler(Exception, _problem_of_bug)


# status -> the detail where Werkzeug has only a generic one
WORDS = {
    404: "there is nothing at this path; the API is under /v1, and /docs lists it",
    405: "this path allows {} only",
    413: "the body may have at most 64 KiB",
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
    """Return the problem of a Redis error: 503 for an outage or a full store, else a bug."""
    said = outage(error)
    if said is None:
        return _problem_of_bug(error)
    # in a pipeline the message begins with the command, which may contain secrets
    words = str(error).rpartition("caused error: ")[2]
    log.error("Redis does not answer: %s: %s", type(error).__name__, words)
    return problem(503, "not-ready", said, {"Retry-After": "1"})


def outage(error: Exception) -> str | None:
    """Return the message for an error that ends once Redis is back; None for any other error."""
    if isinstance(error, redis.OutOfMemoryError):
        return FULL
    if isinstance(error, OUTAGE_ERRORS) and not isinstance(error, BUGS):
        return AWAY
    if isinstance(error, redis.ResponseError) and (match := SAID.search(str(error))):
        return OUTAGES[match[1]]
    return None


def _problem_of_input(error: ValidationError) -> Response:
    fields = [
        {"field": ".".join(path), "reason": reason}
        for path, reason in _leaves(error.normalized_messages(), ())
    ]
    first = fields[0]
    return problem(
        422,
        "malformed",
        f"{first['field']}: {first['reason']}".lstrip(": "),
        field=first["field"] or None,
        errors=fields,
    )


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
    return problem(500, "internal-error", "internal error; the server's log has more")
