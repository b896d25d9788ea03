"""The application over a real Redis, people who call it, and the description they go by."""

import copy
from contextlib import closing
from functools import cache

import jsonschema_rs
import pytest
from flask import Flask, Response, request, request_finished, request_started

from service.app import build_services, create_app
from service.http.serving import serve, services
from service.ratings import present
from service.records.database import Database
from service.records.recorder import Recorder
from service.redis.connection import EmbeddedRedis, connect
from service.tournaments.tournaments import Tournaments
from tests.service.callers import Caller, begin, keep_tickets, sign_up
from tools.generators.committed import description
from tools.generators.errors_page import of_operations


@pytest.fixture(autouse=True)
def described(fits):
    """Fail if an operation answers JSON that openapi.yaml does not describe, or a code of 404 or
    409 that the operation does not list. So tests need not compare answers with their schemas."""
    wrong = []

    def check(app: Flask, response: Response, **_) -> None:
        operation = getattr(app.view_functions.get(request.endpoint or ""), "operation", None)
        described = operation and responses().get(operation.id, {}).get(str(response.status_code))
        if not described or not response.is_json:
            return
        answer = response.get_json()
        try:
            fits(described["content"][response.mimetype]["schema"], answer)
        except (KeyError, jsonschema_rs.ValidationError) as error:
            wrong.append((operation.id, response.status_code, str(error)))
        listed = of_operations().get(operation.id)
        if (
            response.status_code in (404, 409)
            and listed is not None
            and (answer["code"] not in listed.get(response.status_code, ()))
        ):
            wrong.append((operation.id, answer["code"], "add it to tools/generators/codes.yaml"))

    with request_finished.connected_to(check):
        yield wrong
    assert wrong == []


@cache
def responses() -> dict[str, dict]:
    """The described responses of each operation, by status."""
    spec = description()
    named = spec["components"]["responses"]
    return {
        operation["operationId"]: {
            status: named[one["$ref"].rpartition("/")[2]] if "$ref" in one else one
            for status, one in operation["responses"].items()
        }
        for item in spec["paths"].values()
        for operation in item.values()
        if isinstance(operation, dict)
    }


@pytest.fixture(scope="session")
def connection(redis_server):
    """A client that stays open: an application reads the news on it for as long as it lives."""
    return connect(redis_server.url)


@pytest.fixture(scope="session")
def routed(connection):
    """An application whose routes are compiled once, for all tests that leave them as they are."""
    return create_app(connection)


@pytest.fixture
def app(redis, connection, routed):
    """Return the application over an empty Redis, which the test can inspect as ``redis``. Its
    caches are new, so that nothing of other tests is left."""
    serve(routed, build_services(connection))
    present.copy(redis, services(routed).games.database)  # as the recorder does when it starts
    return routed


@pytest.fixture
def anybody(app):
    """Somebody without an account."""
    return Caller(app)


@pytest.fixture
def ada(app):
    return sign_up(app, "Ada")


@pytest.fixture
def grace(app):
    return sign_up(app, "Grace")


@pytest.fixture
def mary(app):
    return sign_up(app, "Mary")


@pytest.fixture
def service(app):
    return services(app)


@pytest.fixture
def games(service):
    return service.games


@pytest.fixture
def recorder(games):
    """Records the finished games when the test says so; nothing else does."""
    return Recorder(games, games.database)


@pytest.fixture
def prompt_recorder(app, recorder):
    """Record all finished games before each request."""
    with request_started.connected_to(lambda _app, **_: recorder.run(), app):
        yield recorder


@pytest.fixture
def tournaments(service):
    return service.find(Tournaments)


@pytest.fixture
def game(ada, grace):
    """A game of Ada and Grace, always the same, the tickets chosen: Ada is to play."""
    begun = begin(ada, grace, seed="5e" * 32)
    keep_tickets(begun, ada, grace)
    return begun


@pytest.fixture
def finished(grace, game):
    """The same game, over since Grace has resigned."""
    grace.play(game, {"type": "resign"})
    return game


@pytest.fixture(scope="session")
def openapi():
    """The committed description."""
    return description()


@pytest.fixture(scope="session")
def fits(openapi):
    """Assert that a value fits a schema, by name or as an object, and has no other members.

    The description lets answers have more members, for later versions; this version has none.
    """
    closed = copy.deepcopy(openapi["components"])
    for schema in closed["schemas"].values():
        if "properties" in schema:
            schema["additionalProperties"] = False
    validators = {}

    def fits(schema: str | dict, value) -> None:
        if isinstance(schema, str):
            schema = {"$ref": f"#/components/schemas/{schema}"}
        if str(schema) not in validators:
            validators[str(schema)] = jsonschema_rs.Draft202012Validator(
                schema | {"components": closed}, validate_formats=True
            )
        validators[str(schema)].validate(value)

    return fits


@pytest.fixture
def is_problem(fits):
    """Assert that an answer is a problem document with this status and code; return it."""

    def is_problem(answer, status: int, code: str) -> dict:
        assert (answer.status_code, answer.mimetype) == (status, "application/problem+json"), (
            answer.get_data()
        )
        problem = answer.get_json()
        fits("StaleProblem" if code == "stale-version" else "Problem", problem)
        assert (problem["status"], problem["code"]) == (status, code), problem
        assert problem["type"] == f"urn:fogg:problem:{code}"
        return problem

    return is_problem


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A Redis of the tests of a module alone."""
    with EmbeddedRedis(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def client(server):
    with connect(server.url) as client:
        yield client


@pytest.fixture
def records(database_url):
    """An empty database of records, of either kind."""
    with closing(Database(database_url)) as database:
        database.migrate()
        yield database
