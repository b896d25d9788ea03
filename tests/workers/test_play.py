"""A worker that lets games take turns, over HTTP, in the processes that ``fogg up`` starts."""

import threading
import time

import pytest
from fogg_client.client import Client
from fogg_client.problems import Problem

from workers import hand, play, tokens, turns
from workers.turns import Turn

DEADLINE = 120  # seconds, on a busy machine
DRAW = {"type": "draw_card", "from": "deck"}


def view(game: str, version: int, seat: int, deciding: int, *, you: bool = True) -> dict:
    """As much of a view as a worker looks at: of a seat, while the game waits for another."""
    shown = {"id": game, "board": "usa", "version": version,
             "seats": [{"seat": n, "player": {"id": f"bot_random_{n}", "bot": "random"}}
                       for n in range(2)],
             "deciding": [{"seat": deciding, "decision": "second_card"}]}
    own = {"seat": seat} | ({"legal_actions": [DRAW]} if seat == deciding else {})
    return shown | ({"you": own} if you else {})


class Service:
    """Answers requests by what is set down for each game, and keeps what was asked."""

    def __init__(self, **of_games: list):
        self.of_games, self.asked = of_games, []

    def do_many(self, items: list[dict], with_views: bool = True) -> list[dict]:
        self.asked.append([(item["game"], item["token"], "action" in item) for item in items])
        return [self.of_games[item["game"]].pop(0) for item in items]


def seen(*args, **kwargs) -> dict:
    shown = view(*args, **kwargs)
    return {"status": 200, "version": shown["version"], "view": shown}


DONE = {"status": 200, "version": 5, "entries": []}


def refused(status: int, code: str, **more) -> dict:
    return {"status": status, "code": code, "detail": ""} | more


@pytest.fixture
def hand_of(monkeypatch):
    """Make a hand of games, g1, g2 ..., each waiting for the first seat, and its service."""
    def hand_of(seconds: float = 60.0, choose=lambda _: (DRAW, 7), **of_games: list):
        service = Service(**of_games)
        monkeypatch.setattr(tokens, "service", lambda: service)
        monkeypatch.setattr(tokens, "of_account", lambda account: account[-1])
        made = hand.Hand(choose, 9, seconds)
        for game in of_games:
            made.add(Turn("bots", "p_1", game, "bot_random_0"))
        return made, service

    return hand_of


def test_games_are_moved_side_by_side_and_looked_at_for_who_is_next(hand_of):
    made, service = hand_of(
        g1=[seen("g1", 4, 0, 0), DONE, seen("g1", 5, 1, 1)],
        g2=[seen("g2", 4, 0, 0), DONE, seen("g2", 5, 1, 0)])
    made.step()
    made.step()
    assert service.asked == [[("g1", "0", False), ("g2", "0", False)],
                             [("g1", "0", True), ("g1", "1", False),
                              ("g2", "0", True), ("g2", "1", False)]]
    assert [held.turn.bot for held in made.games.values()] == ["bot_random_1", "bot_random_0"]
    assert [held.view and held.view["you"]["seat"] for held in made.games.values()] == [1, None]


def test_those_that_there_is_no_time_for_are_left_to_others(hand_of):
    made, service = hand_of(-1.0, **{f"g{n}": [seen(f"g{n}", 4, 0, 0)] * 3 for n in range(3)})
    made.step()
    assert len(made.games) == 3  # looks need no thought
    made.step()
    assert service.asked[1] == [("g0", "0", True), ("g0", "1", False)]
    assert [turn.game for turn in made.late()] == ["g1", "g2"]
    assert (made.late(), [*made.games], made.room) == ([], ["g0"], 0)


def test_one_that_has_moved_on_is_seen_as_it_is_now(hand_of):
    made, _ = hand_of(g1=[seen("g1", 4, 0, 0), refused(412, "stale", view=view("g1", 6, 0, 0)),
                          seen("g1", 6, 1, 0)])
    made.step()
    made.step()
    assert made.games["g1"].view["version"] == 6


