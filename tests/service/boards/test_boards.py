"""Boards and built-in bots; test_caching.py has how long they may be kept."""

import orjson
import pytest

from domain.boards import FOLDER
from domain.drawing import layout
from service.accounts import bots
from service.app import create_app
from tests.service.callers import Caller
from tools.generators.openapi_tape import Tape


def test_a_bot_that_is_not_installed_is_not_offered(ada, is_problem, monkeypatch):
    monkeypatch.setattr(bots, "OFFERED", ["random", "greedy", "planner"])
    assert [row["name"] for row in ada.get("/v1/bots").json["items"]] == bots.OFFERED
    words = "expert is not installed on this server; there are random, greedy, planner"
    problem = is_problem(
        ada.post("/v1/games", {"board": "usa", "seats": [{"player": "me"}, {"bot": "expert"}]}),
        422,
        "bad-request",
    )
    assert (problem["field"], problem["detail"]) == ("seats.1.bot", words)
    made = ada.post(
        "/v1/tournaments", {"name": "Cup", "format": "round_robin", "boards": ["usa"], "seats": 2}
    ).json["id"]
    problem = is_problem(
        ada.post(f"/v1/tournaments/{made}/entries", {"bot": "expert"}), 422, "bad-request"
    )
    assert (problem["field"], problem["detail"]) == ("bot", words)


def test_a_bot_that_is_listed_says_which_player_it_is(ada):
    made = ada.post("/v1/games", {"board": "usa", "seats": [{"bot": "planner"}, {"player": "me"}]})
    [planner] = [row for row in ada.get("/v1/bots").json["items"] if row["name"] == "planner"]
    assert planner["player"] == made.json["seats"][0]["player"]["id"]


def test_bots_are_ready_unless_a_worker_says_that_they_are_not(anybody, redis):
    assert all(row["ready"] for row in anybody.get("/v1/bots").json["items"])
    redis.set(bots.PREPARING, '{"expert": 0.4}')
    rows = {row.pop("name"): row for row in anybody.get("/v1/bots").json["items"]}
    assert (rows["expert"]["ready"], rows["expert"]["prepared"]) == (False, 0.4)
    assert rows["planner"]["ready"]


@pytest.mark.parametrize("board", ["usa", "europe", "london", "paris", "usa-10th"])
def test_a_layout_has_a_place_for_all_that_the_board_has(anybody, board):
    table, plan = (anybody.get(f"/v1/boards/{board}{more}").json for more in ("", "/layout"))
    assert plan["digest"] == table["digest"]
    assert {row["id"] for row in plan["locations"]} == {row["id"] for row in table["locations"]}
    assert {row["id"]: len(row["spaces"]) for row in plan["routes"]} == {
        row["id"]: row["length"] for row in table["routes"]
    }
    for place in plan["locations"] + [s for row in plan["routes"] for s in row["spaces"]]:
        assert 0 < place["x"] < plan["width"]
        assert 0 < place["y"] < plan["height"]


def test_a_board_of_ones_own_is_laid_out_once_for_all_processes(redis, tmp_path, monkeypatch):
    table = orjson.loads((FOLDER / "london.json").read_bytes()) | {"board": "mine"}
    table["locations"][0]["name"] = "Elsewhere here"
    (tmp_path / "mine.json").write_bytes(orjson.dumps(table))
    monkeypatch.setenv("FOGG_BOARDS", str(tmp_path))
    anybody = Caller(create_app(redis))
    first = anybody.get("/v1/boards/mine/layout").json
    assert first["locations"][0]["name"]["lines"] == ["Elsewhere here"]
    [key] = redis.keys("layout:*")
    redis.set(key, orjson.dumps(orjson.loads(redis.get(key)) | {"width": first["width"] + 1}))
    for at_hand in (layout._stored, layout._layout):
        at_hand.cache_clear()  # as in another process
    assert anybody.get("/v1/boards/mine/layout").json == first | {"width": first["width"] + 1}
    assert anybody.get("/v1/boards/mine/map.svg").status_code == 200


# Examples for openapi.yaml


def show_boards(tape: Tape) -> None:
    """Fetch what never changes."""
    tape.call("listBots", "bots", "The built-in bots", "GET", "/v1/bots")
    tape.call("listBoards", "boards", "The boards", "GET", "/v1/boards")
    tape.call("getBoard", "usa", "The board of the USA", "GET", "/v1/boards/usa")
    tape.call("getBoard", "unknown-board", "No such board", "GET", "/v1/boards/atlantis")
    tape.call(
        "getBoard", "unknown-table", "No such table", "GET", f"/v1/boards/usa?digest={'0' * 64}"
    )
    tape.call("getBoardMap", "usa", "The map of the USA", "GET", "/v1/boards/usa/map.svg")
    tape.call(
        "getBoardLayout",
        "london",
        "The layout of the map of London",
        "GET",
        "/v1/boards/london/layout",
    )
