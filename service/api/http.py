"""What the blueprints share: reading a request, writing an answer, describing both."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

import gevent
import orjson
from flask import Response, current_app, g, request
from flask.json.provider import JSONProvider
from flask_smorest import Blueprint as SmorestBlueprint
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import BadRequest as BadJson
from werkzeug.exceptions import UnsupportedMediaType

from service.accounts import accounts as players
from service.accounts.accounts import Caller
from service.api.schemas.base import ProblemSchema
from service.api.schemas.views import StaleProblemSchema
from service.errors import NotSignedIn, TooMany
from service.games.games import Games
from service.operation import metrics

JSON = "application/json"
PROBLEM = "application/problem+json"
SVG = "image/svg+xml"
SSE = "text/event-stream"
NDJSON = "application/x-ndjson"
KNOWN = 10_000  # callers that a process keeps in mind
LARGEST_BODY = 64 * 1024  # bytes
ACTIONS = "playing.play_action"  # the endpoint that has a limit of its own

SIGNED_IN = [{"token": []}]
ANYBODY = [{"token": []}, {}]


def header(description: str, example: str) -> dict:
    """Return the description of a header that an answer always has."""
    return {"description": description, "required": True, "example": example,
            "schema": {"type": "string"}}


VERSION_TAG = {"ETag": header("The game's version, quoted; send it as `If-Match`.", '"42"')}
CONTENT_TAG = {"ETag": header("Names this very content; send it as `If-None-Match`.",
                              '"5f1c0a"')}
IF_NONE_MATCH = {
    "in": "header", "name": "If-None-Match", "schema": {"type": "string"},
    "description": "The `ETag` of what you have: should it still be right, the answer is an empty "
                   "304.",
}
RESUME = {
    "in": "header", "name": "Last-Event-ID", "schema": {"type": "string"},
    "description": "For streams: the last `id` received; it counts before `after`. Browsers send "
                   "it by themselves.",
}


def location(description: str, example: str) -> dict:
    """Return the description of the Location header."""
    return {"Location": header(description, example)}


# status: name, schema, headers, description
PROBLEMS = {
    400: ("NotJson", ProblemSchema, {}, "The body is not JSON."),
    401: ("NotSignedIn", ProblemSchema,
          {"WWW-Authenticate": header("`Bearer`, as tokens are sent.", "Bearer")},
          "A token is needed, or the one sent is unknown or was revoked."),
    403: ("NotYours", ProblemSchema, {}, "The caller may not do this."),
    404: ("NotFound", ProblemSchema, {}, "There is no such thing."),
    409: ("Refused", ProblemSchema, {},
          "A rule refuses it: `code` and `rule` say which, `detail` why. Nothing has changed."),
    412: ("Stale", StaleProblemSchema, {},
          "The game is no longer at the version in `If-Match`. Nothing has changed; the problem "
          "carries what is needed to decide anew."),
    429: ("TooMany", ProblemSchema,
          {"Retry-After": header("Seconds to wait before asking again.", "17")},
          "Too many requests; `RateLimit-Policy` tells how many are allowed."),
    413: ("TooLarge", ProblemSchema, {}, "The body is larger than 64 KiB."),
    415: ("NotJsonType", ProblemSchema, {}, "The body must be `application/json`."),
    422: ("Malformed", ProblemSchema, {},
          "The request does not fit its description: `errors` says where. Nothing has changed."),
    503: ("NotReady", ProblemSchema,
          {"Retry-After": header("Seconds to wait before trying again.", "1")},
          "The store does not answer. What was asked may or may not have been done."),
}


class Provider(JSONProvider):
    """orjson for Flask: refuses what is not JSON, is not upset by depth."""

    def dumps(self, obj, **_kwargs) -> str:
        """Return a value as JSON."""
        return orjson.dumps(obj).decode()

    def loads(self, s, **_kwargs):
        """Return the value that a JSON text stands for."""
        try:
            return orjson.loads(s)
        except orjson.JSONDecodeError as error:
            raise BadJson(f"the body is not JSON: {error}") from error


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
        """Describe the problems that an operation may answer with."""

        everywhere = {429} | ({403} if 401 in statuses else set())

        def decorator(func):
            for status in sorted({*statuses} | everywhere):
                self.alt_response(status, PROBLEMS[status][0])(func)
            return func

        return decorator

    def streams(self, as_events: str, as_lines: str):
        """Describe the forms, beside JSON, of an answer that goes on."""
        content = {form: {"schema": {"type": "string", "description": words}}
                   for form, words in ((SSE, as_events), (NDJSON, as_lines))}
        return self.doc(**{"x-stream": {"content": content, "parameter": RESUME}})

    def add_url_rule(self, rule, endpoint=None, view_func=None, **options):
        """Let a function answer requests."""
        super().add_url_rule(rule, endpoint, _reading(view_func), **options)


def _describing(decorator):
    """Return the decorator less the wrapper that it makes: only the description is kept."""

    def describe(func):
        func._apidoc = decorator(func)._apidoc
        return func

    return describe


def _reading(func):
    reads, has_query = getattr(func, "reads", ()), getattr(func, "has_query", False)

    @wraps(func)
    def view(**path):
        if "Authorization" not in request.headers and request.blueprint != "operation":
            take("address", address())
        if not has_query and request.query_string:
            raise ValidationError({name: ["Unknown field."] for name in request.args or ["?"]})
        return func(*[read() for read in reads], **path)

    return view


def _json(schema: Schema):
    def read():
        if request.mimetype != JSON:
            raise UnsupportedMediaType(f"send Content-Type: {JSON}")
        return schema.load(request.get_json())

    return read


def _query(schema: Schema):
    def read():
        given = request.args.to_dict(flat=False)
        if twice := [name for name, values in given.items() if len(values) > 1]:
            raise ValidationError({name: ["Given more than once."] for name in twice})
        return schema.load({name: values[0] for name, values in given.items()})

    return read


def _headers(schema: Schema):
    """Reads the fields one by one: none of them is required or looks at another, and a request
    that is played passes here."""
    known = [(field.data_key, name, field) for name, field in schema.fields.items()]

    def read():
        found, errors = {}, {}
        for header, name, field in known:
            value = request.headers.get(header)
            if value is not None:
                try:
                    found[name] = field.deserialize(value)
                except ValidationError as error:
                    errors[header] = error.messages
        if errors:
            raise ValidationError(errors)
        return found

    return read


READERS = {"json": _json, "query": _query, "headers": _headers}


def answer(data, status: int = 200, headers: dict | None = None) -> Response:
    """Return data as JSON."""
    return Response(orjson.dumps(data), status, headers, mimetype=JSON)


def aside(work: Callable, *args):
    """Return what some work that may take a second comes to; it is done in a thread of its own, so
    that other requests are answered meanwhile."""
    return gevent.get_hub().threadpool.apply(work, args)


def answer_nothing() -> Response:
    """Return an answer without a body."""
    response = answer(None, 204)
    response.set_data(b"")
    del response.headers["Content-Type"]
    return response


def games() -> Games:
    """Return the application functions of this app."""
    return current_app.extensions["fogg"]


def account(scope: str = players.READ) -> dict:
    """Return the caller's account; raise NotSignedIn if there is none, MissingScope if the token
    is not good for this."""
    found = caller_if_any()
    if found is None:
        raise NotSignedIn("send the header Authorization: Bearer fogg_...")
    found.may(scope)
    return found.account


def account_if_any() -> dict | None:
    """Return the caller's account, None if no token was sent; a wrong one is refused."""
    found = caller_if_any()
    if found:
        found.may(players.READ)
    return found.account if found else None