def test_one_that_is_gone_or_refused_for_ever_is_left_and_the_others_go_on(hand_of):
    made, _ = hand_of(
        g1=[seen("g1", 4, 0, 0)] * 2, g2=[refused(404, "unknown-game")],
        g3=[refused(409, "history-broken")])
    made.step()
    assert [*made.games] == ["g1"]
    made, _ = hand_of(g1=[refused(409, "too-busy")] * hand.TRIES)
    for _ in range(hand.TRIES - 1):
        made.step()
    with pytest.raises(Problem):
        made.step()
    assert made.games == {}


def test_what_the_service_does_not_do_is_left_to_whom_it_calls(hand_of):
    made, _ = hand_of(g1=[seen("g1", 4, 0, 0)], g2=[refused(500, "internal")])
    with pytest.raises(Problem):
        made.step()
    assert [*made.games] == ["g1"]


@pytest.fixture
def table(monkeypatch):
    """A worker's games; beside it a guest's, who waits, and what is played of them."""
    found, waiting, played = play.Table(), [Turn("guests", "p_1", "g_1", "bot_random_0")], []

    def take(guests: int = 0, built_in: int = 0, played=()) -> list[Turn]:
        return [waiting.pop()] if guests and waiting else []

    def step() -> None:
        played.extend(found.guests.games)
        found.guests.games.clear()

    monkeypatch.setattr(play, "take", take)
    monkeypatch.setattr(found.guests, "step", step)
    return found, played


def test_who_waits_is_played_while_a_bot_thinks_where_nobody_does(table):
    found, played = table
    found.playing = [found.built_in]
    took = found.serve()
    assert played == ["g_1"]
    assert found.away == took > 0


@pytest.mark.parametrize("playing", [[], ["guests"], ["built_in", "guests"]])
def test_but_not_while_one_thinks_for_another_guest(table, playing):
    found, played = table
    found.playing = [getattr(found, name) for name in playing]
    assert found.serve() == found.away == 0
    assert played == []


def test_what_goes_wrong_there_does_not_concern_the_bot_that_thinks(table, monkeypatch):
    found, _ = table
    found.playing = [found.built_in]
    monkeypatch.setattr(found.guests, "step", lambda: 1 / 0)
    assert found.serve() > 0


def test_built_in_bots_among_themselves_do_not_stand_still_for_guests(table, monkeypatch):
    found, _ = table
    steps = []
    monkeypatch.setattr(play, "take", lambda *_, **__: [])
    monkeypatch.setattr(found, "_step", lambda hand: steps.append(hand) or (
        len(steps) == 2 * play.SHARE and play.stopping.set()))
    monkeypatch.setattr(play, "stopping", threading.Event())
    for hand_, game in ((found.guests, "g_1"), (found.built_in, "g_2")):
        hand_.add(Turn("", "p_1", game, "bot_random_0"))
    found.play()
    assert steps.count(found.built_in) == 2


def test_one_worker_plays_games_of_several_accounts_side_by_side(stack):
    hog, guest = (Client(stack.url).sign_up(name) for name in ("hog", "guest"))
    seats = [{"bot": "greedy"}, {"bot": "random"}]
    games = [who.post("/v1/games", {"board": "usa", "seats": seats})["id"]
             for who in (hog, hog, hog, guest)]
    end = time.monotonic() + DEADLINE
    views = []
    while not any(view["status"] == "finished" for view in views):
        assert time.monotonic() < end
        time.sleep(0.1)
        views = [guest.view(game) for game in games]
    assert all(view["version"] > 20 for view in views)
    while any(guest.view(game)["status"] != "finished" for game in games):
        assert time.monotonic() < end + DEADLINE
        time.sleep(0.1)


def test_the_names_of_the_queue_are_the_services():
    from service.games import workers

    assert (turns.QUEUE, turns.JOB) == (workers.QUEUE, workers.JOB)
    assert (turns.GUESTS, turns.BUILT_IN) == (workers.GUESTS, workers.BOTS)
