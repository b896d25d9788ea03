"""How schemas and blueprints become an OpenAPI description."""

from __future__ import annotations

import inspect

from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask_smorest import Api as SmorestApi
from marshmallow import Schema
from marshmallow.fields import Field

from service.api.schemas.base import Asked, ProblemCode, Union

DISCRIMINATOR = "type"  # the member that tells the kinds of a union apart


class Api(SmorestApi):
    """flask-smorest without its own errors: ours are problem documents."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_error_handlers(self) -> None:
        pass


class Converter(OpenAPIConverter):
    """Describes a union as ``oneOf``, with a discriminator where a member tells the kinds apart,
    and a choice of one value as ``const``: generators make no class of its own for that. The member
    of a discriminator also keeps its ``enum``, as generators for OpenAPI 3.0 ignore ``const``."""

    def field2property(self, field: Field) -> dict:
        """Return the JSON Schema of a field."""
        if isinstance(field, ProblemCode):
            return field.metadata | {"$ref": "#/components/schemas/ProblemCode"}
        described = super().field2property(field)
        if len(described.get("enum", ())) == 1:
            described["const"] = described["enum"][0]
            if field.name != DISCRIMINATOR:
                described.pop("enum")
        return described

    def schema2jsonschema(self, schema: Schema) -> dict:
        """Return the JSON Schema of a marshmallow schema."""
        described = self._union(schema) if isinstance(schema, Union) else self._object(schema)
        words = (inspect.getdoc(type(schema)) or "").replace("``", "`").replace("`from_`", "`from`")
        return {"description": " ".join(words.split())} | described if words else described

    def _object(self, schema: Schema) -> dict:
        described = super().schema2jsonschema(schema)
        described.pop("additionalProperties", None)
        if isinstance(schema, Asked):
            described["additionalProperties"] = False
            if schema.fewest:
                described["minProperties"] = schema.fewest
        return described

    def _union(self, union: Union) -> dict:
        refs = {name: self.resolve_nested_schema(member) for name, member in union.members.items()}
        described = {"oneOf": list(refs.values())}
        if union.by_type:
            mapping = {name: ref["$ref"] for name, ref in refs.items()}
            described["discriminator"] = {"propertyName": DISCRIMINATOR, "mapping": mapping}
        return described


class Plugin(MarshmallowPlugin):
    """The plugin of apispec with the converter above."""

    Converter = Converter


def tidy_name(schema: type) -> str:
    """Return a schema's name in the description: its class's without ``Schema``."""
    cls = schema if isinstance(schema, type) else type(schema)
    return cls.__name__.removesuffix("Schema")
