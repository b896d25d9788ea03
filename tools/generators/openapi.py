"""openapi.yaml: made from the schemas and the blueprints, with examples recorded from real calls.

``python -m tools.generators.openapi --write`` writes it and its part for bots, and keeps the
examples. ``--record`` makes new examples: it plays a game against the application over Redis.
``--check`` fails if a file is not what would be written.
"""

from __future__ import annotations

import argparse
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from domain.described import BoardId
from service.app import FEATURES
from service.games.schemas.playing import StaleProblem
from service.http.answers import JSON, PROBLEM
from service.http.application import all_blueprints
from service.http.blueprint import Blueprint, Operation
from service.http.problems import PROBLEMS, Problem
from service.webhooks.contents import Call, CallAnswer
from tools.generators import openapi_examples
from tools.generators.committed import FILE, FOR_BOTS, description
from tools.generators.errors_page import of_operations
from tools.generators.openapi_bot import for_bots
from tools.generators.openapi_schemas import Schemas
from tools.generators.openapi_words import (
    CALLS,
    CALLS_TAG,
    CODE,
    HEADERS,
    OF_ALL,
    OF_PAGES,
    OPENAPI,
    PATH_PARAMETERS,
    SECURITY,
)

LINKS = Path(__file__).parent / "links.yaml"
METHODS = ("get", "post", "put", "patch", "delete")


class Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # the first takes a third of the time
    """Writes texts of several lines as such, and nothing as a reference."""

    def ignore_aliases(self, _data) -> bool:
        return True

    def write_text(self, value: str):
        return self.represent_scalar(
            "tag:yaml.org,2002:str", value, style="|" if "\n" in value else None
        )


Dumper.add_representer(str, Dumper.write_text)


# operationId -> where -> name -> example, where being "request" or "STATUS MEDIA-TYPE"; next to the
# operations PROBLEM -> where -> name -> example, for those that have none of their own
Examples = dict[str, dict[str, dict[str, dict]]]


def blueprints() -> list[Blueprint]:
    """Return the groups of operations that are described, each with the tag of its name."""
    return [one for one in all_blueprints(FEATURES) if isinstance(one, Blueprint)]


def texts(examples: Examples) -> dict[Path, str]:
    """Return the text of each file: the whole description, and the part for bots. The part has
    objects without inner ones on one line."""
    whole = described(examples)
    return {FILE: _yaml(whole), FOR_BOTS: _yaml(for_bots(whole), default_flow_style=None)}


def _yaml(spec: dict, **style: Any) -> str:
    return yaml.dump(spec, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=100, **style)


def committed_examples() -> Examples:
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
    return examples | {
        PROBLEM: {
            f"{status} {PROBLEM}": named[kind.name]["content"][PROBLEM]["examples"]
            for status, kind in PROBLEMS.items()
            if kind.name in named
        }
    }


def recorded_examples() -> Examples:
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
    schemas = Schemas(OPENAPI["openapi"])
    groups = blueprints()
    paths: dict[str, dict] = {}
    for blueprint in groups:
        for operation in blueprint.operations:
            path, names = _path_of(operation.path)
            item = paths.setdefault(
                path,
                {"parameters": [{"$ref": f"#/components/parameters/{name}"} for name in names]}
                if names
                else {},
            )
            item[operation.method.lower()] = _operation(operation, blueprint.name, schemas)
    for declared in (Call, CallAnswer):
        schemas.of(declared)
    spec = OPENAPI | {
        "tags": [
            {"name": blueprint.name, "description": blueprint.description} for blueprint in groups
        ]
        + [CALLS_TAG],
        "paths": paths,
        "webhooks": CALLS,
        "components": _components(schemas, examples),
    }
    _describe_board_ids(spec)
    for _, operation in operations(spec):
        _add_examples(operation, examples.get(operation["operationId"], {}), spec)
    named, used = spec["components"]["responses"], str(paths)
    for name in [name for name in named if f"/responses/{name}'" not in used]:
        del named[name]
    return spec


def _describe_board_ids(part: Any) -> None:
    """Say of every member and part of a path that has ids of boards how these look. A tester then
    sends ids that it has received. (Lists filtered by another text are empty.)"""
    if isinstance(part, list):
        for one in part:
            _describe_board_ids(one)
    elif isinstance(part, dict):
        ids = [part.get("board"), part.get("boards", {}).get("items")]
        if (part.get("name"), part.get("in")) == ("board", "path"):
            ids.append(part.get("schema"))
        for schema in ids:
            if isinstance(schema, dict) and schema.get("type") == "string":
                schema |= BoardId.__metadata__[0]
        for inner in part.values():
            _describe_board_ids(inner)


