"""A group of operations: what describes a function also reads its arguments."""

from __future__ import annotations

from datetime import date
from functools import wraps

from flask import request
from flask_smorest import Blueprint as SmorestBlueprint
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import HTTPException

from service.accounts.tokens import PLAY
from service.api import deprecation
from service.api.answers import NDJSON, SSE
from service.api.callers import account, authenticated
from service.api.deprecation import Deprecation
from service.api.descriptions import IF_NONE_MATCH, RESUME, SIGNED_IN
from service.api.limits import count_address
from service.api.problems import PROBLEMS
from service.api.requests import READERS
from service.api.schemas.base import EmptyRequestSchema
from service.api.schemas.headers import KeyHeadersSchema
from service.store.once import once_of


class Blueprint(SmorestBlueprint):
    """A group of operations.

    Its decorators describe a function and leave it as it is. ``route`` wraps it once, in what
    reads the arguments, so that a request passes one layer.
    """

    def arguments(self, schema: type[Schema], *, location: str = "json"):
        """Give the function what a schema reads in a part of the request."""
        described = _describing(super().arguments(schema, location=location))
        read = READERS[location](schema())

        def decorator(func):
            described(func)._apidoc["arguments"].pop("responses")
            func.reads = (read, *getattr(func, "reads", ()))
            func.has_query = getattr(func, "has_query", False) or location == "query"
            return func

        return decorator

    def doc(self, **kwargs):
        """Add to the description as it stands."""
        return _describing(super().doc(**kwargs))

    def response(self, status: int, schema=None, **kwargs):
        """Describe the answer."""
        return _describing(super().response(status, schema, **kwargs))

    def alt_response(self, status: int, response=None, **kwargs):
        """Describe another answer."""
        return _describing(super().alt_response(status, response, **kwargs))

    def problems(self, *statuses: int):
        """Describe the problems that an operation may answer with, beside those that follow from
        what it takes (``_usual_problems``)."""

        def decorator(func):
            for status in statuses:
                self.alt_response(status, PROBLEMS[status].name)(func)
            return func

        return decorator

    def deprecated(self, since: str, sunset: str | None = None, *, parameter: str | None = None):
        """Describe an operation, or a parameter of its query, as deprecated, with the days since
        when and, if that is settled, until when it is there; answers to who uses it say so."""
        days = date.fromisoformat(since), date.fromisoformat(sunset) if sunset else None
        noted = Deprecation(*days, parameter)
        return lambda func: self.doc(**deprecation.note(func, noted))(func)

    def command(
        self, rule: str, operation_id: str, name: str, body: type[Schema] = EmptyRequestSchema
    ):
        """Let a function do what a player asks for in a POST, once for an idempotency key.

        It is given the account, the key if one was sent, and what the schema reads in the body.
        ``name`` tells an operation's keys from those of others, for ever.
        """

        def decorator(func):
            @wraps(func)
            def run(headers: dict, wish: dict, **path):
                caller = account(PLAY)
                once = once_of(caller.id, headers.get("idempotency_key"), name, wish)
                return func(caller, once, wish, **path)

            for describe in (
                self.arguments(body), self.arguments(KeyHeadersSchema, location="headers"),
                self.problems(404, 409, 503),
                self.doc(operationId=operation_id, security=SIGNED_IN),
                self.route(rule, methods=["POST"]),
            ):
                run = describe(run)
            return run

        return decorator

    def streams(self, as_events: str, as_lines: str):
        """Describe the forms, beside JSON, of an answer that goes on."""
        content = {form: {"schema": {"type": "string", "description": words}}
                   for form, words in ((SSE, as_events), (NDJSON, as_lines))}
        return self.doc(**{"x-stream": {"content": content, "parameter": RESUME}})

    def lines(self, words: str):
        """Describe the form, beside JSON, of an answer that is all there is, line by line."""
        content = {NDJSON: {"schema": {"type": "string", "description": words}}}
        return self.doc(**{"x-stream": {"content": content}})

    def not_again(self, words: str, headers: dict[str, dict]):
        """Describe that an answer which the caller has is not sent again."""

        def decorator(func):
            self.alt_response(304, description=words, headers=headers)(func)
            return self.doc(**{"x-header": IF_NONE_MATCH})(func)

        return decorator

    def add_url_rule(self, rule, endpoint=None, view_func=None, **options):
        """Let a function answer requests."""
        self.problems(*_usual_problems(view_func._apidoc))(view_func)
        super().add_url_rule(rule, endpoint, _reading(view_func), **options)


def _usual_problems(described: dict) -> set[int]:
    """Return the statuses of the problems that follow from what an operation takes: a token, a
    body, a query, or anything at all."""
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
    """Return the decorator less the wrapper that it makes: only the description is kept."""

    def describe(func):
        func._apidoc = decorator(func)._apidoc
        return func

    return describe


def _reading(func):
    reads, has_query = getattr(func, "reads", ()), getattr(func, "has_query", False)
    security = func._apidoc["manual_doc"]["security"]
    deprecations = getattr(func, "deprecations", ())

    @wraps(func)
    def view(**path):
        asked = request._get_current_object()  # type: ignore[attr-defined]
        for noted in deprecations:
            noted.tell()
        if "HTTP_AUTHORIZATION" not in asked.environ and asked.blueprint != "operation":
            count_address()
        try:
            if not has_query and asked.query_string:
                raise ValidationError({name: ["Unknown field."] for name in asked.args or ["?"]})
            read = [read(asked) for read in reads]
        except (ValidationError, HTTPException):
            if security:  # who may not ask is told that first
                authenticated(is_needed={} not in security)
            raise
        return func(*read, **path)

    return view
