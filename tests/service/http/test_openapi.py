"""openapi.yaml says what the service does, completely. The linter checks that examples fit their
schemas and that all components are used."""

import json
import keyword
import re
import subprocess
import sys

import jsonschema_rs
import pytest
import yaml

from domain.rules import ACTIONS, EVENTS
from service.http.answers import JSON, PROBLEM
from service.http.blueprint import Blueprint
from tools.generators.committed import FILE, FOR_BOTS, LOADER
from tools.generators.openapi import committed_examples, operations
from tools.generators.openapi_bot import for_bots


@pytest.fixture(scope="session")
def responses(openapi):
    """Every response with its references resolved, as (operation, status, response)."""
    named = openapi["components"]["responses"]
    return [
        (operation, status, named[r["$ref"].split("/")[-1]] if "$ref" in r else r)
        for _, operation in operations(openapi)
        for status, r in operation["responses"].items()
    ]


def test_the_service_serves_the_committed_description(anybody):
    served = anybody.get("/openapi.yaml")
    assert served.mimetype == "application/yaml"
    assert served.get_data() == FILE.read_bytes()
    assert served.get_data().startswith(b"openapi: 3.1.0\n")
    assert served.headers["Access-Control-Allow-Origin"] == "*"
    assert anybody.get("/docs").status_code == 200


def without_examples(part):
    """Return a description, or a part of one, without the recorded requests and answers."""
    if isinstance(part, list):
        return [without_examples(each) for each in part]
    if not isinstance(part, dict):
        return part
    return {name: without_examples(value) for name, value in part.items() if name != "examples"}


def test_the_description_without_examples_says_the_same_and_is_far_shorter(anybody, openapi):
    served = anybody.get("/openapi-without-examples.yaml")
    assert (served.mimetype, served.headers["Access-Control-Allow-Origin"]) == (
        "application/yaml",
        "*",
    )
    assert yaml.load(served.get_data(), LOADER) == without_examples(openapi)
    assert len(served.get_data()) < 0.65 * FILE.stat().st_size


def test_a_bot_gets_its_dozen_operations_in_70_kB(anybody, openapi, is_problem):
    served = anybody.get("/openapi.yaml?for=bot")
    assert (served.status_code, served.mimetype, served.headers["Access-Control-Allow-Origin"]) == (
        200,
        "application/yaml",
        "*",
    )
    assert served.get_data() == FOR_BOTS.read_bytes()
    assert len(served.get_data()) <= 70_000
    assert yaml.load(served.get_data(), LOADER) == for_bots(openapi)
    kept = {operation["operationId"] for _, operation in operations(for_bots(openapi))}
    assert len(kept) == 14
    for wrong in ("bots", "", "BOT"):
        problem = is_problem(anybody.get(f"/openapi.yaml?for={wrong}"), 422, "malformed")
        assert (problem["field"], problem["detail"]) == ("for", "for: Must be one of: bot.")
    for query, field in (("for=bot&for=x", "for"), ("fo=bot", "fo")):
        for path in ("openapi", "openapi-without-examples"):
            problem = is_problem(anybody.get(f"/{path}.yaml?{query}"), 422, "malformed")
            assert problem["field"] == field


def test_answers_fit_what_bots_are_told_of_them(openapi):
    part, whole = for_bots(openapi), dict(operations(openapi))
    compared = 0
    for name, operation in operations(part):
        left_out = operation["responses"].keys() ^ whole[name]["responses"].keys()
        assert all(status < "400" for status in left_out)
        for status, answer in operation["responses"].items():
            shared = answer.get("$ref", "").split("/")[-1]
            told = part["components"]["responses"].get(shared, answer)
            [(form, content)] = told["content"].items()
            fits = jsonschema_rs.validator_for(
                content["schema"] | {"components": part["components"]}
            )
            shown = whole[name]["responses"][status].get("content", {}).get(form, {})
            for example in shown.get("examples", {}).values():
                fits.validate(example["value"])
                compared += 1
                if status == "412":
                    assert not fits.is_valid(example["value"] | {"view": {}})
                    assert not fits.is_valid(example["value"] | {"entries": [1]})
    assert compared > 30


def test_bots_are_told_of_no_operation_that_they_do_not_get(openapi):
    whole, kept = (
        {operation["operationId"] for _, operation in operations(spec)}
        for spec in (openapi, for_bots(openapi))
    )
    assert {"listBoards", "listBots"} <= kept
    missing = whole - kept | {"fork"}
    assert missing.isdisjoint(re.findall(r"\w+", FOR_BOTS.read_text()))


