"""Analyses of finished games: who may ask, how workers make them, and what they show."""

import json
import re

import pytest

from domain.errors import Refused
from service.accounts import bots
from service.analyses import analyses
from service.analyses.analyses import Analyses
from service.games import workers
from service.games.store import GameStore
from service.http.serving import services
from service.redis.queue import Queues
from tests.service.callers import Caller, begin, keep_tickets, won
from tools.generators.openapi_tape import Tape
from workers import analyse, queue, tokens

DRAW = {"type": "draw_card", "from": "deck"}
RESIGN = {"type": "resign"}
NEW = {"status": "queued", "progress": 0.0, "decisions": []}


class OverTheClient:
    """The service as a worker calls it, without a network."""

    def __init__(self, app, token: str):
        self._caller = Caller(app, {"token": token})

    def post(self, path: str, body: dict):
        answer = self._caller.post(path, body)
        assert answer.status_code in (200, 204), answer.json
        return answer.json if answer.status_code == 200 else None

    def get(self, path: str):
        return self._caller.get(path).json

    def download(self, path: str) -> list[bytes]:
        return self._caller.get(path).get_data().splitlines()


class Judge:
    """Judges in no time. Records the views that it was given."""

    def __init__(self):
        self.views = []

    def __call__(
        self, board: dict, version: int, view: dict, action: dict, rng, seconds: float, meanwhile
    ):
        assert board["id"] == view["board"]
        self.views.append(view)
        return {
            "version": version,
            "seat": view["you"]["seat"],
            "played": action,
            "best": action,
            "cost": 1.5,
            "interval": [0.5, 2.5],
            "win": 0.75,
        }


@pytest.fixture
def judge(monkeypatch):
    judging = Judge()
    monkeypatch.setattr(analyse, "judged", judging)
    return judging


@pytest.fixture
def worker(app, redis, judge, monkeypatch, worker_queue):
    """A worker's job: judges decisions of the game that waits first, for so many seconds, and
    returns the game."""
    [[token, *_], *_] = bots.register(redis).values()
    monkeypatch.setattr(tokens, "service", lambda: OverTheClient(app, token))
    analyse._decisions.cache_clear()

    def work(seconds: float = 60.0, name: str = "one") -> str | None:
        monkeypatch.setattr(analyse, "JOB_S", seconds)
        monkeypatch.setattr(queue, "WORKER", name)
        jobs = queue.take({"analyses": 1})
        for job in jobs:
            analyse.analyse_game(job.name)
        return jobs[0].name if jobs else None

    return work


@pytest.fixture
def sweep(app):
    return services(app).find(Analyses).sweep


def path(game: str) -> str:
    return f"/v1/games/{game}/analysis"


def ask(caller: Caller, game: str) -> dict:
    answer = caller.post(path(game), {})
    assert answer.status_code == 202, answer.json
    return answer.json


def shown(caller: Caller, game: str) -> dict:
    return caller.read(path(game))


def over(ada: Caller, grace: Caller, **options) -> str:
    """Another game that is over, with four decisions."""
    game = begin(ada, grace, **options)
    keep_tickets(game, ada, grace)
    ada.play(game, DRAW)
    grace.play(game, RESIGN)
    return game


def waiting(app) -> int:
    """Return how many games wait to be analysed, by the metrics."""
    page = Caller(app).get("/metrics").get_data(as_text=True)
    return float(re.search(r"^fogg_analyses_queue_length (\S+)", page, re.MULTILINE)[1])


