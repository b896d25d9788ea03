"""A worker that lets games take turns, over HTTP, in the processes that ``fogg up`` starts."""

import time

import pytest
from fogg_client.client import Client

from workers import play, turns
from workers.turns import Turn

DEADLINE = 120  # seconds, on a busy machine


@pytest.fixture
def guests(monkeypatch):
    """What plays those who wait; beside it what is played, and what waits."""
    found, waiting = play._Guests(), [Turn("guests", "p_1", "g_1", "bot_random_0")]
    played = []
    monkeypatch.setattr(play, "next_guest", lambda: waiting.pop() if waiting else None)
    monkeypatch.setattr(play, "_played", lambda turn: played.append(turn.game))
    return found, waiting, played


def test_who_waits_is_played_while_a_bot_thinks_where_nobody_does(guests):
    found, _, played = guests
    found.kinds = ["bots"]
    took = found.serve()
    assert played == ["g_1"]
    assert found.seconds == took > 0


@pytest.mark.parametrize("kinds", [[], ["guests"], ["bots", "guests"]])
def test_but_not_while_one_thinks_for_another_guest(guests, kinds):
    found, _, played = guests
    found.kinds = kinds
    assert found.serve() == found.seconds == 0
    assert played == []


def test_what_goes_wrong_there_does_not_concern_the_bot_that_thinks(guests, monkeypatch):
    found, *_ = guests
    found.kinds = ["bots"]
    monkeypatch.setattr(play, "_played", lambda turn: 1 / 0)
    assert found.serve() > 0


def test_one_worker_plays_many_games_of_one_account_beside_that_of_another(stack):
    hog, guest = (Client(stack.url).sign_up(name) for name in ("hog", "guest"))
    seats = [{"bot": "greedy"}, {"bot": "random"}]
    many = [hog.post("/v1/games", {"board": "usa", "seats": seats})["id"] for _ in range(3)]
    one = guest.post("/v1/games", {"board": "usa", "seats": seats})["id"]
    end = time.monotonic() + DEADLINE
    while guest.view(one)["status"] != "finished":
        assert time.monotonic() < end
        time.sleep(0.1)
    assert any(hog.view(game)["status"] != "finished" for game in many)
    while any(hog.view(game)["status"] != "finished" for game in many):
        assert time.monotonic() < end + DEADLINE
        time.sleep(0.1)


def test_the_names_of_the_queue_are_the_services():
    from service.games import workers

    assert (turns.QUEUE, turns.JOB) == (workers.QUEUE, workers.JOB)
    assert turns.CLASSES == (workers.GUESTS, workers.BOTS)
