"""Who leaves a game, or lets it stall: what is said of it, and what the others can do."""

import json
import time
from unittest.mock import patch

import pytest

from domain.boards import load_folder
from domain.game.clock import SILENCE
from domain.game.proof import check
from service.api.serving import services
from service.games.playing import enforce_deadlines
from service.times import CLOCK, MS
from tests.generators.openapi_tape import Tape
from tests.service.api.callers import Caller, begin, keep_tickets, sign_up
from tests.service.looks import sweep

BOARDS = {board.digest: board for board in load_folder().values()}


@pytest.fixture
def mary(app):
    return sign_up(app, "Mary")


def watched(creator: Caller, *players: Caller) -> str:
    """A game whose creator has no seat in it."""
    seats = [{"open": True}] * len(players)
    game = creator.post("/v1/games", {"board": "usa", "seats": seats}).json["id"]
    for player in players:
        assert player.post(f"/v1/games/{game}/seats", {}).status_code == 201
    return game


def is_right(caller: Caller, game: str) -> bool:
    lines = caller.get(f"/v1/games/{game}/history").data.splitlines()
    return check(BOARDS, map(json.loads, lines)).wrong is None


def endings(caller: Caller) -> dict:
    return caller.get(f"/v1/players/{caller.id}").json["endings"]


def test_a_creator_who_aborts_after_seeing_tickets_is_marked(app, ada, grace, mary, fits):
    games = {watched(ada, grace, mary): None, begin(ada, grace): "aborted"}
    for game, left in games.items():
        view = ada.post(f"/v1/games/{game}/abort", {}).json
        fits("View", view)
        assert (view["ending"], view["seats"][0].get("left")) == ("aborted", left)
        last = ada.get(f"/v1/games/{game}/events").json["items"][-1]
        fits("Entry", last)
        assert last["events"] == [{"type": "game_aborted", "reason": "aborted"}
                                  | ({"seat": 0} if left else {})]
        assert is_right(ada, game)
    sweep(services(app).games)
    assert endings(ada) == {"finished": 0, "resigned": 0, "timed_out": 0, "aborted": 1}
    assert endings(grace) == {"finished": 0, "resigned": 0, "timed_out": 0, "aborted": 0}
    assert ada.get("/v1/leaderboards/overall").json["items"] == []
    assert ada.get(f"/v1/players/{ada.id}/ratings").json["items"] == []


def test_to_call_a_game_off_after_the_first_turn_began_is_to_resign(
        app, ada, grace, mary, is_problem):
    game = begin(ada, grace)
    keep_tickets(game, ada, grace)
    is_problem(grace.post(f"/v1/games/{game}/abort", {}), 403, "not-yours")
    view = ada.post(f"/v1/games/{game}/abort", {}).json
    assert [(seat.get("left"), seat["result"]["rank"]) for seat in view["seats"]] == [
        ("resigned", 2), (None, 1)]
    sweep(services(app).games)
    assert endings(ada) == {"finished": 0, "resigned": 1, "timed_out": 0, "aborted": 0}
    assert endings(grace) == {"finished": 1, "resigned": 0, "timed_out": 0, "aborted": 0}
    of_others = watched(ada, grace, mary)
    keep_tickets(of_others, grace, mary)
    is_problem(ada.post(f"/v1/games/{of_others}/abort", {}), 409, "game-started")


