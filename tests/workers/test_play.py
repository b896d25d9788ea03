"""How a worker plays waiting games in turn; at the end over HTTP, with the processes of ``fogg
up``."""

import threading
from random import Random

import pytest
from fogg_client.client import Client
from fogg_client.problems import Problem

from service.redis.connection import connect
from service.redis.queue import Queues
from tests.waiting import until
from workers import batch, play, queue, tokens
from workers.bots import BOTS
from workers.queue import Job

DRAW = {"type": "draw_card", "from": "deck"}


def view(game: str, version: int, seat: int, deciding: int, *, you: bool = True) -> dict:
    """The parts of a seat's view that a worker reads, in a game that waits for seat
    ``deciding``."""
    shown = {
        "id": game,
        "board": "usa",
        "version": version,
        "seats": [
            {"seat": n, "player": {"id": f"bot_random_{n}", "bot": "random"}} for n in range(2)
        ],
        "deciding": [{"seat": deciding, "decision": "second_card"}],
    }
    own = {"seat": seat} | ({"legal_actions": [DRAW]} if seat == deciding else {})
    return shown | ({"you": own} if you else {})


class Service:
    """Answers each item with the next result of its game, and records the items."""

    def __init__(self, **of_games: list):
        self.results, self.asked = of_games, []

    def do_many(self, items: list[dict], with_views: bool = True) -> list[dict]:
        self.asked.append([(item["game"], item["token"], "action" in item) for item in items])
        return [self.results[item["game"]].pop(0) for item in items]


def seen(*args, **kwargs) -> dict:
    shown = view(*args, **kwargs)
    return {"status": 200, "version": shown["version"], "view": shown}


def waiting(kind: str, game: str) -> Job:
    """A game of a class that waits for its first seat."""
    return Job(kind, game, "p_1", "bot_random_0", f"{game}-1")


DONE = {"status": 200, "version": 5, "entries": []}


def refused(status: int, code: str, **more) -> dict:
    return {"status": status, "code": code, "detail": ""} | more


@pytest.fixture
def batch_of(monkeypatch):
    """Make a batch of games, g1, g2 ..., each waiting for the first seat, and its service."""

    def batch_of(seconds: float = 60.0, choose=lambda _: (DRAW, 7), **of_games: list):
        service = Service(**of_games)
        monkeypatch.setattr(tokens, "service", lambda: service)
        monkeypatch.setattr(tokens, "of_account", lambda account: account[-1])
        made = batch.Batch(choose, 9, seconds)
        for game in of_games:
            made.add(waiting("bots", game))
        return made, service

    return batch_of


def test_one_request_plays_all_games_and_fetches_the_view_of_the_next_bot(batch_of):
    made, service = batch_of(
        g1=[seen("g1", 4, 0, 0), DONE, seen("g1", 5, 1, 1)],
        g2=[seen("g2", 4, 0, 0), DONE, seen("g2", 5, 1, 0)],
    )
    made.step()
    made.step()
    assert service.asked == [
        [("g1", "0", False), ("g2", "0", False)],
        [("g1", "0", True), ("g1", "1", False), ("g2", "0", True), ("g2", "1", False)],
    ]
    assert [slot.job.value for slot in made.games.values()] == ["bot_random_1", "bot_random_0"]
    assert [slot.view and slot.view["you"]["seat"] for slot in made.games.values()] == [1, None]


def test_games_are_put_back_when_time_runs_out(batch_of, monkeypatch):
    put_back = list[Job]()
    monkeypatch.setattr(queue, "put_back", put_back.append)
    made, service = batch_of(-1.0, **{f"g{n}": [seen(f"g{n}", 4, 0, 0)] * 3 for n in range(3)})
    made.step()
    assert len(made.games) == 3  # no bot had to choose yet
    made.step()
    assert service.asked[1] == [("g0", "0", True), ("g0", "1", False)]
    assert [job.name for job in put_back] == ["g1", "g2"]
    assert ([*made.games], made.room) == (["g0"], 0)


def test_a_stale_refusal_brings_the_newer_view(batch_of):
    made, _ = batch_of(
        g1=[
            seen("g1", 4, 0, 0),
            refused(412, "stale", view=view("g1", 6, 0, 0)),
            seen("g1", 6, 1, 0),
        ]
    )
    made.step()
    made.step()
    assert made.games["g1"].view["version"] == 6


