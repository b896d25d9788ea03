"""Reading the parts of a request by their schemas."""

from __future__ import annotations

import json
from collections import Counter

import orjson
from flask import Flask, request
from flask.json.provider import JSONProvider
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import BadRequest as BadBody
from werkzeug.exceptions import (
    RequestEntityTooLarge,
    RequestTimeout,
    RequestURITooLarge,
    UnsupportedMediaType,
)

from service.api.answers import JSON
from service.operation.settings import LARGEST_BODY, LONGEST_QUERY

AFTER, FORMERLY = "after", "cursor"  # where a page begins; lists have called it otherwise
# why the server has not read a body -> the error that says so
UNREAD = {400: BadBody, 408: RequestTimeout, 413: RequestEntityTooLarge}


def register(app: Flask) -> None:
    """Let an application read its requests as below."""
    app.json = Provider(app)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    app.before_request(_refuse_unread)


def _refuse_unread() -> None:
    """Refuse a request of which the server has not read the whole body, whatever it asks for."""
    if refusal := getattr(request.environ["wsgi.input"], "refusal", None):
        raise UNREAD[refusal.status](str(refusal))


class Provider(JSONProvider):
    """orjson for Flask: refuses what is not JSON, is not upset by depth."""

    def dumps(self, obj, **_kwargs) -> str:
        """Return a value as JSON."""
        return orjson.dumps(obj).decode()

    def loads(self, s, **_kwargs):
        """Return the value that a JSON text stands for."""
        try:
            found = orjson.loads(s)
            json.loads(s, object_pairs_hook=_refuse_twins, parse_int=str, parse_float=str)
        except (orjson.JSONDecodeError, RecursionError) as error:
            raise BadBody(f"the body is not JSON: {error}") from error
        return found


def _refuse_twins(members: list[tuple[str, object]]) -> None:
    """Refuse an object that has a member twice: which of them counts, nobody could say."""
    names = Counter(name for name, _ in members)
    if len(names) < len(members):
        raise ValidationError({name: ["Given more than once."]
                               for name, count in names.items() if count > 1})


def _json(schema: Schema):
    def read():
        if request.mimetype != JSON:
            raise UnsupportedMediaType(f"send Content-Type: {JSON}")
        return schema.load(request.get_json())

    return read


def _query(schema: Schema):
    def read():
        if len(request.query_string) > LONGEST_QUERY:
            raise RequestURITooLarge(f"the query of the address may have {LONGEST_QUERY} bytes")
        given = request.args.to_dict(flat=False)
        if twice := [name for name, values in given.items() if len(values) > 1]:
            raise ValidationError({name: ["Given more than once."] for name in twice})
        if FORMERLY in given and AFTER not in given and FORMERLY in schema.fields:
            given[AFTER] = given.pop(FORMERLY)
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
