"""Reading a request's body, query and headers by their schemas."""

import json
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

import orjson
from flask import Flask, Request, request
from flask.json.provider import JSONProvider
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import BadRequest as BadBody
from werkzeug.exceptions import (
    RequestEntityTooLarge,
    RequestTimeout,
    RequestURITooLarge,
    UnsupportedMediaType,
)
from werkzeug.http import parse_list_header, unquote_header_value

from service.http.answers import JSON
from service.http.context import context
from service.http.plain import UNDECIDED, reader_of, reader_of_field
from service.starting import MAX_BODY_BYTES, MAX_QUERY_BYTES

MINIMAL = "return=minimal"  # in the Prefer header (RFC 7240)
QUERIES = 256  # cached query strings of each operation
# status of a body that the server did not read -> its error
UNREAD = {400: BadBody, 408: RequestTimeout, 413: RequestEntityTooLarge}


def register(app: Flask) -> None:
    """Install this module's reading in an application."""
    app.json = Provider(app)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES
    app.before_request(_begin)


def current() -> Request:
    """Return the request that is answered. Werkzeug's proxy looks it up at each use."""
    asked: Request = request._get_current_object()  # type: ignore[attr-defined]
    return asked


def _begin() -> None:
    """Note the request's URL rule. Refuse the request if the server has not read its whole body."""
    asked = current()
    if asked.url_rule:
        context().rule = asked.url_rule.rule
    if refusal := getattr(asked.environ["wsgi.input"], "refusal", None):
        raise UNREAD[refusal.status](str(refusal))


class Provider(JSONProvider):
    """orjson for Flask: rejects invalid JSON, and deep nesting does not make it fail."""

    def dumps(self, obj, **_kwargs) -> str:
        return orjson.dumps(obj).decode()

    def loads(self, s, **_kwargs):
        return json_in(s)


def json_in(text: bytes | str):
    try:
        value = orjson.loads(text)
        if _may_have_twins(value, text):
            json.loads(text, object_pairs_hook=_refuse_twins, parse_int=str, parse_float=str)
    except (orjson.JSONDecodeError, RecursionError) as error:
        raise BadBody(f"the body is not JSON: {error}") from error
    return value


def _may_have_twins(value: object, text: bytes | str) -> bool:
    """Return whether an object in a JSON text may repeat a member: if the text has more colons than
    members were read. Colons in strings cause false alarms only."""
    colons, values = text.count(b":") if isinstance(text, bytes) else text.count(":"), [value]
    for value in values:
        if type(value) is dict:
            colons -= len(value)
            values += value.values()
        elif type(value) is list:
            values += value
    return colons > 0


def _refuse_twins(members: list[tuple[str, object]]) -> None:
    """Reject an object with a repeated member, since its meaning is ambiguous."""
    names = Counter(name for name, _ in members)
    if len(names) < len(members):
        raise ValidationError(
            {name: ["Given more than once."] for name, count in names.items() if count > 1}
        )


def _json(schema: Schema):
    read_plain = reader_of(schema)

    def read(request: Request):
        if request.environ.get("CONTENT_TYPE") != JSON and request.mimetype != JSON:
            raise UnsupportedMediaType(f"send Content-Type: {JSON}")
        # our server has read it; from others Flask reads it, up to MAX_CONTENT_LENGTH
        body = getattr(request.environ["wsgi.input"], "whole", None)
        value = json_in(request.get_data(cache=False) if body is None else body)
        result = read_plain(value)
        return schema.load(value) if result is UNDECIDED else result

    return read


def _query(schema: Schema):
    @lru_cache(QUERIES)
    def read_query(query: bytes) -> dict:
        if len(query) > MAX_QUERY_BYTES:
            raise RequestURITooLarge(f"the query of the address may have {MAX_QUERY_BYTES} bytes")
        given = request.args.to_dict(flat=False)
        if twice := [name for name, values in given.items() if len(values) > 1]:
            raise ValidationError({name: ["Given more than once."] for name in twice})
        return schema.load({name: values[0] for name, values in given.items()})

    return lambda request: dict(read_query(request.query_string))


def _headers(schema: Schema):
    """Read the fields one after the other: no field is required, and none depends on another."""
    known = [
        (
            field.data_key,
            f"HTTP_{str(field.data_key).upper().replace('-', '_')}",
            name,
            field,
            reader_of_field(field),
        )
        for name, field in schema.fields.items()
    ]

    def read(request: Request):
        environ, values, errors = request.environ, {}, {}
        for header, key, name, field, read_plain in known:
            value = environ.get(key)
            if value is not None:
                values[name] = read_plain(value)
                if values[name] is UNDECIDED:
                    try:
                        values[name] = field.deserialize(value)
                    except ValidationError as error:
                        errors[header] = error.messages
        if errors:
            raise ValidationError(errors)
        return values

    return read


READERS = {"json": _json, "query": _query, "headers": _headers}


def is_minimal(headers: Mapping) -> bool:
    """Return whether the caller prefers an answer without a view (``return=minimal``). The first
    ``return`` preference counts."""
    for each in parse_list_header(headers["prefer"]) if "prefer" in headers else ():
        name, _, value = each.partition(";")[0].partition("=")
        if name.strip().lower() == "return":
            return unquote_header_value(value.strip()).lower() == "minimal"
    return False


def applied(headers: Mapping) -> dict[str, str]:
    """Return the Preference-Applied header, if the preference was honoured."""
    return {"Preference-Applied": MINIMAL} if is_minimal(headers) else {}