def known_caller(scope: str) -> Caller:
    """Return the caller as this process has last known them, for those who then find out whether
    the token was revoked: it is all about a caller that can change."""
    known = current_app.extensions["callers"]
    sent = players.token_key(request.headers.get("Authorization", ""))
    found = known.get(sent)
    if found is None:
        account(scope)
        found = g.caller
        if len(known) >= KNOWN:
            known.clear()
        known[sent] = found
    else:
        found.may(scope)
        g.account_id = found.account["id"]
        _count(found)
    return found


def caller_if_any() -> Caller | None:
    """Return the caller, None if no token was sent; a wrong one is refused."""
    if "caller" not in g:
        g.caller = _caller()
    return g.caller


def _caller() -> Caller | None:
    sent = request.headers.get("Authorization")
    if sent is None:
        return None
    scheme, _, token = sent.partition(" ")
    try:
        if scheme.lower() != "bearer" or not token.startswith(players.PREFIX):
            raise NotSignedIn("the header should be Authorization: Bearer fogg_...")
        found = players.authenticate(games().store.redis, token)
    except NotSignedIn:
        take("address", address())
        raise
    g.account_id = found.account["id"]  # for the log
    _count(found)
    return found


def _count(caller: Caller) -> None:
    """Count a request of a caller, by who answers for it; built-in bots are ours."""
    account = caller.account
    if who := account.get("owner") or ("bot" not in account and account["id"]):
        take("actions" if request.endpoint == ACTIONS else "requests", who)


def address() -> str:
    """Return where the request comes from."""
    return request.remote_addr or "nowhere"


def take(kind: str, who: str) -> None:
    """Count the request; the answer will tell what is left."""
    try:
        g.standing = current_app.extensions["limits"].take(kind, who)
    except TooMany:
        metrics.rate_limited(kind)
        raise


def tell_limits(response: Response) -> Response:
    """Let an answer tell how many requests are left."""
    if standing := g.get("standing"):
        response.headers["RateLimit-Policy"] = (
            f'"{standing.kind}";q={standing.limit};w={standing.window}')
        response.headers["RateLimit"] = (
            f'"{standing.kind}";r={standing.remaining};t={standing.reset}')
    return response
