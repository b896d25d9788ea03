"""openapi.yaml: made from the schemas and the blueprints, with examples recorded from real calls.

``python -m service.api.spec --write`` writes it, ``--check`` fails if it is not what would be
written, ``--record`` first plays a game against the application to record the examples anew.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
FILE = ROOT / "openapi.yaml"
EXAMPLES = Path(__file__).with_name("examples.json")
METHODS = ("get", "post", "put", "delete", "patch")

DESCRIPTION = """\
Play board games by the rules of Ticket to Ride over HTTP. Fogg keeps every game as a history of
actions, shows each player only what they may see, and checks every rule.

**A game in five requests.** `createPlayer` gives you a token. `createGame` sets out a board with
seats for you, for built-in bots and for others; the game starts when no seat is open. `getGame`
shows your view with `you.legal_actions`. `playAction` takes one of them, unchanged, and answers
with the next view. `listEvents` with `wait` holds the line until somebody has played.

**Errors** are `application/problem+json` with a stable `type` and `code`. 422 means that the
request is malformed, 409 that the rules do not allow it now; either way nothing has changed.

**Secrets.** Members that the caller may not see are left out; where the amount is public a member
`<name>_count` stands for them. Once a game is finished everybody sees everything.

**Names.** Seats count from 0 in the order of play. A route's id is `a--b`, its twin's `a--b--2`; a
ticket's `a--b`. The joker is `wild` on every board. Members that do not apply are missing, not
null; later versions may add members to answers.

Not affiliated with Days of Wonder; Ticket to Ride is their trademark.
"""

SETTINGS = {
    "API_TITLE": "Fogg",
    "API_VERSION": "1",
    "OPENAPI_VERSION": "3.1.0",
    "API_SPEC_OPTIONS": {
        "info": {
            "description": DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/", "description": "The service that serves this file."}],
        "components": {
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer",
                          "description": "The token of `createPlayer`: `Bearer fogg_...`."}
            }
        },
    },
}


def tidy_name(schema: type) -> str:
    """Return a schema's name in the description: its class's without ``Schema``."""
    cls = schema if isinstance(schema, type) else type(schema)
    return cls.__name__.removesuffix("Schema")


def finished(spec: dict) -> str:
    """Return the description as YAML, tidied and with its examples."""
    spec["components"].pop("responses", None)
    for _, operation in operations(spec):
        operation["responses"].pop("default", None)
        for status in [s for s in operation["responses"]
                       if operation["responses"][s].get("$ref", "").startswith("#/components/resp")]:
            del operation["responses"][status]
    if EXAMPLES.exists():
        _add_examples(spec, json.loads(EXAMPLES.read_text()))
    return yaml.safe_dump(spec, sort_keys=False, allow_unicode=True, width=100)


def operations(spec: dict):
    """Yield ("METHOD path", operation) for every operation of a description."""
    for path, item in spec["paths"].items():
        for method in METHODS:
            if method in item:
                yield f"{method.upper()} {path}", item[method]


def _add_examples(spec: dict, recorded: dict) -> None:
    """Put recorded requests and answers, by operation, where the description wants them."""
    for _, operation in operations(spec):
        for row in recorded.get(operation["operationId"], ()):
            if "request" in row:
                content = operation["requestBody"]["content"]["application/json"]
                content.setdefault("examples", {})[row["name"]] = {"value": row["request"]}
            answer = operation["responses"][str(row["status"])]
            if "answer" in row:
                content = answer["content"][row["type"]]
                content.setdefault("examples", {})[row["name"]] = {"value": row["answer"]}


def main() -> int:
    """Write or check openapi.yaml."""
    from service.api.app import create_app

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write openapi.yaml")
    parser.add_argument("--check", action="store_true", help="fail if openapi.yaml is another")
    parser.add_argument("--record", action="store_true", help="record the examples anew")
    options = parser.parse_args()
    if options.record:
        from service.api import examples

        EXAMPLES.write_text(json.dumps(examples.record(), indent=1, ensure_ascii=False) + "\n")
    text = create_app().extensions["openapi"]
    if options.check and FILE.read_text() != text:
        print("openapi.yaml is not what the schemas say: run make openapi", file=sys.stderr)
        return 1
    if options.write:
        FILE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
