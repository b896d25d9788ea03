"""Schemas made from the domain's declarations: types, members of views, members of tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from marshmallow import Schema, fields, validate

from domain.board.shapes import Shape
from domain.secrecy import Member, declared
from service.api.schemas.base import Answered, Truth, Whole, cards, many, one, one_of

Nested = Mapping[str, type[Schema]]  # schemas of object members, by name


def field_of(
    hint: Any, words: str, schema: type[Schema] | None = None, *, required: bool = True,
    least: int | None = 0,
) -> fields.Field:
    """Return the field for a type. ``schema`` describes the object, or the objects of a list."""
    if get_origin(hint) in (UnionType, Union):
        hint = next(part for part in get_args(hint) if part is not NoneType)
    origin, arguments = get_origin(hint) or hint, get_args(hint)
    described: dict[str, Any] = {"required": required, "metadata": {"description": words}}
    for inner in (hint, *arguments[:1]):
        if is_typeddict(inner):
            schema = schema or schema_of_dict(inner)
    if origin in (tuple, list) and schema:
        return many(schema, words, required=required)
    if schema:
        return one(schema, words, required=required)
    if origin is Mapping:
        if arguments[1] is int:
            return cards(words, required=required)
        return fields.Dict(keys=fields.String(), **described)
    if origin is Literal:
        return one_of(arguments, words, required=required)
    if origin in (tuple, list):
        item = {str: fields.String, int: fields.Integer}[arguments[0]]
        return fields.List(item(), **described)
    if origin is bool:
        return Truth(**described)
    if origin is int:
        return Whole(validate=validate.Range(least), **described)
    if origin is str:
        return fields.String(**described)
    raise TypeError(f"no schema for {hint}")


def answer_of(name: str, words: str, members: Mapping[str, fields.Field]) -> type[Answered]:
    """Return a schema of a response; ``name`` is its name in openapi.yaml."""
    return type(f"{name}Schema", (Answered,), {"__doc__": words, **members})


@cache
def schema_of_dict(cls: Any) -> type[Schema]:
    """Return the schema of a TypedDict with annotated members."""
    members = {}
    for name, hint in get_type_hints(cls, include_extras=True).items():
        kind, _, words = declared(hint)
        members[name] = field_of(kind, words or "", required=name in cls.__required_keys__)
    return answer_of(cls.__name__, cls.__doc__ or "", members)


def fields_of(
    members: Iterable[Member], nested: Nested, *, required: bool
) -> dict[str, fields.Field]:
    """Return the fields of members of a view. All are optional unless ``required``."""
    return {
        member.name: field_of(
            member.type, member.words, nested.get(member.name), least=member.least,
            required=required and not member.sometimes)
        for member in members
    }


def fields_of_shapes(shapes: Mapping[str, Shape], least: int = 0) -> dict[str, fields.Field]:
    """Return the fields that rules read from a board's table. All are optional."""
    return {name: _field_of_shape(shape, least) for name, shape in shapes.items()}


def _field_of_shape(shape: Shape, least: int) -> fields.Field:
    return _field_of_json(shape.schema, least, {"metadata": {"description": shape.words}})


def _field_of_json(
    schema: Mapping[str, Any], least: int, described: dict[str, Any]
) -> fields.Field:
    """Return the field of what a JSON Schema describes."""
    match schema["type"]:
        case "integer":
            return Whole(validate=validate.Range(max(least, schema["minimum"])), **described)
        case "boolean":
            return fields.Boolean(**described)
        case "string":
            return fields.String(**described)
        case "array":
            return fields.List(_field_of_json(schema["items"], least, {}), **described)
        case "object":
            inner = _field_of_json(schema["additionalProperties"], least, {})
            return fields.Dict(keys=fields.String(), values=inner, **described)
    raise TypeError(f"no field for {schema}")
