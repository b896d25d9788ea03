"""Reading the parts of a request by their schemas."""

from __future__ import annotations

import orjson
from flask import request
from flask.json.provider import JSONProvider
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import BadRequest as BadJson
from werkzeug.exceptions import UnsupportedMediaType

from service.api.answers import JSON

LARGEST_BODY = 64 * 1024  # bytes


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
