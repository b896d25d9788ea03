"""A blueprint whose decorators describe an operation and read its arguments."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

import flask
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import HTTPException

from service.eventlog.idempotency import idempotency_key
from service.http.answers import JSON, NDJSON, SSE
from service.http.context import AUTHENTICATION
from service.http.counting import count_address
from service.http.descriptions import CONTENT_TAG, IF_NONE_MATCH, RESUME, SIGNED_IN
from service.http.requests import READERS, current
from service.http.schemas.base import EmptyRequestSchema
from service.http.schemas.headers import KeyHeadersSchema

View = Callable[..., Any]


@dataclass(frozen=True)
class Answer:
    """An answer of an operation. ``of`` is its declaration (``domain.described``), or a JSON
    Schema; None for an answer without a body."""

    of: Any
    description: str
    headers: Mapping[str, dict]
    media_type: str


@dataclass
class Operation:
    """The description of an operation, from which openapi.yaml is made. Its summary and its text
    are the function's docstring."""

    view: View
    method: str = ""
    path: str = ""  # as Flask writes it
    id: str = ""
    security: list = field(default_factory=list)
    schemas: dict[str, type[Schema]] = field(default_factory=dict)  # of headers, query, json
    problems: set[int] = field(default_factory=set)  # statuses
    answers: dict[int, Answer] = field(default_factory=dict)  # by status
    streams: dict[str, str] = field(default_factory=dict)  # other media types of 200: their words
    parameters: list[dict] = field(default_factory=list)  # further ones


class Blueprint(flask.Blueprint):
    """A group of operations.

    Its decorators describe a function without wrapping it. ``operation``, the outermost, wraps it
    once, with the code that reads its arguments, so that a request passes only one layer.
    """

    def __init__(self, name: str, import_name: str, *, url_prefix: str = "", description: str = ""):
        super().__init__(name, import_name, url_prefix=url_prefix)
        self.description, self.operations = description, list[Operation]()

    def operation(
        self,
        line: str,
        operation_id: str,
        security: list,
        *problems: int,
        headers: type[Schema] | None = None,
        query: type[Schema] | None = None,
        body: type[Schema] | None = None,
    ):
        """Describe and route an operation. ``line`` is its method and its path below the
        blueprint's path, for example "GET /me". ``problems`` are the statuses of the problems that
        do not follow from its arguments. The function gets what the schemas read from headers,
        query and body, in this order, and the parts of the path."""
        method, _, rule = line.partition(" ")
        schemas = {
            place: schema
            for place, schema in (("headers", headers), ("query", query), ("json", body))
            if schema
        }

        def decorator(func: View) -> View:
            made = operation_of(func)
            made.method, made.path = method, f"{self.url_prefix}{rule}"
            made.id, made.security, made.schemas = operation_id, security, schemas
            made.problems = {*problems, *_usual_problems(made)}
            self.operations.append(made)
            self.add_url_rule(rule, view_func=_reading(func, made), methods=[method])
            return func

        return decorator

    def response(
        self,
        status: int,
        of: Any = None,
        *,
        description: str,
        headers: Mapping[str, dict] | None = None,
        unchanged: str | None = None,
        content_type: str = JSON,
    ):
        """Describe an answer. If requests for it can be conditional, ``unchanged`` describes the
        304, which has the same headers."""

        def decorator(func: View) -> View:
            made = operation_of(func)
            made.answers[status] = Answer(of, description, headers or {}, content_type)
            if unchanged is not None:
                made.answers[304] = Answer(None, unchanged, headers or {}, content_type)
                made.parameters.append(IF_NONE_MATCH)
            return func

        return decorator

    def brief(self, of: Any, description: str):
        """Describe an answer of ``brief_answer``."""
        return self.response(
            200,
            of,
            description=description,
            headers=CONTENT_TAG,
            unchanged="Your copy is still current.",
        )

    def streams(self, as_lines: str, as_events: str = ""):
        """Describe the streamed forms of an answer, in addition to JSON."""

        def decorator(func: View) -> View:
            made = operation_of(func)
            made.streams = {NDJSON: as_lines}
            if as_events:
                made.streams[SSE] = as_events
                made.parameters.append(RESUME)
            return func

        return decorator

    def command(
        self, rule: str, operation_id: str, name: str, body: type[Schema] = EmptyRequestSchema
    ):
        """Describe and route a POST that is idempotent by its Idempotency-Key.

        The function gets the account, the key if one was sent, and the body as the schema reads it.
        ``name`` separates this operation's keys from those of others. It must never change.
        """

        def decorator(func: View) -> View:
            @wraps(func)
            def run(headers: dict, data: dict, **path: Any) -> Any:
                caller = AUTHENTICATION.player()
                once = idempotency_key(caller.id, headers.get("idempotency_key"), name, data)
                return func(caller, once, data, **path)

            return self.operation(
                f"POST {rule}",
                operation_id,
                SIGNED_IN,
                404,
                409,
                503,
                headers=KeyHeadersSchema,
                body=body,
            )(run)

        return decorator


def operation_of(func: Any) -> Operation:
    """Return the description of a function, which its decorators share."""
    if not hasattr(func, "operation"):
        func.operation = Operation(func)
    described: Operation = func.operation
    return described


def _usual_problems(operation: Operation) -> set[int]:
    """Return the statuses of the problems that follow from an operation's arguments: its token,
    body, or query."""
    statuses = {422, 429}
    if operation.security:
        statuses |= {401, 403}
    if "json" in operation.schemas:
        statuses |= {400, 413, 415}
    if "query" in operation.schemas:
        statuses.add(414)
    return statuses


def _reading(func: View, operation: Operation) -> View:
    reads = [READERS[place](schema()) for place, schema in operation.schemas.items()]
    has_query, security = "query" in operation.schemas, operation.security

    @wraps(func)
    def view(**path: Any) -> Any:
        asked = current()
        if "HTTP_AUTHORIZATION" not in asked.environ and asked.blueprint != "operation":
            count_address()
        try:
            if not has_query and asked.query_string:
                raise ValidationError({name: ["Unknown field."] for name in asked.args or ["?"]})
            read = [read(asked) for read in reads]
        except (ValidationError, HTTPException):
            if security:  # a missing or wrong token is reported first
                AUTHENTICATION.check(is_needed={} not in security)
            raise
        return func(*read, **path)

    return view
