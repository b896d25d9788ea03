"""The links of openapi.yaml: each is followed, and the operation that it leads to succeeds."""

import re

import pytest

from tests.service.callers import begin, create, won
from tools.generators.committed import description
from tools.generators.openapi import operations

OPERATIONS = {
    operation["operationId"]: (*name.split(), operation)
    for name, operation in operations(description())
}
LINKS = {
    source: (int(status), answer["links"])
    for source, (_, _, operation) in OPERATIONS.items()
    for status, answer in operation["responses"].items()
    if "links" in answer
}
FULL, OPEN = (
    {"board": "usa", "seats": [{"player": "me"}, {"bot": "random"}, *more]}
    for more in ([], [{"open": True}])
)
HEADERS = {"If-Match", "Idempotency-Key"}
BODIES = {  # of operations that need one; of others it is empty
    "changeBot": {"version": "2"},
    "changeMe": {"name": "Ada King"},
    "changeTournament": {"rules": "Be fair."},
    "changeWebhook": {"enabled": True},
    "createBot": {"name": "Adabot"},
    "createGame": FULL,
    "createPlayer": {"name": "Mary"},
    "createTournament": {"name": "Cup"},
    "createWebhook": {"url": "https://bots.example/fogg"},
    "disqualifyEntrant": {"reason": "Too strong"},
    "playAction": {"type": "resign"},
    "playActions": {"items": [{"game": "g_0"}]},
}


@pytest.fixture
def send(ada):
    """Send an operation, which succeeds; return its answer."""

    def send(operation: str, body=None, by=ada, **parameters):
        method, path, described = OPERATIONS[operation]
        if "requestBody" in described:
            body = BODIES.get(operation, {}) if body is None else body
        query = {name: value for name, value in parameters.items() if f"{{{name}}}" not in path}
        headers = {name: query.pop(name) for name in HEADERS & query.keys()}
        answer = by.request(
            method, path.format(**parameters), body, query_string=query, headers=headers
        )
        assert answer.status_code < 300, (operation, parameters, body, answer.text)
        return answer

    return send


@pytest.fixture
def before(send, ada, grace):
    """Return the path and the body of a request after which the other operation can be sent."""

    def cup(entrant: str = "") -> dict:
        path = {"tournament": send("createTournament").json["id"]}
        if entrant:
            send("enterTournament", {"bot": entrant}, **path)
        return path

    def before(source: str, target: str) -> tuple[dict, dict | None]:
        match source, target:
            case "createGame", "closeInvitation":
                return {}, FULL | {"seats": [{"player": "me"}, {"invite": grace.id}]}
            case "createGame", "joinGame" | "leaveSeat" | "startGame":
                return {}, OPEN
            case "startGame", _:
                return {"game": create(ada, {"bot": "random"}, {"open": True})["id"]}, None
            case "abortGame" | "getGame" | "listLegalActions", _:
                return {"game": create(ada, {"bot": "random"})["id"]}, None
            case "joinGame", _:
                return {"game": create(grace, {"open": True})["id"]}, None
            case "playAction", _:
                return {"game": begin(ada, grace, first_seat=None)}, None
            case "analyseGame", _:
                return {"game": won(ada, grace)}, None
            case "enterTournament", "enterTournament":
                return cup(), {"bot": "random"}
            case "enterTournament" | "endTournament", _:
                return cup(), None
            case "disqualifyEntrant", _:
                return cup("greedy") | {"entrant": "greedy"}, None
            case "listGames" | "listTokens" | "listTournaments" | "listWebhooks", _:
                send(source.replace("list", "create").removesuffix("s"))
        return {}, None

    return before


def value(expression: str, path: dict, answer) -> object:
    """Return the value of a runtime expression of OpenAPI."""
    if not expression.startswith("$"):
        return expression
    if name := re.fullmatch(r"\$request\.path\.(\w+)", expression):
        return path[name[1]]
    if name := re.fullmatch(r"\$response\.header\.(\w+)", expression):
        return answer.headers[name[1]]
    found = answer.json
    for part in re.fullmatch(r"\$response\.body#/(.+)", expression)[1].split("/"):
        found = found[int(part) if isinstance(found, list) else part]
    return found


@pytest.mark.parametrize("source", LINKS)
def test_each_link_leads_to_an_operation_that_succeeds(
    source, send, before, ada, grace, prompt_recorder
):
    status, links = LINKS[source]
    for target, link in links.items():
        path, body = before(source, target)
        answer = send(source, body, **path)
        assert answer.status_code == status
        parameters = {
            name: value(expression, path, answer) for name, expression in link["parameters"].items()
        }
        sent = value(link["requestBody"], path, answer) if "requestBody" in link else None
        if target == "startTournament":
            for bot in ("random", "greedy"):
                send("enterTournament", {"bot": bot}, **parameters)
        by = grace if target == "joinGame" else ada
        send(link["operationId"], sent, by, **parameters)