def _components(schemas: Schemas, examples: Examples) -> dict:
    parameters = {
        name: {
            "in": "path",
            "name": name,
            "required": True,
            "description": words,
            "schema": schema,
            "example": example,
        }
        for name, (words, schema, example) in PATH_PARAMETERS.items()
    }
    responses = {
        kind.name: _response(
            kind.words,
            {**kind.headers, **(OF_ALL if status == 429 else {})},
            {
                PROBLEM: {
                    "schema": schemas.of(StaleProblem if status == 412 else Problem),
                    "examples": _example_of(status, examples),
                }
            },
        )
        for status, kind in PROBLEMS.items()
        if kind.name
    }
    made = schemas.components | {"ProblemCode": CODE}
    return SECURITY | {
        "headers": HEADERS,
        "parameters": dict(sorted(parameters.items())),
        "responses": dict(sorted(responses.items())),
        "schemas": dict(sorted(made.items())),
    }


def _path_of(path: str) -> tuple[str, list[str]]:
    """Return a path of Flask as OpenAPI writes it, and the names of its parameters."""
    parameter = re.compile("<(?:[a-z]+:)?([a-z_]+)>")
    return parameter.sub(r"{\1}", path), parameter.findall(path)


def _operation(operation: Operation, tag: str, schemas: Schemas) -> dict:
    summary, _, words = (inspect.getdoc(operation.view) or "").partition("\n\n")
    described = {
        "operationId": operation.id,
        "summary": summary,
        "description": words,
        "tags": [tag],
        "security": operation.security,
    }
    parameters = [
        parameter
        for place, schema in reversed(operation.schemas.items())
        if place != "json"
        for parameter in schemas.parameters(schema, place)
        if not parameter["schema"].get("x-internal")
    ] + operation.parameters
    if parameters:
        described["parameters"] = parameters
    if body := operation.schemas.get("json"):
        described["requestBody"] = {
            "required": True,
            "content": {JSON: {"schema": schemas.of(body)}},
        }
    if codes := of_operations().get(operation.id):
        described["x-codes"] = {str(status): listed for status, listed in codes.items()}

    def has_next(schema: dict | None) -> bool:
        name = (schema or {}).get("$ref", "").rpartition("/")[2]
        return "next" in schemas.components.get(name, {}).get("properties", ())

    responses = {
        status: {"$ref": f"#/components/responses/{PROBLEMS[status].name}"}
        for status in operation.problems
    }
    is_paged = any(one["name"] == "after" for one in parameters)
    for status, one in operation.answers.items():
        content = {} if one.of is None else {one.media_type: {"schema": schemas.of(one.of)}}
        headers = {**one.headers, **(OF_ALL if status < 300 else {})}
        if is_paged and has_next(one.of and schemas.of(one.of)):
            headers |= OF_PAGES
        responses[status] = _response(one.description, headers, content)
    for media_type, words in operation.streams.items():
        responses[200]["content"][media_type] = {"schema": {"type": "string", "description": words}}
    if made := {
        name: link for row in links().get(operation.id, ()) for name, link in _links(**row).items()
    }:
        responses[min(operation.answers)]["links"] = made
    return described | {
        "responses": {str(status): response for status, response in sorted(responses.items())}
    }


@cache
def links() -> dict[str, list[dict]]:
    """Return the rows of links.yaml, by operationId."""
    return yaml.safe_load(LINKS.read_text())


def _links(to: list[str], body: str = "", **parameters: str) -> dict[str, dict]:
    """Return the links of a row, each named after the operation that it leads to."""
    given: dict[str, Any] = {"parameters": parameters}
    if body:  # Schemathesis would else mix it with members that it makes up
        given |= {"requestBody": body, "x-schemathesis": {"merge_body": False}}
    return {name: {"operationId": name} | given for name in to}


def _response(words: str, headers: Mapping[str, dict], content: dict) -> dict:
    described: dict = {"description": words}
    if headers:
        described["headers"] = dict(headers)
    return described | ({"content": content} if content else {})


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
    stale = [
        file.name
        for file, text in expected.items()
        if not file.exists() or file.read_text() != text
    ]
    for name in stale:
        print(f"{name} is not what the schemas say: run make openapi", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
