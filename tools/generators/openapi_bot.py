"""The part of openapi.yaml that a bot needs: what the service answers to ``/openapi.yaml?for=bot``.

``python -m tools.generators.openapi --write`` writes it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from service.http.answers import JSON, PROBLEM
from tools.generators.openapi_words import FOR_BOTS

OPERATIONS = {
    "createPlayer",
    "createBot",
    "listBoards",
    "listBots",
    "getBoard",
    "createGame",
    "listGames",
    "joinGame",
    "getGame",
    "playAction",
    "listEvents",
    "listMyEvents",
    "enterPool",
    "enterTournament",
}
PARAMETERS = {
    "Idempotency-Key",
    "If-Match",
    "after",
    "board",
    "invited",
    "joinable",
    "legal_actions",
    "status",
    "wait",
}
# members of schemas, and parts of descriptions, that are left out
LEFT_OUT = {
    "at",
    "available",
    "arrived",
    "bank",
    "bye",
    "change",
    "clock",
    "command",
    "commitment",
    "created",
    "creator",
    "declared",
    "digest",
    "ending",
    "entrant",
    "errors",
    "examples",
    "expires",
    "fork",
    "hash",
    "headers",
    "links",
    "log_head",
    "options",
    "paused",
    "pool",
    "provenance",
    "queued",
    "rating_from",
    "rating_to",
    "reason",
    "revealed",
    "rulebook",
    "rules_version",
    "salt",
    "schema_version",
    "seed",
    "seed_known",
    "spectators",
    "started",
    "tie_breaks",
    "unrated",
    "updated",
    "visibility",
    "vocabulary",
    "webhooks",
    "x-codes",
}
REF = "#/components/"
GAME, FRESH = ({"$ref": f"{REF}schemas/{name}"} for name in ("GameRequest", "FreshGameRequest"))
OPAQUE = ("Event", "MyPool", "PlayedAction", "ProblemCode", "Tournament")  # without their members
LONGEST = 100  # characters of a pattern; the service says what is wrong with other texts
STALE = "412"  # its problem has the view in which to decide again


def _refusal(words: str, schema: str) -> dict:
    content = {"schema": {"$ref": f"{REF}schemas/{schema}"}}
    return {"description": words, "content": {PROBLEM: content}}


REFUSALS = {
    "Refusal": _refusal("Refused: `code` and `detail` say why.", "Problem"),
    "Stale": _refusal("The game has a later version: decide again in `view`.", "StaleProblem"),
}


def for_bots(spec: dict) -> dict:
    """Return the part of a description that a bot needs: its operations, with the schemas and
    parameters that they use, and one response for all refusals but 412."""
    named = {operation["operationId"] for operation in _operations(spec["paths"])}
    spec = _without(spec, named - OPERATIONS | {"fork"})
    paths = {
        path: {
            name: part if name == "parameters" else _operation(part)
            for name, part in item.items()
            if name == "parameters" or part["operationId"] in OPERATIONS
        }
        for path, item in spec["paths"].items()
    }
    paths = {path: item for path, item in paths.items() if item.keys() - {"parameters"}}
    tags = {tag for operation in _operations(paths) for tag in operation["tags"]}
    components = spec["components"] | {"responses": REFUSALS}
    components["parameters"] |= _shared(paths)
    for name in OPAQUE:
        schema = components["schemas"][name]
        components["schemas"][name] = {
            "description": schema["description"],
            "type": schema.get("type", "object"),
        }
    used = _used(paths, components)
    return spec | {
        "info": spec["info"] | {"description": FOR_BOTS},
        "tags": [tag for tag in spec["tags"] if tag["name"] in tags],
        "paths": paths,
        "components": {"securitySchemes": components["securitySchemes"]}
        | {
            kind: {
                name: components[kind][name]
                for name in components[kind]
                if f"{kind}/{name}" in used
            }
            for kind in ("parameters", "responses", "schemas")
        },
    }


def _operations(paths: dict) -> Iterator[dict]:
    return (part for item in paths.values() for name, part in item.items() if name != "parameters")


def _operation(operation: dict) -> dict:
    """Return an operation with what a bot needs: the first paragraph that describes it, some
    parameters, answers as JSON, and refusals."""
    words = operation["description"].partition("\n\n")[0]
    parameters = [one for one in operation.get("parameters", ()) if one["name"] in PARAMETERS]
    answers = {
        status: answer | {"content": {JSON: answer["content"][JSON]}}
        for status, answer in operation["responses"].items()
        if status.startswith("2") and "content" in answer
    }
    refusals = {
        status: {"$ref": f"{REF}responses/{'Stale' if status == STALE else 'Refusal'}"}
        for status in operation["responses"]
        if status[0] in "45"
    }
    return operation | {
        "description": words,
        "parameters": parameters,
        "responses": answers | refusals,
    }


def _without(part: Any, unsaid: set[str]) -> Any:
    """Return a part of a description without all that is left out: of new games, forks; of texts,
    the sentences with names that stand for nothing then."""
    if isinstance(part, list):
        return [_without(one, unsaid) for one in part]
    if not isinstance(part, dict) or part == GAME:
        return FRESH if part == GAME else part
    kept = {
        name: _shortened(inner, unsaid) if name == "description" else _without(inner, unsaid)
        for name, inner in part.items()
        if name not in LEFT_OUT
        and (name, inner) != ("required", False)
        and not (name == "pattern" and len(inner) > LONGEST)
    }
    if isinstance(kept.get("required"), list):
        kept["required"] = [name for name in kept["required"] if name not in LEFT_OUT]
    return kept


def _shortened(words: Any, unsaid: set[str]) -> Any:
    """Return a text without the sentences that name something by one of these names. What is no
    text is a member that is called ``description``."""
    if not isinstance(words, str):
        return _without(words, unsaid)
    sentences = re.split(r"(?<=[.])(\s+)", words)
    return "".join(
        sentence + gap
        for sentence, gap in zip(sentences[::2], [*sentences[1::2], ""], strict=True)
        if not unsaid.intersection(re.findall("`(\\w+)`", sentence))
    ).strip()


def _shared(paths: dict) -> dict[str, dict]:
    """Replace parameters that several operations have by references; return them by name."""
    lists = [operation["parameters"] for operation in _operations(paths)]
    counts = Counter(json.dumps(one) for parameters in lists for one in parameters)
    shared: dict[str, dict] = {}
    for text, count in counts.most_common():
        if count > 1:
            shared.setdefault(json.loads(text)["name"], json.loads(text))
    for parameters in lists:
        parameters[:] = [
            {"$ref": f"{REF}parameters/{one['name']}"} if one == shared.get(one["name"]) else one
            for one in parameters
        ]
    return shared


def _used(part: Any, components: dict) -> set[str]:
    """Return the components that a part refers to, and those that these use, as "kind/name"."""
    used, waiting = set[str](), [part]
    while waiting:
        named = set(re.findall(rf"{REF}(\w+/[\w-]+)", json.dumps(waiting.pop()))) - used
        used |= named
        waiting += [components[kind][name] for kind, name in (one.split("/") for one in named)]
    return used