def test_a_game_that_is_gone_or_refused_too_often_is_dropped_and_the_others_go_on(batch_of):
    made, _ = batch_of(
        g1=[seen("g1", 4, 0, 0)] * 2,
        g2=[refused(404, "unknown-game")],
        g3=[refused(409, "history-broken")],
    )
    made.step()
    assert [*made.games] == ["g1"]
    made, _ = batch_of(g1=[refused(409, "too-busy")] * batch.MAX_REFUSALS)
    for _ in range(batch.MAX_REFUSALS - 1):
        made.step()
    with pytest.raises(Problem):
        made.step()
    assert made.games == {}


def test_a_game_that_the_service_cannot_play_is_dropped_and_raised(batch_of):
    made, _ = batch_of(g1=[seen("g1", 4, 0, 0)], g2=[refused(500, "internal")])
    with pytest.raises(Problem):
        made.step()
    assert [*made.games] == ["g1"]


@pytest.fixture
def player(monkeypatch):
    """A player, and a list of the guests' games that it played; one such game waits."""
    made, games, played = play.Player(), [waiting("guests", "g_1")], []

    def take(wanted: dict[str, int], ended=()) -> list[Job]:
        return [games.pop()] if wanted["guests"] and games else []

    def step() -> None:
        played.extend(made.guests.games)
        made.guests.games.clear()

    monkeypatch.setattr(queue, "take", take)
    monkeypatch.setattr(made.guests, "step", step)
    return made, played


def test_a_guests_game_is_played_while_a_bot_thinks_in_a_game_without_guests(player):
    made, played = player
    made.playing = [made.built_in]
    took = made.serve_guests()
    assert played == ["g_1"]
    assert made.interrupted_s == took > 0


@pytest.mark.parametrize("playing", [[], ["guests"], ["built_in", "guests"]])
def test_a_guests_game_waits_while_a_bot_thinks_in_another_guests_game(player, playing):
    made, played = player
    made.playing = [getattr(made, name) for name in playing]
    assert made.serve_guests() == made.interrupted_s == 0
    assert played == []


def test_an_error_in_a_guests_game_does_not_reach_the_bot_that_thinks(player, monkeypatch):
    made, _ = player
    made.playing = [made.built_in]
    monkeypatch.setattr(made.guests, "step", lambda: 1 / 0)
    assert made.serve_guests() > 0


def test_the_note_says_that_a_bot_failed_and_another_chose(player, monkeypatch):
    made, _ = player
    for stand_in, by in (
        (BOTS["random"](None, Random(1)), "planner chose this"),
        (object(), "this was drawn at random"),
    ):
        monkeypatch.setattr(
            play,
            "_bot",
            lambda name, _, stand_in=stand_in: stand_in if name == "planner" else object(),
        )
        action, _ = made.choose(view("g_1", 4, 0, 0))
        assert action == {**DRAW, "note": f"random has no answer; {by}"}


def test_games_without_guests_get_their_share_of_steps(player, monkeypatch):
    made, _ = player
    steps = []
    monkeypatch.setattr(queue, "take", lambda *_, **__: [])
    monkeypatch.setattr(queue, "put_back", lambda _: None)
    monkeypatch.setattr(
        made,
        "_step",
        lambda games: (
            steps.append(games) or (len(steps) == 2 * play.BUILT_IN_EVERY and play.stopping.set())
        ),
    )
    monkeypatch.setattr(play, "stopping", threading.Event())
    made.guests.add(waiting("guests", "g_1"))
    made.play(waiting("bots", "g_2"))
    assert steps.count(made.built_in) == 2


def test_one_worker_plays_games_of_several_accounts_in_turn(stack):
    hog, guest = (Client(stack.url).sign_up(name) for name in ("hog", "guest"))
    seats = [{"bot": "greedy"}, {"bot": "random"}]
    games = [
        who.post("/v1/games", {"board": "usa", "seats": seats})["id"]
        for who in (hog, hog, hog, guest)
    ]
    registry, shown = Queues(connect(stack.queue.url)).of("bots").started_job_registry, set()

    def finished() -> list[bool]:
        shown.update(job.rpartition("-")[0] for job in registry.get_job_ids())
        return [guest.view(game)["status"] == "finished" for game in games]

    until(lambda: any(finished()), 120)
    assert all(guest.view(game)["version"] > 20 for game in games)
    assert shown == {*games}
    until(lambda: all(finished()), 120)
