"""The log of finished games: its lines, that they are one chain, and that they never change."""

import json

import pytest

from domain.game.proof import finished as verdict_of
from domain.log import BrokenLog, Head, Log
from service.projections import log as game_log
from service.projections import projecting
from service.store import log as stored
from tests.generators.openapi_tape import Tape
from tests.histories.written import BY_DIGEST
from tests.service.api.callers import begin, won

NDJSON = "application/x-ndjson"
RESIGN = {"type": "resign"}


def history(caller, game: str) -> list[dict]:
    """The history of a finished game."""
    return [json.loads(line) for line in caller.get(f"/v1/games/{game}/history").data.splitlines()]


@pytest.fixture
def log(anybody, service):
    """All lines of the log, once the sweep has been there."""
    def log() -> list[dict]:
        game_log.catch_up(service.games.store)
        return anybody.get("/v1/log").json["items"]
    return log


def test_finished_games_stand_in_one_chain_in_the_order_in_which_they_ended(
    ada, grace, anybody, log, fits
):
    assert anybody.get("/v1/log").json == {"items": [], "next": None}
    games = [won(ada, grace) for _ in range(3)]
    begin(ada, grace)  # goes on
    lines = log()
    assert [line["game"] for line in lines] == games
    assert [line["last"] for line in lines] == [history(ada, game)[-1]["hash"] for game in games]
    assert Log(lines).head == Head(3, lines[-1]["hash"])
    page = anybody.get("/v1/log").json
    fits("Log", page)
    assert (page["head"], page["next"]) == ({"n": 3, "hash": lines[-1]["hash"]}, None)
    games.append(won(ada, grace))
    assert log()[:3] == lines
    assert [line["game"] for line in log()] == games


def test_it_is_read_page_by_page_and_line_by_line(ada, grace, anybody, log, is_problem):
    for _ in range(3):
        won(ada, grace)
    lines, page = log(), anybody.get("/v1/log?limit=2").json
    assert (page["items"], page["next"], page["head"]["n"]) == (lines[:2], 2, 3)
    page = anybody.get("/v1/log?after=2&limit=2").json
    assert (page["items"], page["next"]) == (lines[2:], None)
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
    assert redis.hlen(stored.WAITING) == 0


def test_each_game_has_one_line_even_if_written_twice(ada, grace, log, service, redis):
    games = [won(ada, grace) for _ in range(3)]
    waiting = redis.hgetall(stored.WAITING)
    one, other = stored.GameLog(redis), stored.GameLog(redis)
    rows = one.waiting()
    one.append(rows[:2])
    other.append(rows)
    redis.hset(stored.WAITING, mapping=waiting)  # it was cut off before it could forget them
    lines = log()
    assert [line["game"] for line in lines] == games
    projecting.rebuild(service.games.store)
    assert log() == lines
    redis.delete(stored.PLACES)  # as after a backup was restored
    projecting.rebuild(service.games.store)
    games.append(won(ada, grace))
    log()
    assert [line["game"] for line in log()] == games
    assert Log(log()).head.n == 4


def test_an_append_for_another_end_of_the_log_writes_nothing(ada, grace, redis, monkeypatch):
    for _ in range(2):
        won(ada, grace)
    one, other = stored.GameLog(redis), stored.GameLog(redis)
    rows = one.waiting()
    look = one.has

    def has(lasts):  # another process writes while this one decides
        known = look(lasts)
        other.append(rows[:1])
        return known

    monkeypatch.setattr(one, "has", has)
    one.append(rows)
    assert [line["last"] for line in one.lines(0)] == [rows[0].last]
    monkeypatch.undo()
    one.append(rows)
    assert [line["last"] for line in one.lines(0)] == [row.last for row in rows]


def test_games_that_ended_before_there_was_a_log_get_in_at_a_rebuild(
    ada, grace, log, service, redis
):
    games = [won(ada, grace) for _ in range(3)]
    redis.delete(stored.WAITING)
    assert log() == []
    projecting.rebuild(service.games.store)
    assert [line["game"] for line in log()] == games


def test_a_game_that_went_back_and_ended_again_has_a_second_line_and_the_first_one_stays(
    ada, grace, log, service, redis
):
    game = won(ada, grace)
    [first] = log()
    key = service.games.store.key(game, "log")
    redis.xdel(key, redis.xrevrange(key, count=1)[0][0])
    service.games.get(game)  # finds out
    ada.play(game, RESIGN)
    assert log()[0] == first
    assert [line["last"] for line in log()[1:]] == [history(ada, game)[-1]["hash"]]


def test_the_first_entry_of_a_game_names_where_the_log_ended(
    ada, grace, mary, log, fits, monkeypatch
):
    monkeypatch.setattr(stored, "FRESH_S", 0)
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
    fits("Entry", seen[0])
    proof = verdict_of(BY_DIGEST, entries)
    assert (proof.wrong, proof.log_head) == (None, Head(1, line["hash"]))
    assert Log(log()).wrong_with(later, proof.hash, proof.log_head) is None


def test_lines_that_do_not_follow_are_no_log(ada, grace, log):
    for _ in range(3):
        won(ada, grace)
    lines = log()
    other = "0" * 64
    for wrong in (
        lines[:1] + lines[2:], [lines[1] | {"previous": ""}], lines[:2] + lines[1:],
        [lines[0] | {"hash": other}], [lines[0] | {"last": other}], [lines[0] | {"game": "g_1"}],
        [lines[0] | {"more": 1}], [{}], [7], [lines[0] | {"n": True}],
    ):
        with pytest.raises(BrokenLog):
            Log(wrong)
    assert Log(lines[1:]).head == Log(lines).head
    assert Log(lines[1:]).first == 2


# Examples for openapi.yaml


def show_log(tape: Tape) -> None:
    """Read the log once the sweep has been there."""
    game_log.catch_up(tape.games.store)
    tape.call("getLog", "first", "The first lines", "GET", "/v1/log?limit=2")
    tape.call("getLog", "lines", "All lines but the first", "GET", "/v1/log?after=1",
              headers={"Accept": NDJSON})
