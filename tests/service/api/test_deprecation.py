"""Deprecated parts are marked in openapi.yaml, and in every response to a client that uses them."""

import pytest
from flask import Flask

from domain.errors import Refused
from service.api import boards, problems
from service.api.answers import answer
from service.api.blueprint import Blueprint
from service.api.context import CONTEXT, Context
from service.api.schemas.games import ViewQuerySchema
from tests.generators import openapi

SINCE, SUNSET = "2030-01-01", "2030-07-01"
SAID = {"Deprecation": "@1893456000", "Sunset": "Mon, 01 Jul 2030 00:00:00 GMT",
        "Link": '</docs/compatibility.md>; rel="deprecation"; type="text/markdown"'}


@pytest.fixture
def old():
    """A group of operations some of which are deprecated."""
    blueprint = Blueprint("boards", __name__, url_prefix="/v1/old", description="Old.")

    @blueprint.route("")
    @blueprint.doc(operationId="getOld", security=[])
    @blueprint.deprecated(SINCE, SUNSET)
    @blueprint.response(200)
    def get_old():
        """Old"""
        return answer({})

    @blueprint.route("/refused")
    @blueprint.doc(operationId="getRefused", security=[])
    @blueprint.deprecated(SINCE)
    @blueprint.response(200)
    def get_refused():
        """Old and refused"""
        raise Refused("no", None, "no")

    @blueprint.route("/part")
    @blueprint.doc(operationId="getPart", security=[])
    @blueprint.deprecated(SINCE, SUNSET, parameter="at")
    @blueprint.arguments(ViewQuerySchema, location="query")
    @blueprint.response(200)
    def get_part(_wish: dict):
        """One parameter is old"""
        return answer({})

    return blueprint


@pytest.fixture
def ask(old, monkeypatch):
    """Ask for an address; return the answer's status and what it says of deprecation."""
    monkeypatch.setattr("service.api.blueprint.count_address", lambda: None)
    app = Flask("old")
    problems.register(app)
    app.register_blueprint(old)
    CONTEXT.set(Context("r_1", 0.0, None))

    def ask(path: str) -> tuple[int, dict]:
        got = app.test_client().get(path)
        return got.status_code, {name: got.headers[name] for name in SAID if name in got.headers}

    return ask


def test_an_answer_of_a_deprecated_operation_says_since_when_and_until_when(ask):
    assert ask("/v1/old") == (200, SAID)


def test_so_does_a_refusal_and_an_undecided_end_is_omitted(ask):
    assert ask("/v1/old/refused") == (
        409, {"Deprecation": SAID["Deprecation"], "Link": SAID["Link"]})


def test_only_senders_of_a_deprecated_parameter_are_warned(ask):
    assert ask("/v1/old/part?at=3") == (200, SAID)
    assert ask("/v1/old/part") == (200, {})


def test_the_description_says_what_is_deprecated(old, monkeypatch):
    monkeypatch.setattr(boards, "blueprint", old)
    monkeypatch.setattr(openapi, "BLUEPRINTS", [boards])
    paths = openapi.described({})["paths"]
    assert paths["/v1/old"]["get"]["deprecated"] is True
    part = paths["/v1/old/part"]["get"]
    assert "deprecated" not in part
    assert [each["name"] for each in part["parameters"] if each.get("deprecated")] == ["at"]