def test_a_waiting_player_can_remove_a_silent_one(
        app, ada, grace, mary, is_problem, monkeypatch, redis, fits):
    game, on_a_clock = begin(ada, grace, mary), begin(ada, grace, clock={"per_decision": 3600})
    keep_tickets(game, ada, grace, mary)
    silence = f"/v1/games/{game}/silence"
    assert "has time yet" in is_problem(grace.post(silence, {}), 409, "not-silent")["detail"]
    is_problem(ada.post(silence, {}), 409, "not-waiting")
    is_problem(ada.post(f"/v1/games/{on_a_clock}/silence", {}), 409, "has-a-clock")
    is_problem(sign_up(app, "Eve").post(silence, {}), 403, "not-yours")
    three_days_on(app, redis, monkeypatch)
    ended = grace.post(silence, {})
    assert ended.status_code == 200, ended.json
    fits("View", ended.json)
    assert [seat.get("left") for seat in ended.json["seats"]] == ["time", None, None]
    last = grace.get(f"/v1/games/{game}/events").json["items"][-1]
    fits("Entry", last)
    assert (last["seat"], last["timed_out"]) == (0, True)
    is_problem(ada.post(silence, {}), 409, "not-waiting")
    grace.play(game, {"type": "resign"})
    is_problem(mary.post(silence, {}), 409, "game-finished")
    assert is_right(mary, game)
    sweep(services(app).games)
    assert endings(ada)["timed_out"] == 1


def test_a_game_that_names_no_clock_ends_by_itself_when_somebody_falls_silent(
        app, ada, grace, monkeypatch, redis, is_problem):
    monkeypatch.delenv("FOGG_CLOCK_HOURS")
    game = begin(ada, grace)
    keep_tickets(game, ada)
    view = ada.view(game)
    day = 24 * 3600
    assert view["clock"] == {"per_decision": 3 * day, "total": day, "on_timeout": "resign"}
    casual = ada.post("/v1/games", {
        "board": "usa", "seats": [{"player": "me"}, {"open": True}],
        "options": {"visibility": "unlisted"}}).json
    assert casual["clock"] == {"per_decision": 3 * day, "on_timeout": "resign"}
    assert [set(row) for row in view["deciding"]] == [{"seat", "decision", "deadline"}]
    is_problem(ada.post(f"/v1/games/{game}/silence", {}), 409, "has-a-clock")
    three_days_on(app, redis, monkeypatch)
    enforce_deadlines(services(app).games)
    view = ada.view(game)
    assert [seat.get("left") for seat in view["seats"]] == [None, "time"]
    assert view["status"] == "finished"
    assert is_right(ada, game)
    again = ada.post(f"/v1/games/{game}/rematch", {}).json
    assert again["clock"] == view["clock"]


def test_games_of_built_in_bots_alone_need_no_clock_and_a_service_may_set_none(
        ada, grace, monkeypatch):
    assert "clock" not in ada.view(begin(ada, grace))
    monkeypatch.delenv("FOGG_CLOCK_HOURS")
    seats = [{"bot": "greedy"}, {"bot": "random"}]
    made = ada.post("/v1/games", {"board": "usa", "seats": seats})
    assert "clock" not in made.json


def three_days_on(app, redis, monkeypatch) -> None:
    """Move the clock on by three days without downtime."""
    later = CLOCK.now() + SILENCE * MS + 10**9
    monkeypatch.setattr(CLOCK, "_since", (time.monotonic_ns(), later, 1.0))
    redis.delete("{fogg}:beat", "{fogg}:pauses")
    services(app).games.clocks.beat()


# Examples for openapi.yaml


def show_silence(tape: Tape) -> None:
    """Ask to end a wait, in a game that began three days ago and in one that did not."""
    seats = [{"player": "me"}, {"open": True}]
    ago = CLOCK.now() - SILENCE * MS - 10**10
    with (patch.object(CLOCK, "_since", (time.monotonic_ns(), ago, 1.0)),
          patch.dict("os.environ", {"FOGG_CLOCK_HOURS": "0"})):
        made = tape.ask("POST", "/v1/games", {
            "board": "usa", "seats": seats, "options": {"visibility": "unlisted"}}, "ada").json
        game = f"/v1/games/{made['id']}"
        tape.ask("POST", f"{game}/seats", {"invitation": made["invitation"]}, "grace")
        keep = tape.ask("GET", f"{game}/legal-actions", by="grace").json["items"][0]
        tape.ask("POST", f"{game}/actions", keep, "grace")
    tape.call("endSilence", "ended", "A player was silent for three days", "POST",
              f"{game}/silence", {}, "grace")
    tape.call("endSilence", "has-a-clock", "The game has a clock", "POST",
              f"{tape.game}/silence", {}, "ada")
