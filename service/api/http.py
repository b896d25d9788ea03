"""What the blueprints share: reading a request, writing an answer, describing both."""

from __future__ import annotations

import orjson
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Flask, Response, current_app, request
from flask.json.provider import JSONProvider
from flask_smorest import Blueprint as SmorestBlueprint
from webargs.core import missing
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import BadRequest as BadJson
from werkzeug.exceptions import UnsupportedMediaType

from service import players
from service.api.schemas.base import ProblemSchema, Union
from service.errors import NotSignedIn
from service.games import Games

PROBLEM = "application/problem+json"
DESCRIPTIONS = {
    400: "The body is not JSON.",
    401: "A token is needed, or the one sent is unknown or revoked.",
    403: "The caller may not do this.",
    404: "There is no such thing.",
    409: "A rule refuses it; `code` and `rule` say which. Nothing has changed.",
    412: "The game is no longer at the version in `If-Match`. Nothing has changed; the problem "
         "carries the current `version`, the `entries` missed and the `view`.",
    413: "The body is larger than 64 KiB.",
    415: "The body must be `application/json`.",
    422: "The request does not fit its schema; `errors` says where. Nothing has changed.",
    503: "Redis does not answer.",
}


class Parser(FlaskParser):
    """webargs with orjson, which refuses what is not JSON and is not upset by depth."""

    def _raw_load_json(self, req):
        return _load(req.get_data()) if req.get_data() else missing

    def handle_invalid_json_error(self, error, req, *args, **kwargs):
        raise BadJson("the body is not JSON") from error


class Provider(JSONProvider):
    """orjson for Flask itself."""

    def dumps(self, obj, **_kwargs) -> str:
        return orjson.dumps(obj).decode()

    def loads(self, s, **_kwargs):
        return _load(s)


class Blueprint(SmorestBlueprint):
    """A group of operations."""

    ARGUMENTS_PARSER = Parser()

    def problems(self, *statuses: int):
        """Describe the problems that an operation may answer with."""

        def decorator(func):
            for status in statuses:
                func = self.alt_response(status, schema=ProblemSchema, content_type=PROBLEM,
                                         description=DESCRIPTIONS[status])(func)
            return func

        return decorator


class Converter(OpenAPIConverter):
    """Describes a union as ``oneOf`` with a discriminator, so that clients get types."""

    def schema2jsonschema(self, schema):
        if not isinstance(schema, Union):
            described = super().schema2jsonschema(schema)
            if getattr(schema, "closed", True):
                described["additionalProperties"] = False
            return described
        refs = {kind: self.resolve_nested_schema(member) for kind, member in schema.members.items()}
        return {
            "oneOf": list(refs.values()),
            "discriminator": {
                "propertyName": "type",
                "mapping": {kind: ref["$ref"] for kind, ref in refs.items()},
            },
        }


class Plugin(MarshmallowPlugin):
    Converter = Converter


def answer(data, status: int = 200, headers: dict | None = None) -> Response:
    """Return data as JSON."""
    return Response(orjson.dumps(data), status, headers, mimetype="application/json")


def games() -> Games:
    """Return the application functions of this app."""
    return current_app.extensions["fogg"]


def account() -> dict:
    """Return the caller's account; raise NotSignedIn if there is none."""
    found = account_if_any()
    if found is None:
        raise NotSignedIn("send the header Authorization: Bearer fogg_...")
    return found


def account_if_any() -> dict | None:
    """Return the caller's account, None if no token was sent; a wrong one is refused."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.startswith(players.PREFIX):
        raise NotSignedIn("the header should be Authorization: Bearer fogg_...")
    return players.authenticate(games().store.redis, token)


def _load(raw):
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise BadJson("the body is not JSON") from error


def limit_requests(app: Flask) -> None:
    """Refuse bodies that are too large or of another type before they are read."""
    app.config["MAX_CONTENT_LENGTH"] = 64 * 1024

    @app.before_request
    def check_type() -> None:
        if request.method == "POST" and not request.is_json:
            raise UnsupportedMediaType("send Content-Type: application/json")

