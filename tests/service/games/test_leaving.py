"""Leaving a game or stalling it: what the service reports, and what the others can do."""

import json
import time

from domain.boards import load_folder
from domain.game.proof import check
from service.games.playing import enforce_deadlines
from service.http.serving import services
from service.records import deriving, unplayed
from tests.service.callers import Caller, begin, create, keep_tickets
from tests.service.tournaments.test_tournaments import let_an_hour_pass

BOARDS = {board.digest: board for board in load_folder().values()}


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


def test_an_abort_after_tickets_were_seen_is_recorded_for_every_account(
    app, ada, grace, monkeypatch, recorder
):
    game = begin(ada, grace, first_seat=None)
    view = ada.post(f"/v1/games/{game}/abort", {}).json
    assert (view["ending"], [seat.get("left") for seat in view["seats"]]) == (
        "aborted",
        ["aborted", None],
    )
    last = ada.get(f"/v1/games/{game}/events").json["items"][-1]
    assert last["events"] == [{"type": "game_aborted", "reason": "aborted", "seat": 0}]
    assert is_right(ada, game)
    monkeypatch.setenv("FOGG_FORGET_DAYS", "0")
    time.sleep(0.01)
    recorder.run()
    assert unplayed.delete(recorder.games) == 0
    assert deriving.rebuild(recorder.games, lambda count: None) == []
    for player in (ada, grace):
        assert endings(player) == {"finished": 0, "resigned": 0, "timed_out": 0, "aborted": 1}
    assert ada.get("/v1/leaderboards/overall").json["items"] == []
    assert ada.get(f"/v1/players/{ada.id}/ratings").json["items"] == []


def test_a_creator_without_a_seat_cannot_abort_what_a_player_has_seen(ada, grace, mary, is_problem):
    """A friend would abort every game in which a player's tickets are bad, without a trace."""
    seats = [{"open": True}, {"bot": "planner"}]
    against_bot = ada.post("/v1/games", {"board": "london", "seats": seats}).json["id"]
    grace.post(f"/v1/games/{against_bot}/seats", {})
    for game in (against_bot, watched(ada, grace, mary)):
        problem = is_problem(ada.post(f"/v1/games/{game}/abort", {}), 409, "game-started")
        assert (problem["rule"], "resigning" in problem["detail"]) == ("8.4", True)
        assert grace.view(game)["status"] == "playing"
    of_bots = ada.post("/v1/games", {"board": "usa", "seats": [{"bot": "planner"}] * 2}).json["id"]
    assert ada.post(f"/v1/games/{of_bots}/abort", {}).json["ending"] == "aborted"


def test_to_call_a_game_off_after_the_first_turn_began_is_to_resign(
    ada, grace, mary, is_problem, recorder
):
    game = begin(ada, grace, first_seat=None)
    keep_tickets(game, ada, grace)
    is_problem(grace.post(f"/v1/games/{game}/abort", {}), 403, "not-yours")
    view = ada.post(f"/v1/games/{game}/abort", {}).json
    assert [(seat.get("left"), seat["result"]["rank"]) for seat in view["seats"]] == [
        ("resigned", 2),
        (None, 1),
    ]
    recorder.run()
    assert endings(ada) == {"finished": 0, "resigned": 1, "timed_out": 0, "aborted": 0}
    assert endings(grace) == {"finished": 1, "resigned": 0, "timed_out": 0, "aborted": 0}
    of_others = watched(ada, grace, mary)
    keep_tickets(of_others, grace, mary)
    is_problem(ada.post(f"/v1/games/{of_others}/abort", {}), 409, "game-started")


def test_a_game_that_names_no_clock_ends_by_itself_when_somebody_falls_silent(
    app, ada, grace, monkeypatch, redis
):
    game = begin(ada, grace)
    keep_tickets(game, ada)
    view = ada.view(game)
    day = 24 * 3600
    assert view["clock"] == {"per_decision": 3 * day, "total": day, "on_timeout": "resign"}
    casual = create(ada, visibility="unlisted")
    assert casual["clock"] == {"per_decision": 3 * day, "on_timeout": "resign"}
    assert [set(row) for row in view["deciding"]] == [{"seat", "decision", "deadline"}]
    let_an_hour_pass(monkeypatch, 73)
    redis.delete("{fogg}:beat", "{fogg}:pauses")  # it has not been down
    services(app).games.clocks.beat()
    enforce_deadlines(services(app).games)
    view = ada.view(game)
    assert [seat.get("left") for seat in view["seats"]] == [None, "time"]
    assert view["status"] == "finished"
    assert is_right(ada, game)
    again = ada.post(f"/v1/games/{game}/rematch", {}).json
    assert again["clock"] == view["clock"]
