"""openapi.yaml: made from the schemas and the blueprints, with examples recorded from real calls.

``python -m tools.generators.openapi --write`` writes it with the examples that there are, and its
sizes into docs/clients.md, ``--record`` with new ones, for which it plays a game against the
application over Redis; ``--check`` fails if a file is not what would be written.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml
from flask import Flask

from service.api.answers import JSON, PROBLEM
from service.api.application import all_blueprints
from service.api.blueprint import Blueprint
from service.api.pages import without_examples
from service.api.problems import PROBLEMS
from service.api.schemas.webhooks import CallAnswerSchema, CallSchema
from service.app import FEATURES
from tools.generators import openapi_examples
from tools.generators.committed import FILE, description
from tools.generators.errors_page import of_operations
from tools.generators.openapi_schemas import Api, Plugin, tidy_name
from tools.generators.openapi_words import CALLS, CALLS_TAG, CODE, PATH_PARAMETERS, SETTINGS

CLIENTS = FILE.parent / "docs" / "clients.md"
METHODS = ("get", "post", "put", "patch", "delete")
SECTIONS = ("openapi", "info", "servers", "tags", "paths", "webhooks", "components")
OPERATION = ("operationId", "summary", "description", "tags", "security", "parameters",
             "requestBody", "x-codes", "responses")
COMPONENTS = ("securitySchemes", "parameters", "responses", "schemas")


class Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # the first takes a third of the time
    """Writes texts of several lines as such, and nothing as a reference."""

    def ignore_aliases(self, _data) -> bool:
        return True

    def write_text(self, value: str):
        return self.represent_scalar("tag:yaml.org,2002:str", value,
                                     style="|" if "\n" in value else None)


Dumper.add_representer(str, Dumper.write_text)


# operationId -> where -> name -> example, where being "request" or "STATUS MEDIA-TYPE"; next to the
# operations PROBLEM -> where -> name -> example, for those that have none of their own
Examples = dict[str, dict[str, dict[str, dict]]]


def blueprints() -> list[Blueprint]:
    """Return the groups of operations that are described, each with the tag of its name."""
    return [one for one in all_blueprints(FEATURES) if isinstance(one, Blueprint)]


def texts(examples: Examples) -> dict[Path, str]:
    """Return what each file is to hold: the description of the service, as YAML, and the page that
    tells the sizes of these files."""
    text = yaml.dump(described(examples), Dumper=Dumper, sort_keys=False, allow_unicode=True,
                     width=100)
    whole, rest = (round(len(each.encode()), -4) // 1000 for each in (text, without_examples(text)))
    page, count = re.subn(r"\d+ kB instead of \d+", f"{rest} kB instead of {whole}",
                          CLIENTS.read_text())
    assert count == 1
    return {FILE: text, CLIENTS: page}


def committed_examples() -> Examples:
    """Return the examples that openapi.yaml has."""
    if not FILE.exists():
        return {}
    spec, examples = description(), {}
    for _, operation in operations(spec):
        request = operation.get("requestBody", {}).get("content", {}).get(JSON, {})
        places = {"request": request.get("examples", {})}
        for status, response in operation["responses"].items():
            for media_type, content in response.get("content", {}).items():
                places[f"{status} {media_type}"] = content.get("examples", {})
        examples[operation["operationId"]] = places
    named = spec["components"]["responses"]
    return examples | {PROBLEM: {
        f"{status} {PROBLEM}": named[kind.name]["content"][PROBLEM]["examples"]
        for status, kind in PROBLEMS.items() if kind.name in named}}


def recorded_examples() -> Examples:
    """Return examples that are recorded now."""
    examples: Examples = {}
    for operation, rows in openapi_examples.record().items():
        for row in rows:
            example = {"summary": row["summary"]}
            places = examples.setdefault(operation, {})
            if "request" in row:
                places.setdefault("request", {})[row["name"]] = example | {"value": row["request"]}
            if "answer" in row:
                place = f"{row['status']} {row['media_type']}"
                places.setdefault(place, {})[row["name"]] = example | {"value": row["answer"]}
    return examples


def described(examples: Examples) -> dict:
    """Return the description with examples."""
    app = Flask("fogg")
    app.config.update(SETTINGS)
    api = Api(app, spec_kwargs={"marshmallow_plugin": Plugin(schema_name_resolver=tidy_name)})
    groups = blueprints()  # which add to the problems
    for status, kind in PROBLEMS.items():
        if kind.name:
            content = {PROBLEM: {"schema": kind.schema, "examples": _example_of(status, examples)}}
            headers = {"headers": kind.headers} if kind.headers else {}
            api.spec.components.response(
                kind.name, {"description": kind.words} | headers | {"content": content})
    for blueprint in groups:
        api.register_blueprint(blueprint)
    for schema in (CallSchema, CallAnswerSchema):
        api.spec.components.schema(tidy_name(schema), schema=schema)
    api.spec.components.schema("ProblemCode", CODE)
    api.spec.tag(CALLS_TAG)
    spec = api.spec.to_dict() | {"webhooks": CALLS}
    _name_parameters(spec)
    for _, operation in operations(spec):
        _take_in_notes(operation)
        _add_examples(operation, examples.get(operation["operationId"], {}), spec)
        if codes := of_operations().get(operation["operationId"]):
            operation["x-codes"] = {str(status): listed for status, listed in codes.items()}
        _put_in_order(operation, OPERATION)
        _put_in_order(operation["responses"], tuple(sorted(operation["responses"])))
    _drop_unused(spec)
    return {section: spec[section] for section in SECTIONS}


def operations(spec: dict) -> Iterator[tuple[str, dict]]:
    """Yield ("METHOD path", operation) for every operation of a description."""
    for path, item in spec["paths"].items():
        for method in METHODS:
            if method in item:
                yield f"{method.upper()} {path}", item[method]


def _example_of(status: int, examples: Examples) -> dict:
    """Return an example of a status, for operations that have none of their own."""
    place = f"{status} {PROBLEM}"
    for places in (examples.get(PROBLEM, {}), *examples.values()):
        if name := next(iter(places.get(place, ())), None):
            return {name: places[place][name]}
    return {}


def _name_parameters(spec: dict) -> None:
    """Describe the parameters of paths once, and refer to them."""
    described = spec["components"].setdefault("parameters", {})
    for name, (words, schema, example) in PATH_PARAMETERS.items():
        described[name] = {"in": "path", "name": name, "required": True, "description": words,
                           "schema": schema, "example": example}
    for path, item in spec["paths"].items():
        if parameters := item.pop("parameters", None):
            refs = [{"$ref": f"#/components/parameters/{p['name']}"} for p in parameters]
            spec["paths"][path] = {"parameters": refs} | item


def _take_in_notes(operation: dict) -> None:
    """Describe what our decorators have noted (``service/api/blueprint.py``)."""
    if stream := operation.pop("x-stream", None):
        operation["responses"]["200"]["content"] |= stream["content"]
        operation["parameters"] += [stream["parameter"]] if "parameter" in stream else []
    if header := operation.pop("x-header", None):
        operation["parameters"] = [*operation.get("parameters", ()), header]
    if "parameters" in operation:
        operation["parameters"] = [each for each in operation["parameters"]
                                   if not each.get("schema", {}).get("x-internal")]


def _add_examples(operation: dict, places: dict[str, dict], spec: dict) -> None:
    """Put examples of requests and answers where the description wants them."""
    responses = operation["responses"]
    for place, examples in places.items():
        if not examples:
            continue
        if place == "request":
            operation["requestBody"]["content"][JSON]["examples"] = examples
            continue
        status, media_type = place.split(" ")
        if "$ref" in responses[status]:
            named = spec["components"]["responses"][responses[status]["$ref"].split("/")[-1]]
            schema = named["content"][PROBLEM]["schema"]
            responses[status] = named | {"content": {PROBLEM: {"schema": schema}}}
        responses[status]["content"][media_type]["examples"] = examples


def _put_in_order(members: dict, order: tuple[str, ...]) -> None:
    for name in order:
        if name in members:
            members[name] = members.pop(name)


def _drop_unused(spec: dict) -> None:
    """Leave out components that nothing refers to, and put the rest in order."""
    used: set[tuple[str, ...]] = set()
    waiting = [spec["paths"], spec["webhooks"]]
    while waiting:
        for ref in _references(waiting.pop()):
            kind, name = ref.split("/")[2:]
            if (kind, name) not in used:
                used.add((kind, name))
                waiting.append(spec["components"][kind][name])
    spec["components"] = {
        kind: {name: value for name, value in sorted(spec["components"][kind].items())
               if (kind, name) in used or kind == "securitySchemes"}
        for kind in COMPONENTS
    }


def _references(value) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for inner in value.values():
            yield from _references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _references(inner)


def main() -> int:
    """Write or check openapi.yaml."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the files")
    parser.add_argument("--check", action="store_true", help="fail if one of them differs")
    parser.add_argument("--record", action="store_true", help="write them with new examples")
    options = parser.parse_args()
    if options.record or options.write:
        made = texts(recorded_examples() if options.record else committed_examples())
        for file, text in made.items():
            file.write_text(text)
    expected = texts(committed_examples()) if options.check else {}
    stale = [file.name for file, text in expected.items()
             if not file.exists() or file.read_text() != text]
    for name in stale:
        print(f"{name} is not what the schemas say: run make openapi", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
