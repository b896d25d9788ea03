"""The schemas of openapi.yaml: those of requests from marshmallow's, those of answers from their
declarations (``domain.described``), with what the rules add to them (``openapi_rules``)."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from marshmallow import Schema
from marshmallow.fields import Field

from domain.codec import Json
from domain.described import AllOf, OneOf, Page
from domain.secrecy import declared
from service.games.schemas.playing import ActionSchema
from service.http.schemas import base
from tools.generators.openapi_rules import MORE, NAMES, UNIONS, Members, redacted

DISCRIMINATOR = "type"  # the member that tells the kinds of a union apart
REF = "#/components/schemas/"
PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", dict: "object"}
CARDS = {"type": "integer", "minimum": 1, "maximum": 99}  # of a colour


class Schemas:
    def __init__(self, version: str) -> None:
        plugin = Plugin(schema_name_resolver=tidy_name)
        self._spec = APISpec("", "", version, plugins=[plugin])
        self._converter = plugin.converter
        self._made: dict[str, Json] = {}
        self._of: dict[str, Any] = {}  # what each of them is made of

    @property
    def components(self) -> dict[str, Json]:
        return self._made | self._spec.to_dict()["components"]["schemas"]

    def parameters(self, schema: type[Schema], place: str) -> list[Json]:
        """Return the parameters that a schema of a query or of headers describes."""
        return self._converter.schema2parameters(schema, location=place)

    def of(self, declared: Any) -> Json:
        """Return the schema of a request or of an answer: a reference, or the schema itself where
        it is a JSON Schema already."""
        if isinstance(declared, dict):
            return declared
        if isinstance(declared, type) and issubclass(declared, Schema):
            return self._converter.resolve_nested_schema(declared)
        is_named = isinstance(declared, Page | OneOf | AllOf)
        name = declared.name if is_named else NAMES.get(declared) or tidy_name(declared)
        return self._named(name, declared)

    def _named(self, name: str, declared: Any) -> Json:
        if name not in self._of:
            self._of[name] = declared
            self._made[name] = self._schema(name, declared)
        if self._of[name] is not declared:
            raise TypeError(f"two declarations are called {name}")
        return {"$ref": f"{REF}{name}"}

    def _schema(self, name: str, declared: Any) -> Json:
        match declared:
            case Page():
                return self._page(declared)
            case OneOf(_, words, of):
                return {"description": words, "oneOf": [self.of(one) for one in of]}
            case AllOf(_, words, of):
                return {"description": words} | self._object(
                    [member for one in of for member in members_of(one)]
                )
        return _described(inspect.getdoc(declared)) | self._object(
            [*members_of(declared), *MORE.get(name, list)()]
        )

    def _page(self, page: Page) -> Json:
        words = (
            "The `after` of the next page; null at the end."
            if page.items
            else "Always null: there is one page."
        )
        items = Annotated[list[page.of], page.items or "The complete list."]
        following = Annotated[str, {"type": ["string", "null"]}, words]
        return {"description": page.words} | self._object(
            [("items", items, True), ("next", following, True)]
        )

    def _object(self, members: Members) -> Json:
        """Return the schema of an object of these members: their names, types, and whether they are
        required."""
        members = [*members]
        required = sorted(name for name, _, is_required in members if is_required)
        return {
            "type": "object",
            "properties": {name: self._type(hint) for name, hint, _ in members},
            **({"required": required} if required else {}),
        }

    def _type(self, hint: Any) -> Json:
        """Return the schema of a type, by its notes."""
        kind, *notes = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        schema: Json = {}
        for note in notes:
            if isinstance(note, type | OneOf):
                kind = note
            elif isinstance(note, dict | str):
                schema |= {"description": note} if isinstance(note, str) else note
        if name := schema.pop("union", None):
            return schema | self._union(name)
        schema = self._plain(kind) | schema
        if len(schema.get("enum", ())) == 1 and "const" not in schema:
            schema["const"] = schema.pop("enum")[0]
        return {name: value for name, value in schema.items() if value is not None}

    def _plain(self, kind: Any) -> Json:
        origin, arguments = get_origin(kind) or kind, get_args(kind)
        if kind is Any:
            return {}
        if get_origin(kind) is Annotated:
            return self._type(kind)
        if origin in (UnionType, Union):
            [kind] = (one for one in arguments if one is not NoneType)
            return self._type(kind)
        if origin is Literal:
            return {"type": PLAIN[type(arguments[0])], "enum": [*arguments]}
        if origin in (tuple, list, Sequence):
            items = {"type": "integer"} if arguments[0] is int else self._type(arguments[0])
            return {"type": "array", "items": items}
        if is_typeddict(kind) or is_dataclass(kind) or isinstance(kind, OneOf):
            return self.of(kind)
        if origin is int:
            return {"type": "integer", "minimum": 0}
        if not arguments or (arguments[1] is Any and origin is dict):
            return {"type": PLAIN[origin]}
        inner = CARDS if arguments[1] is int else self._type(arguments[1])
        return {"type": "object", "additionalProperties": inner}

    def _union(self, name: str) -> Json:
        """Return a reference to a union of actions or events, whose kinds ``type`` tells apart."""
        if name == "Action":
            return self.of(ActionSchema)
        if name not in self._of:
            self._of[name], (words, suffix, kinds) = name, UNIONS[name]
            refs = {}
            for kind, cls in kinds.items():
                if cls.secrets or suffix == "Event":
                    called = f"{cls.__name__}{suffix}"
                    self._made[called] = _described(cls.__doc__) | self._object(redacted(cls))
                    refs[kind] = f"{REF}{called}"
                else:
                    refs[kind] = self.of(ActionSchema.members[kind])["$ref"]
            self._made[name] = _described(words) | {
                "oneOf": [{"$ref": one} for one in refs.values()],
                "discriminator": {"propertyName": DISCRIMINATOR, "mapping": refs},
            }
        return {"$ref": f"{REF}{name}"}


def members_of(cls: Any) -> Iterator[tuple[str, Any, bool]]:
    """Yield the described members of a declaration."""
    if isinstance(cls, AllOf):
        yield from (member for one in cls.of for member in members_of(one))
        return
    hints = get_type_hints(cls, include_extras=True)
    if is_dataclass(cls):
        for each in fields(cls):
            if declared(hints[each.name])[2]:
                yield each.name, hints[each.name], each.default is MISSING
        return
    for name, hint in hints.items():
        is_optional = get_origin(hint) is NotRequired
        kind = get_args(hint)[0] if is_optional else hint
        if get_origin(kind) is Annotated:
            yield name, kind, name in cls.__required_keys__ and not is_optional


def _described(words: str | None) -> Json:
    words = (words or "").replace("``", "`").replace("`from_`", "`from`")
    return {"description": " ".join(words.split())}


class Converter(OpenAPIConverter):
    """Describes a union as ``oneOf``, with a discriminator where a member tells the kinds apart,
    and a choice of one value as ``const``: generators make no class of its own for that. The member
    of a discriminator also keeps its ``enum``, as generators for OpenAPI 3.0 ignore ``const``."""

    def field2property(self, field: Field) -> Json:
        described: Json = super().field2property(field)
        if len(described.get("enum", ())) == 1:
            described["const"] = described["enum"][0]
            if field.name != DISCRIMINATOR:
                described.pop("enum")
        return described

    def schema2jsonschema(self, schema: Schema) -> Json:
        is_union = isinstance(schema, base.Union)
        described = self._union(schema) if is_union else self._object(schema)
        return _described(inspect.getdoc(type(schema))) | described

    def _object(self, schema: Schema) -> Json:
        described: Json = super().schema2jsonschema(schema)
        described["additionalProperties"] = False
        if schema.fewest:
            described["minProperties"] = schema.fewest
        return described

    def _union(self, union: base.Union) -> Json:
        refs = {name: self.resolve_nested_schema(member) for name, member in union.members.items()}
        described: Json = {"oneOf": list(refs.values())}
        if union.by_type:
            mapping = {name: one["$ref"] for name, one in refs.items()}
            described["discriminator"] = {"propertyName": DISCRIMINATOR, "mapping": mapping}
        return described


class Plugin(MarshmallowPlugin):
    """The plugin of apispec with the converter above."""

    Converter = Converter


def tidy_name(schema: Any) -> str:
    """Return a schema's name in the description: its class's without ``Schema`` or ``Json``."""
    cls = schema if isinstance(schema, type) else type(schema)
    return cls.__name__.removesuffix("Schema").removesuffix("Json")
