"""No cache between people and the service shows one of them what was answered to another."""

import re

import pytest

from tests.service.callers import Caller, sign_up, won
from tests.service.tournaments.test_tournaments import create

NEGOTIATED = "text/event-stream"


@pytest.fixture
def addresses(ada, grace, game, openapi):
    """Return the addresses of all GET operations, for a game under way and for a finished one. Ada
    has seen some of the responses, and Grace others."""
    over, cup = won(ada, grace), create(ada)["id"]
    names = {
        "board": "usa",
        "leaderboard": "overall",
        "player": ada.id,
        "tournament": cup,
        "webhook": "w_00000000000000000001",
    }
    paths = {
        path: operations["get"]
        for path, operations in openapi["paths"].items()
        if "get" in operations
    }
    addresses = [
        (path.format(**names, game=which), operation)
        for path, operation in paths.items()
        for which in (game, over)[: 1 + ("{game}" in path)]
    ]
    assert len(addresses) >= 30
    return addresses


def test_caller_dependent_responses_are_not_shared(app, anybody, ada, grace, addresses):
    stranger = Caller(app, {"token": "fogg_of-nobody"})
    for path, operation in addresses:
        answers = [caller.get(path) for caller in (anybody, ada, grace, stranger)]
        for answer in answers:
            rules = answer.headers["Cache-Control"]
            assert answer.status_code < 400 or rules == "no-store", path
            if "public" in rules:
                assert answer.status_code == 200
                assert answer.data == answers[0].data, path  # the same for all
            else:
                assert {"private", "no-store"} & set(re.split(", ?", rules)), path
                assert "Authorization" in answer.vary, path
        if operation["security"] and answers[3].status_code != 404:
            assert answers[3].status_code == 401, path


def test_responses_in_several_formats_vary_by_accept(ada, addresses):
    forms = [
        (path, operation)
        for path, operation in addresses
        if NEGOTIATED in operation["responses"]["200"]["content"]
    ]
    assert len(forms) >= 3
    for path, _ in forms:
        for accept in ("application/json", NEGOTIATED):
            answer = ada.get(path, headers={"Accept": accept})
            assert "Accept" in answer.vary, path
            answer.close()


def test_results_of_writes_and_errors_are_never_cached(app, ada, anybody, game, monkeypatch):
    for answer in (
        ada.post("/v1/games", {}),
        ada.post(f"/v1/games/{game}/start", {}),
        anybody.get("/nowhere"),
        anybody.request("PUT", "/v1/games"),
        ada.get("/v1/games?limit=0"),
        ada.request("POST", "/v1/players", data=b"{"),
    ):
        assert answer.status_code >= 400
        assert answer.headers["Cache-Control"] == "no-store"
    for answer in (
        sign_up(app, "Mary").post("/v1/me/tokens", {}),
        ada.post("/v1/players", {"name": "Bob"}),
        ada.post("/v1/me/bots", {"name": "Bot"}),
    ):
        assert answer.headers["Cache-Control"] == "no-store"