def kill(worker, monkeypatch, name: str) -> None:
    """Kill a worker while it judges."""

    def die(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(analyse, "judged", die)
        with pytest.raises(KeyboardInterrupt):
            worker(name=name)


def expire_lease(redis, game: str) -> None:
    redis.delete(GameStore.key(game, "analyst"))


def test_the_analysis_of_a_game_is_made_when_somebody_has_asked(
    ada, anybody, finished, worker, judge, is_problem, redis
):
    is_problem(anybody.get(path(finished)), 404, "unknown-analysis")
    assert ask(ada, finished) == NEW == shown(anybody, finished)
    assert worker() == finished
    report = shown(anybody, finished)
    assert (report["status"], report["progress"]) == ("done", 1.0)
    decided = [
        json.loads(line)
        for line in anybody.get(f"/v1/games/{finished}/decisions").get_data().splitlines()
    ]
    assert [(row["version"], row["seat"], row["played"]) for row in report["decisions"]] == [
        (row["version"], row["seat"], row["action"]) for row in decided
    ]
    assert judge.views == [row["view"] for row in decided]  # which the seat had
    assert report["turning_point"] is None  # all chances are the same
    assert set(report["costliest"]) == {"0", "1"}
    assert ask(ada, finished) == report  # it is not made again
    assert worker() is None
    assert redis.hlen(analyses.UNDER_WAY) == 0


def test_the_progress_shows_while_a_worker_judges_and_others_take_turns(
    app, ada, grace, anybody, worker
):
    games = [over(ada, grace) for _ in range(2)]
    for game in games:
        ask(ada, game)
    assert waiting(app) == 2
    assert [worker(-1.0) for _ in range(3)] == [games[0], games[1], games[0]]
    report = shown(anybody, games[0])
    assert (report["status"], len(report["decisions"])) == ("running", 2)
    assert 0 < report["progress"] < 1
    assert "costliest" not in report


def test_another_worker_continues_after_one_has_died(
    ada, grace, anybody, worker, judge, sweep, redis, monkeypatch
):
    game = over(ada, grace)
    ask(ada, game)
    worker(-1.0)
    kill(worker, monkeypatch, name="dies")
    sweep()
    assert worker(name="other") is None  # the lease of the dead one still lasts
    expire_lease(redis, game)
    sweep()
    before = len(judge.views)
    assert worker(name="other") == game
    report = shown(anybody, game)
    assert (report["status"], len(report["decisions"])) == ("done", 1 + len(judge.views) - before)


def test_a_worker_that_was_slow_adds_nothing_after_another_has_gone_on(
    app, ada, grace, anybody, worker, redis
):
    game, made = over(ada, grace), services(app).find(Analyses)
    ask(ada, game)
    assert made.next(game, "slow") == 0
    expire_lease(redis, game)
    assert made.next(game, "quick") == 0
    assert made.next(game, "slow") is None
    row = {"version": 2, "seat": 0, "played": DRAW, "best": DRAW}
    for _ in range(2):  # the answer to the first was lost
        made.add(game, "quick", 0, 3, row)
    made.add(game, "slow", 0, 3, row)
    made.add(game, "slow", 1, 3, row)
    made.fail(game, "slow")
    assert shown(anybody, game)["status"] == "running"
    assert len(shown(anybody, game)["decisions"]) == 1
    made.leave(game, "slow")
    assert made.next(game, "quick") == 1


def test_a_worker_that_judges_one_decision_for_long_keeps_its_lease(
    ada, grace, anybody, worker, redis, monkeypatch
):
    left = []

    def judged(board, version, view, action, *_, meanwhile, **__):
        redis.pexpire(lease, 1000)
        assert meanwhile() > 0
        left.append(redis.pttl(lease))
        return {"version": version, "seat": 0, "played": action, "best": action}

    monkeypatch.setattr(analyse, "judged", judged)
    monkeypatch.setattr(analyse, "RENEW_S", 0.0)
    game = over(ada, grace)
    lease = GameStore.key(game, "analyst")
    ask(ada, game)
    worker()
    assert shown(anybody, game)["status"] == "done"
    assert min(left) > analyses.LEASE / 2


def test_a_game_at_which_workers_die_again_and_again_is_given_up(
    ada, grace, anybody, worker, sweep, redis, monkeypatch
):
    game = over(ada, grace)
    ask(ada, game)
    for n in range(analyses.MAX_TRIES):
        kill(worker, monkeypatch, name=f"dies-{n}")
        expire_lease(redis, game)
        sweep()
    assert shown(anybody, game)["status"] == "running"
    assert worker(name="last") == game
    assert shown(anybody, game)["status"] == "failed"
    sweep()
    assert worker() is None
    assert ask(ada, game) == NEW  # it is tried again
    assert worker() == game
    assert shown(anybody, game)["status"] == "done"


def test_games_that_wait_for_a_bot_come_first(ada, grace, worker, judge, redis):
    game = over(ada, grace)
    ask(ada, game)
    Queues(redis).put(workers.BOTS, "p_1", "g_1")
    assert worker() == game
    assert len(judge.views) == 1
    redis.delete("rq:queue:bots")
    worker()
    assert len(judge.views) == 3


def test_an_account_and_its_bots_may_have_some_analyses_under_way(
    app, ada, grace, worker, monkeypatch, is_problem, redis
):
    monkeypatch.setenv("FOGG_CAPS", "analyses=2")
    games = [over(ada, grace) for _ in range(3)]
    for game in games[:2]:
        ask(ada, game)
    bot = ada.post("/v1/me/bots", {"name": "Ada's bot"})
    for caller in (ada, Caller(app, bot.json)):
        is_problem(caller.post(path(games[2]), {}), 409, "too-many-analyses")
    assert len(redis.keys("*:analysis")) == 2
    assert ask(ada, games[0]) == NEW  # it is under way already
    assert ask(grace, games[2]) == NEW
    worker()
    assert ask(ada, over(ada, grace)) == NEW


def test_an_analysis_that_failed_stays_so_while_another_is_refused(
    ada, grace, anybody, worker, monkeypatch, is_problem, redis
):
    monkeypatch.setenv("FOGG_CAPS", "analyses=1")
    game, other = over(ada, grace), over(ada, grace)
    ask(ada, game)
    monkeypatch.setattr(analyse, "judged", lambda *_, **__: 1 / 0)
    worker()
    assert redis.hlen(analyses.UNDER_WAY) == 0
    ask(ada, other)
    is_problem(ada.post(path(game), {}), 409, "too-many-analyses")
    assert shown(anybody, game) == NEW | {"status": "failed"}


def test_a_refused_request_leaves_a_later_analysis_alone(app, ada, grace, redis, monkeypatch):
    made, asked = services(app).find(Analyses), []
    game = analyses.game_for(made.games, None, over(ada, grace))

    def refuse_more(*_):
        asked.append(1)
        if len(asked) == 1:
            made.ask(game, "quick")
            raise Refused("too-many-analyses", None, "too many")

    monkeypatch.setattr(analyses, "refuse_more", refuse_more)
    with pytest.raises(Refused):
        made.ask(game, "slow")
    assert made.of(game).status == "queued"
    assert redis.hget(analyses.UNDER_WAY, game.state.id) == b"quick"


def test_only_games_that_are_over_and_not_private_are_analysed(
    ada, grace, mary, anybody, game, is_problem
):
    is_problem(ada.post(path(game), {}), 409, "game-not-finished")
    is_problem(anybody.get(path(game)), 409, "game-not-finished")
    is_problem(anybody.post(path(game), {}), 401, "not-signed-in")
    is_problem(ada.post(path("g_" + "0" * 20), {}), 404, "unknown-game")
    for options, status, code in (
        ({"visibility": "private"}, 404, "unknown-game"),
        ({"spectators": False}, 403, "not-yours"),
    ):
        hidden = path(won(ada, grace, **options))
        is_problem(ada.post(hidden, {}), 409, "game-not-public")
        is_problem(ada.get(hidden), 409, "game-not-public")
        is_problem(mary.post(hidden, {}), status, code)


def test_a_game_without_a_result_is_not_analysed_nor_any_by_a_player(ada, finished, is_problem):
    made = ada.post("/v1/games", {"board": "usa", "seats": [{"player": "me"}, {"open": True}]}).json
    assert ada.post(f"/v1/games/{made['id']}/abort", {}).status_code == 200
    is_problem(ada.post(path(made["id"]), {}), 409, "game-without-result")
    ask(ada, finished)
    is_problem(
        ada.post(f"/internal{path(finished).removeprefix('/v1')}", {"worker": "me"}),
        403,
        "not-yours",
    )


def test_an_analysis_of_a_game_that_was_rolled_back_is_no_longer_shown(
    ada, anybody, finished, worker, redis, is_problem
):
    ask(ada, finished)
    worker()
    redis.hset(GameStore.key(finished, "analysis"), "last", "0" * 64)
    is_problem(anybody.get(path(finished)), 404, "unknown-analysis")
    assert ask(ada, finished) == NEW


def test_nothing_is_left_of_an_analysis_that_expires(app, ada, finished, redis, sweep):
    key, made = GameStore.key(finished, "analysis"), services(app).find(Analyses)
    ask(ada, finished)
    assert 0 < redis.ttl(key) <= analyses.KEEP_S
    assert made.next(finished, "one") == 0
    redis.delete(key)  # as if it had expired
    made.fail(finished, "one")
    assert not redis.exists(key)
    expire_lease(redis, finished)
    sweep()
    assert redis.hlen(analyses.UNDER_WAY) == 0


# Examples for openapi.yaml


def show_analyses(tape: Tape) -> None:
    """Ask for the analysis of the finished game, and read it."""
    path = f"{tape.game}/analysis"
    game = tape.game.rpartition("/")[2]
    tape.call("getAnalysis", "unknown-analysis", "Nobody has asked for it yet", "GET", path)
    tape.call("analyseGame", "queued", "A new analysis", "POST", path, {}, "ada")
    decided = [
        json.loads(line)
        for line in tape.ask("GET", f"{tape.game}/decisions").get_data().splitlines()
    ]
    for number, row in enumerate(decided):
        assert tape.find(Analyses).next(game, "here") == number
        if number == 2:
            tape.call("getAnalysis", "running", "The first decisions are judged", "GET", path)
        others = [
            action for action in row["view"]["you"]["legal_actions"] if action != row["action"]
        ]
        cost = round(1.4 * number, 2) if others else 0.0
        tape.find(Analyses).add(
            game,
            "here",
            number,
            len(decided),
            {
                "version": row["version"],
                "seat": row["seat"],
                "played": row["action"],
                "best": others[0] if others else row["action"],
                "cost": cost,
                "interval": [round(cost - 2.1, 2), round(cost + 2.1, 2)],
                "win": round(0.5 + 0.01 * number, 3),
            },
        )
    tape.call("getAnalysis", "done", "A whole analysis", "GET", path)
    tape.find(Analyses).next(game, "here")
