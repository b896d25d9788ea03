"""A blueprint whose decorators describe an operation and read its arguments."""

from __future__ import annotations

from functools import wraps

from flask import request
from flask_smorest import Blueprint as SmorestBlueprint
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import HTTPException

from service.api.answers import NDJSON, SSE
from service.api.authentication import AUTHENTICATION
from service.api.descriptions import CONTENT_TAG, IF_NONE_MATCH, RESUME, SIGNED_IN
from service.api.limits import count_address
from service.api.problems import PROBLEMS
from service.api.requests import READERS
from service.api.schemas.base import EmptyRequestSchema
from service.api.schemas.headers import KeyHeadersSchema
from service.store.idempotency import idempotency_key


class Blueprint(SmorestBlueprint):
    """A group of operations.

    Its decorators describe a function without wrapping it. ``route`` wraps it once, with the code
    that reads its arguments, so that a request passes only one layer.
    """

    def arguments(self, schema: type[Schema], *, location: str = "json"):
        """Read a part of the request by a schema, and pass the result to the function."""
        described = _describing(super().arguments(schema, location=location))
        read = READERS[location](schema())

        def decorator(func):
            described(func)._apidoc["arguments"].pop("responses")
            func.reads = (read, *getattr(func, "reads", ()))
            func.has_query = getattr(func, "has_query", False) or location == "query"
            return func

        return decorator

    def doc(self, **kwargs):
        """Add to the description."""
        return _describing(super().doc(**kwargs))

    def operation(
        self, line: str, operation_id: str, security: list, *problems: int,
        headers: type[Schema] | None = None, query: type[Schema] | None = None,
        body: type[Schema] | None = None,
    ):
        """Describe and route an operation. ``line`` is its method and its path below the
        blueprint's path, for example "GET /me". ``problems`` are statuses, as in that method. The
        function gets what the schemas read from headers, query and body, in this order, and the
        parts of the path."""
        method, _, rule = line.partition(" ")
        read = {"json": body, "query": query, "headers": headers}

        def decorator(func):
            for describe in (
                self.doc(operationId=operation_id, security=security), self.problems(*problems),
                *(self.arguments(schema, location=place) for place, schema in read.items()
                  if schema), self.route(rule, methods=[method]),
            ):
                func = describe(func)
            return func

        return decorator

    def response(self, status: int, schema=None, *, unchanged: str | None = None, **kwargs):
        """Describe the answer. If requests for it can be conditional, ``unchanged`` describes the
        304, which has the same headers."""
        describe = _describing(super().response(status, schema, **kwargs))
        if unchanged is None:
            return describe
        headers = kwargs["headers"]

        def decorator(func):
            self.alt_response(304, description=unchanged, headers=headers)(func)
            return describe(self.doc(**{"x-header": IF_NONE_MATCH})(func))

        return decorator

    def brief(self, schema, description: str, **kwargs):
        """Describe an answer of ``brief_answer``."""
        return self.response(200, schema, description=description, headers=CONTENT_TAG,
                             unchanged="Your copy is still current.", **kwargs)

    def alt_response(self, status: int, response=None, **kwargs):
        """Describe a further answer."""
        return _describing(super().alt_response(status, response, **kwargs))

    def problems(self, *statuses: int):
        """Describe the problems of an operation that do not follow from its arguments
        (``_usual_problems``)."""

        def decorator(func):
            answers = func._apidoc.setdefault("response", {}).setdefault("responses", {})
            for status in statuses:
                answers.setdefault(status, []).append(PROBLEMS[status].name)
            return func

        return decorator

    def command(
        self, rule: str, operation_id: str, name: str, body: type[Schema] = EmptyRequestSchema
    ):
        """Describe and route a POST that is idempotent by its Idempotency-Key.

        The function gets the account, the key if one was sent, and the body as the schema reads it.
        ``name`` separates this operation's keys from those of others. It must never change.
        """

        def decorator(func):
            @wraps(func)
            def run(headers: dict, data: dict, **path):
                caller = AUTHENTICATION.player()
                once = idempotency_key(caller.id, headers.get("idempotency_key"), name, data)
                return func(caller, once, data, **path)

            return self.operation(f"POST {rule}", operation_id, SIGNED_IN, 404, 409, 503,
                                  headers=KeyHeadersSchema, body=body)(run)

        return decorator

    def streams(self, as_events: str, as_lines: str):
        """Describe the streamed forms of an answer, in addition to JSON."""
        content = {form: {"schema": {"type": "string", "description": words}}
                   for form, words in ((SSE, as_events), (NDJSON, as_lines))}
        return self.doc(**{"x-stream": {"content": content, "parameter": RESUME}})

    def lines(self, words: str):
        """Describe the form of an answer as lines of JSON, in addition to JSON."""
        content = {NDJSON: {"schema": {"type": "string", "description": words}}}
        return self.doc(**{"x-stream": {"content": content}})

    def add_url_rule(self, rule, endpoint=None, view_func=None, **options):
        """Route requests to a function."""
        self.problems(*_usual_problems(view_func._apidoc))(view_func)
        super().add_url_rule(rule, endpoint, _reading(view_func), **options)


def _usual_problems(described: dict) -> set[int]:
    """Return the statuses of the problems that follow from an operation's arguments: its token,
    body, or query."""
    statuses = {422, 429}
    if described["manual_doc"]["security"]:
        statuses |= {401, 403}
    places = {part["in"] for part in described.get("arguments", {}).get("parameters", ())}
    if "json" in places:
        statuses |= {400, 413, 415}
    if "query" in places:
        statuses.add(414)
    return statuses


def _describing(decorator):
    """Return a decorator that only describes the operation, without its wrapper function."""

    def describe(func):
        func._apidoc = decorator(func)._apidoc
        return func

    return describe


def _reading(func):
    reads, has_query = getattr(func, "reads", ()), getattr(func, "has_query", False)
    security = func._apidoc["manual_doc"]["security"]

    @wraps(func)
    def view(**path):
        asked = request._get_current_object()  # type: ignore[attr-defined]
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
