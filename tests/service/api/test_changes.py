"""Compatibility: changes of openapi.yaml that break clients are detected."""

import copy
import json
import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.generators.changes import RELEASED, changes, without_words
from tests.generators.committed import description


@pytest.fixture(scope="module")
def released():
    """The description that was released last."""
    return description(RELEASED)


def test_no_change_breaks_the_released_api(released, openapi):
    """See docs/compatibility.md for what to do if this fails."""
    assert changes(released, openapi).breaking == []


def test_a_closed_pipe_causes_no_traceback():
    read, write = os.pipe()
    os.close(read)
    told = subprocess.run([sys.executable, "-m", "tests.generators.changes"],
                          stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert told.stderr == b""


def schema(spec: dict, name: str) -> dict:
    return spec["components"]["schemas"][name]


def parameter(spec: dict, path: str, name: str) -> dict:
    return next(each for each in spec["paths"][path]["get"]["parameters"]
                if each.get("name") == name)


def require(spec: dict, name: str, member: str) -> None:
    schema(spec, name).setdefault("required", []).append(member)


BREAKING: dict[str, Callable[[dict], object]] = {
    "GET /v1/boards is no more": lambda spec: spec["paths"].pop("/v1/boards"),
    "GET /v1/boards is not called listBoards any more":
        lambda spec: spec["paths"]["/v1/boards"]["get"].update(operationId="boards"),
    "GET /v1/games: the parameter board is no more":
        lambda spec: parameter(spec, "/v1/games", "board").update(name="on"),
    "GET /v1/games: the parameter board must be given now":
        lambda spec: parameter(spec, "/v1/games", "board").update(required=True),
    "GET /v1/games: the parameter limit has another maximum":
        lambda spec: parameter(spec, "/v1/games", "limit")["schema"].update(maximum=1),
    "JoinRequest as asked: entropy must be given now":
        lambda spec: require(spec, "JoinRequest", "entropy"),
    "JoinRequest as asked: seat is no more":
        lambda spec: schema(spec, "JoinRequest")["properties"].pop("seat"),
    "OptionsRequest as asked: visibility is never private any more":
        lambda spec: schema(spec, "OptionsRequest")["properties"]["visibility"]["enum"].remove(
            "private"),
    "Action as asked is never pass any more":
        lambda spec: schema(spec, "Action")["discriminator"]["mapping"].pop("pass"),
    "View as answered: row is no more":
        lambda spec: schema(spec, "View")["properties"].pop("row"),
    "View as answered: version may be missing":
        lambda spec: schema(spec, "View")["required"].remove("version"),
    "View as answered: version may be null":
        lambda spec: schema(spec, "View")["properties"]["version"].update(
            type=["integer", "null"]),
    "no schema is called Health any more": lambda spec: spec.update(json.loads(
        json.dumps(spec).replace('schemas/Health"', 'schemas/Healthy"').replace(
            '"Health": ', '"Healthy": '))),
}
COMPATIBLE: dict[str, Callable[[dict], object]] = {
    "GET /v1/more is new":
        lambda spec: spec["paths"].update({"/v1/more": spec["paths"]["/v1/boards"]}),
    "JoinRequest as asked: colour is new":
        lambda spec: schema(spec, "JoinRequest")["properties"].update(colour={"type": "string"}),
    "View as answered: weather is new":
        lambda spec: schema(spec, "View")["properties"].update(weather={"type": "string"}),
    "OptionsRequest as asked: visibility may be friends":
        lambda spec: schema(spec, "OptionsRequest")["properties"]["visibility"]["enum"].append(
            "friends"),
}
NOTABLE: dict[str, Callable[[dict], object]] = {
    "Notice as answered: type may be rained":
        lambda spec: schema(spec, "Notice")["properties"]["type"]["enum"].append("rained"),
    "Event as answered may be rained":
        lambda spec: schema(spec, "Event")["discriminator"]["mapping"].update(
            rained="#/components/schemas/PassedEvent"),
    "JoinRequest as asked: invitation has another pattern":
        lambda spec: schema(spec, "JoinRequest")["properties"]["invitation"].update(pattern="a"),
    "GET /v1/boards is deprecated":
        lambda spec: spec["paths"]["/v1/boards"]["get"].update(deprecated=True),
}


@pytest.mark.parametrize(("kind", "sentence", "change"), [
    (kind, *row) for kind, rows in (
        ("breaking", BREAKING), ("compatible", COMPATIBLE), ("notable", NOTABLE))
    for row in rows.items()])
def test_each_change_is_classified(released, kind, sentence, change):
    changed = copy.deepcopy(released)
    change(changed)
    found = vars(changes(released, changed))
    assert sentence in found[kind]
    assert kind == "breaking" or found["breaking"] == []


def test_words_and_examples_are_no_change(openapi):
    assert not any(vars(changes(openapi, without_words(openapi))).values())
