"""The log of finished games: its lines, that they are one chain, and that they never change."""

import json

import pytest

from domain.game.proof import finished as verdict_of
from domain.log import Head, Log
from service.histories import log as game_log
from service.records.database import Database, sqlite_url
from service.records.recorder import Recorder
from tests.service.callers import begin, pages, won
from tools.generators.openapi_tape import Tape
from tools.histories.written import BY_DIGEST

NDJSON = "application/x-ndjson"
RESIGN = {"type": "resign"}


def history(caller, game: str) -> list[dict]:
    """The history of a finished game."""
    return [json.loads(line) for line in caller.get(f"/v1/games/{game}/history").data.splitlines()]


@pytest.fixture
def log(anybody, recorder):
    """All lines of the log, once the recorder has been there."""

    def log() -> list[dict]:
        recorder.run()
        return anybody.get("/v1/log").json["items"]

    return log


def test_finished_games_stand_in_one_chain_in_the_order_in_which_they_ended(
    ada, grace, anybody, log
):
    assert anybody.get("/v1/log").json == {"items": [], "next": None}
    games = [won(ada, grace) for _ in range(3)]
    begin(ada, grace)  # goes on
    lines = log()
    assert [line["game"] for line in lines] == games
    assert [line["last"] for line in lines] == [history(ada, game)[-1]["hash"] for game in games]
    assert Log(lines).head == Head(3, lines[-1]["hash"])
    page = anybody.get("/v1/log").json
    assert (page["head"], page["next"]) == ({"n": 3, "hash": lines[-1]["hash"]}, None)
    games.append(won(ada, grace))
    assert log()[:3] == lines
    assert [line["game"] for line in log()] == games


def test_it_is_read_page_by_page_and_line_by_line(ada, grace, anybody, log, is_problem):
    for _ in range(3):
        won(ada, grace)
    lines, page = log(), anybody.get("/v1/log?limit=2").json
    assert (page["items"], page["next"], page["head"]["n"]) == (lines[:2], 2, 3)
    assert pages(anybody, "/v1/log", limit=2) == [lines[:2], lines[2:]]
    assert anybody.get("/v1/log?after=3").json["items"] == []
    streamed = anybody.get("/v1/log?after=1", headers={"Accept": NDJSON})
    assert streamed.mimetype == NDJSON
    assert [json.loads(line) for line in streamed.data.splitlines() if line] == lines[1:]
    for wrong in ("after=-1", "after=x", "limit=0", "limit=2000", "before=1"):
        is_problem(anybody.get(f"/v1/log?{wrong}"), 422, "malformed")


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_a_game_that_is_not_public_has_a_line_that_does_not_name_it(ada, grace, log, visibility):
    game = won(ada, grace, visibility=visibility)
    [line] = log()
    assert "game" not in line
    proof = verdict_of(BY_DIGEST, history(ada, game))
    assert proof.wrong is None
    assert Log([line]).wrong_with(game, proof.hash) is None


def test_games_never_begun_and_from_elsewhere_have_no_line(ada, grace, log, service, redis):
    lobby = ada.post("/v1/games", {"board": "usa", "seats": [{"player": "me"}, {"open": True}]})
    assert ada.post(f"/v1/games/{lobby.json['id']}/abort", {}).status_code == 200
    begun = begin(ada, grace)
    assert ada.post(f"/v1/games/{begun}/abort", {}).status_code == 200
    elsewhere = won(ada, grace)
    redis.set(service.games.store.key(elsewhere, "imported"), 1)
    assert [line["game"] for line in log()] == [begun]


def test_the_first_entry_of_a_game_names_where_the_log_ended(ada, grace, mary, log, monkeypatch):
    monkeypatch.setattr(game_log, "FRESH_S", 0)
    first = won(ada, grace)
    assert "log_head" not in history(ada, first)[0]
    [line] = log()
    later = won(ada, grace)
    entries = history(ada, later)
    assert entries[0]["log_head"] == {"n": 1, "hash": line["hash"]}
    assert not any("log_head" in entry for entry in entries[1:])
    begun = begin(ada, grace)
    seen = mary.get(f"/v1/games/{begun}/events").json["items"]
    assert seen[0]["log_head"]["n"] == 1  # while the game goes on, too
    proof = verdict_of(BY_DIGEST, entries)
    assert (proof.wrong, proof.log_head) == (None, Head(1, line["hash"]))
    assert Log(log()).wrong_with(later, proof.hash, proof.log_head) is None


def test_a_new_game_names_where_the_log_ended_while_the_database_is_away(
    ada, grace, log, games, monkeypatch, tmp_path
):
    monkeypatch.setattr(game_log, "FRESH_S", 0)
    won(ada, grace)
    [line] = log()
    monkeypatch.setattr(games.store.records, "database", Database(sqlite_url(tmp_path)))
    seen = ada.get(f"/v1/games/{begin(ada, grace)}/events").json["items"]
    assert seen[0]["log_head"] == {"n": 1, "hash": line["hash"]}


# Examples for openapi.yaml


def show_log(tape: Tape) -> None:
    """Read the log once the recorder has been there."""
    Recorder(tape.games, tape.games.database).run()
    tape.call("getLog", "first", "The first lines", "GET", "/v1/log?limit=2")
    tape.call(
        "getLog",
        "lines",
        "All lines but the first",
        "GET",
        "/v1/log?after=1",
        headers={"Accept": NDJSON},
    )