@pytest.mark.parametrize("part", [lambda spec: spec, for_bots], ids=["whole", "bots"])
def test_the_description_is_valid_openapi(openapi, part):
    from openapi_spec_validator import validate  # slow to import

    validate(part(openapi))


def test_every_address_of_the_service_is_described(app, openapi):
    paths = {path.replace("{", "<").replace("}", ">") for path in openapi["paths"]}
    rules = {
        (rule.rule.replace("string:", "").replace("int:", ""), method)
        for rule in app.url_map.iter_rules()
        if isinstance(app.blueprints[rule.endpoint.split(".")[0]], Blueprint)
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert {path for path, _ in rules} == paths
    assert len(rules) == len(list(operations(openapi)))


def test_nothing_is_ever_null_but_where_a_list_or_an_analysis_has_an_end(openapi):
    answers = [
        schema
        for name, schema in openapi["components"]["schemas"].items()
        if not name.endswith("Request")
    ]
    assert {
        member
        for schema in answers
        for member, shape in schema.get("properties", {}).items()
        if "null" in shape.get("type", ())
    } == {"next", "turning_point"}


def test_every_operation_is_named_described_and_tagged(openapi):
    tags = {tag["name"] for tag in openapi["tags"] if tag["description"]}
    seen = set()
    for name, operation in operations(openapi):
        assert operation["summary"], name
        assert not re.search(r"\b(one's|whom|whose|wish)\b", operation["summary"])
        assert operation["description"], name
        assert set(operation["tags"]) <= tags, name
        assert "security" in operation, name
        seen.add(operation["operationId"])
    assert len(seen) == len(list(operations(openapi)))


def test_every_parameter_header_and_member_is_described(openapi, responses):
    described = [
        *openapi["components"]["parameters"].values(),
        *openapi["components"]["headers"].values(),
    ]
    for _, operation in operations(openapi):
        described += operation.get("parameters", [])
    for _, _, response in responses:
        described += [
            header for header in response.get("headers", {}).values() if "$ref" not in header
        ]
    for schema in openapi["components"]["schemas"].values():
        described += [
            schema,
            *(
                member
                for name, member in schema.get("properties", {}).items()
                if name != "type" or "const" not in member
            ),
        ]
    assert [part for part in described if not part.get("description")] == []


def test_headers_are_described_but_for_those_of_built_in_bots(openapi):
    """Each item of playActions has a key of its own."""
    assert "Fogg-Thinking" not in FILE.read_text()
    assert {
        operation["operationId"]
        for name, operation in operations(openapi)
        if name.startswith("POST")
        and "Idempotency-Key"
        not in {parameter["name"] for parameter in operation.get("parameters", ())}
    } == {"playActions"}


def test_the_lists_with_pages_and_no_others_have_links(openapi, responses):
    for operation, status, response in responses:
        names = {parameter["name"] for parameter in operation.get("parameters", ())}
        schema = response.get("content", {}).get(JSON, {}).get("schema", {}).get("$ref", "")
        described = openapi["components"]["schemas"].get(schema.rpartition("/")[2], {})
        has_pages = "after" in names and "next" in described.get("properties", {})
        assert ("Link" in response.get("headers", {})) == has_pages
        assert ("RateLimit" in response.get("headers", {})) == (status[0] == "2" or status == "429")


def test_every_body_has_examples(openapi, responses):
    bare = [
        operation["operationId"]
        for _, operation in operations(openapi)
        if not _examples(operation.get("requestBody"))
    ]
    bare += [
        (operation["operationId"], status)
        for operation, status, response in responses
        if not _examples(response)
    ]
    assert bare == []


@pytest.mark.deep
def test_the_examples_are_those_that_are_shown_beside_the_tests():
    record = (
        "import json; from tools.generators.openapi import recorded_examples;"
        "print(json.dumps(recorded_examples()))"
    )
    recorded = subprocess.run([sys.executable, "-c", record], capture_output=True, check=True)

    def names(examples: dict) -> dict:
        return {
            (operation, place): [*rows]
            for operation, places in examples.items()
            for place, rows in places.items()
            if rows and operation != PROBLEM
        }

    assert names(json.loads(recorded.stdout)) == names(committed_examples())


def test_the_examples_show_no_token_that_could_be_real():
    tokens = re.findall("fogg_[0-9A-Za-z_-]+", FILE.read_text())
    assert tokens
    assert all("example" in token for token in tokens)


def test_every_problem_carries_the_headers_of_its_status(responses):
    for _, status, response in responses:
        headers = set(response.get("headers", {}))
        assert ("Retry-After" in headers) == (status in ("429", "503"))
        assert ("WWW-Authenticate" in headers) == (status == "401")
        if int(status) >= 400:
            assert list(response["content"]) == ["application/problem+json"]


@pytest.mark.parametrize(
    ("union", "kinds"), [("Action", ACTIONS), ("PlayedAction", ACTIONS), ("Event", EVENTS)]
)
def test_actions_and_events_are_distinguished_by_their_type(openapi, union, kinds):
    schemas = openapi["components"]["schemas"]
    mapping = schemas[union]["discriminator"]["mapping"]
    assert schemas[union]["discriminator"]["propertyName"] == "type"
    assert sorted(mapping) == sorted(kinds)
    assert [{"$ref": ref} for ref in mapping.values()] == schemas[union]["oneOf"]
    for kind, ref in mapping.items():
        member = schemas[ref.split("/")[-1]]
        kinds_of_it = member["properties"]["type"]
        assert (kinds_of_it["const"], kinds_of_it["enum"]) == (kind, [kind])  # tools read either
        assert "type" in member["required"]


def test_every_code_of_a_refusal_is_listed(openapi):
    sources = [*FILE.parent.glob("domain/**/*.py"), *FILE.parent.glob("service/**/*.py")]
    codes = {
        code
        for path in sources
        for code in re.findall(r'Refused\(\s*"([a-z-]+)"', path.read_text())
    }
    assert len(codes) > 20
    assert codes <= set(openapi["components"]["schemas"]["ProblemCode"]["enum"])


def test_the_introduction_fits_on_one_screen_and_names_a_contact(openapi):
    assert openapi["info"]["contact"]["name"]
    assert len(openapi["info"]["description"].splitlines()) <= 40


def test_a_request_may_hold_nothing_unknown_and_an_answer_may(openapi):
    schemas = openapi["components"]["schemas"]
    asked = {
        name
        for name in _asked(openapi)  # of a union, it is the members' to refuse
        if "oneOf" not in schemas[name]
    }
    closed = {
        name for name, schema in schemas.items() if schema.get("additionalProperties") is False
    }
    assert closed == asked


def test_only_schemas_of_bodies_are_called_requests(openapi):
    kinds = {name for name in openapi["components"]["schemas"] if name.endswith("Action")}
    requests = {name for name in openapi["components"]["schemas"] if name.endswith("Request")}
    assert _asked(openapi) - kinds == requests
    assert {"GameRequest", "SeatRequest", "TokenRequest"} <= requests


def test_no_schema_is_called_as_a_generator_would_call_something_else(openapi):
    schemas = openapi["components"]["schemas"]
    assert [name for name in schemas if name.startswith("New")] == []  # constructors in Go
    made = {
        name + member.title().replace("_", "")
        for name, schema in schemas.items()
        for member, shape in schema.get("properties", {}).items()
        if "enum" in shape
    }
    assert made & set(schemas) == set()
    reserved = {word.casefold() for word in keyword.kwlist}
    assert [name for name in schemas if name.casefold() in reserved] == []
    tags = [
        operation["tags"][0] for item in openapi["webhooks"].values() for operation in item.values()
    ]
    assert not {*tags} & {tag for _, operation in operations(openapi) for tag in operation["tags"]}


def test_a_choice_of_one_value_is_a_constant(openapi):
    choices = re.findall(r'"enum": \[([^,\]]*)\](, "const": \1)?', json.dumps(openapi))
    assert [value for value, constant in choices if not constant] == []


def _asked(openapi: dict) -> set[str]:
    """The names of all schemas that requests are made of."""
    asked, waiting = (
        set(),
        [
            operation["requestBody"]
            for _, operation in operations(openapi)
            if "requestBody" in operation
        ],
    )
    while waiting:
        named = set(re.findall("#/components/schemas/([A-Za-z]+)", json.dumps(waiting.pop())))
        waiting += [openapi["components"]["schemas"][name] for name in named - asked]
        asked |= named
    return asked


def _examples(body: dict | None) -> bool:
    """Return whether every content of a body has examples; a body without content needs none."""
    contents = (body or {}).get("content", {}).values()
    return all(content.get("examples") for content in contents)
