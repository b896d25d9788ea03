"""Clocks: deadlines that can be settled from the history, and pauses that cost nobody time."""

import json
import time
from dataclasses import replace
from datetime import datetime

import pytest

from domain.boards import boards_by_digest
from domain.errors import Refused
from domain.game.proof import check
from service.accounts import bots
from service.games import buckets
from service.games.clocks import BEAT_EVERY_MS, GRACE_MS, LEAST_PAUSE_MS, Clocks, _overlap
from service.games.playing import enforce_deadlines, time_out
from service.times import as_time, in_ms, now_in_ms
from tests.service.callers import Caller, begin, create, keep_tickets
from tests.service.looks import sweep

DRAW = {"type": "draw_card", "from": "deck"}
BRIEF = 0.5  # seconds: time to choose tickets on a busy machine, and not long to wait for
LESS_THAN_PAUSE = 1.2  # seconds that a pause alone takes longer than


def now() -> float:
    return time.time()


def moment(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()


def timed(ada, grace, clock: dict, **options) -> str:
    game = begin(ada, grace, clock=clock, **options)
    keep_tickets(game, ada, grace)
    return game


def last_entry(caller, game: str) -> dict:
    return caller.get(f"/v1/games/{game}/events").json["items"][-1]


def wait_out(games, game: str, seat: int, seconds: float) -> None:
    """Wait until a seat has had so much time; on a busy machine some of it may be a pause."""
    start = in_ms(games.get(game).since[seat][1])
    while now_in_ms() - start - _overlap(games.clocks.pauses(), start) <= 1000 * seconds:
        time.sleep(0.02)


def deciding_less_pauses(games, caller, game: str) -> list[dict]:
    """Return who is deciding, and the deadlines (in milliseconds since 1970) without pauses. On a
    busy machine there may be a pause at any moment, which moves every deadline."""
    while True:
        pauses = [*games.clocks.pauses()]
        rows, since = caller.view(game)["deciding"], games.get(game).since
        if pauses == games.clocks.pauses():
            return [
                row
                | {
                    "deadline": in_ms(row["deadline"])
                    - _overlap(pauses, in_ms(since[row["seat"]][1]))
                }
                for row in rows
            ]


def let_time_pass(games, game: str, seconds: float) -> None:
    """Wait until a game's deadline has been looked at."""
    time.sleep(seconds + GRACE_MS / 1000 + 0.05)
    time_out(games, game)


def test_a_view_has_the_deadline_and_the_clock(ada, grace):
    game = timed(ada, grace, {"per_decision": 60})
    view = ada.view(game)
    assert view["clock"] == {"per_decision": 60, "on_timeout": "resign"}
    [row] = view["deciding"]
    assert 58 < moment(row["deadline"]) - now() <= 60
    assert moment(row["deadline"]) == moment(last_entry(ada, game)["at"]) + 60


def test_an_entry_records_the_times_of_decision_and_action(ada, grace):
    """Everybody has the whole time for the first tickets."""
    game = begin(ada, grace, clock={"per_decision": 60})
    start = last_entry(ada, game)["at"]
    time.sleep(0.05)
    for caller in (grace, ada):
        entry = caller.play(game, caller.view(game)["you"]["legal_actions"][0])["entries"][0]
        assert start == entry["available"] < entry["arrived"] <= entry["at"]


def test_a_bank_pays_for_thought_and_each_decision_adds_to_it(ada, grace):
    game = begin(ada, grace, clock={"bank": 10, "increment": 2})
    assert [seat["bank"] for seat in ada.view(game)["seats"]] == [10, 10]
    keep_tickets(game, ada, grace)
    before = ada.view(game)["seats"][0]["bank"]
    time.sleep(0.3)
    entry = ada.play(game, DRAW)["entries"][0]
    used = moment(entry["arrived"]) - moment(entry["available"])
    assert used >= 0.3
    used -= entry.get("paused", 0) / 1000  # on a busy machine some of it may be a pause
    assert ada.view(game)["seats"][0]["bank"] == pytest.approx(before - used + 2, abs=0.002)
    assert 11 < ada.view(game)["seats"][1]["bank"] <= 12


def test_a_total_ends_the_game_of_a_seat_that_has_used_it_up(games, ada, grace):
    clock = {"per_decision": 60, "total": 2 * BRIEF}
    game = timed(ada, grace, clock)
    view = ada.view(game)
    assert view["clock"] == clock | {"on_timeout": "resign"}
    [row] = view["deciding"]
    bank = view["seats"][0]["bank"]
    assert moment(row["deadline"]) == pytest.approx(
        moment(last_entry(ada, game)["at"]) + bank, abs=0.002
    )
    assert bank < 2 * BRIEF
    wait_out(games, game, 0, bank + GRACE_MS / 1000)
    enforce_deadlines(games)
    assert ada.view(game)["seats"][0]["left"] == "time"
    history = [json.loads(line) for line in ada.get(f"/v1/games/{game}/history").text.splitlines()]
    assert check(boards_by_digest(), history).wrong is None


@pytest.mark.parametrize(("total", "is_written"), [(3000, True), (86_400, False)])
def test_a_deadline_with_an_ample_total_is_early_enough_for_later_decisions(
    games, ada, grace, total, is_written
):
    game = timed(ada, grace, {"per_decision": 3 * 86_400, "total": total})
    key, known = buckets.key(game, "deadlines"), games.get(game)
    ample = replace(known, banks=(86_400_000, total * 1000 - 10_000))
    games.clocks.schedule(ample, games.clocks.deadlines(ample), is_checked=True)
    first = games.redis.zscore(key, game)
    after = replace(ample, state=ample.state.copy(), since={1: (9, as_time(now_in_ms()))})
    games.clocks.follow(ample, after)
    noted, due = games.redis.zscore(key, game), min(games.clocks.deadlines(after).values())
    assert noted <= due + 1
    assert (noted < first) is is_written


def test_a_seat_that_thinks_too_long_leaves_the_game(games, ada, grace):
    game = timed(ada, grace, {"per_decision": BRIEF})
    let_time_pass(games, game, BRIEF)
    view = ada.view(game)
    assert (view["status"], view["ending"]) == ("finished", "one_seat_left")
    assert view["seats"][0]["left"] == "time"
    entry = last_entry(ada, game)
    assert entry["timed_out"]
    assert (entry["seat"], "action" in entry, "arrived" in entry) == (0, False, False)


def test_or_the_service_acts_for_them_once(games, ada, grace):
    game = begin(ada, grace, clock={"per_decision": BRIEF}, on_timeout="act")
    time_out(games, game)
    assert ada.view(game)["version"] == 2
    let_time_pass(games, game, BRIEF)
    for _ in range(3):
        time_out(games, game)
    entries = ada.get(f"/v1/games/{game}/events").json["items"]
    kept = [entry["action"] for entry in entries if entry.get("timed_out")]
    assert [action["type"] for action in kept] == ["keep_tickets"] * 2
    let_time_pass(games, game, BRIEF)
    entry = last_entry(ada, game)
    assert (entry["action"], entry["seat"], entry["timed_out"]) == (DRAW, 0, True)
    assert ada.view(game)["deciding"][0]["decision"] == "second_card"
    ada.play(game, DRAW)


def test_an_action_that_arrives_late_is_refused_though_nothing_was_enforced_yet(
    games, ada, grace, is_problem
):
    game = timed(ada, grace, {"per_decision": BRIEF})
    wait_out(games, game, 0, BRIEF)
    version = ada.view(game)["version"]
    assert is_problem(ada.act(game, DRAW), 409, "out-of-time")["rule"] == "8.3"
    assert ada.view(game)["version"] == version
    assert ada.act(game, {"type": "resign"}).status_code == 200


def test_an_action_that_arrived_in_time_is_accepted_also_when_it_is_decided_on_late(
    games, ada, grace
):
    game = timed(ada, grace, {"per_decision": BRIEF})
    time.sleep(0.1)
    arrived = round(now() * 1000)
    time.sleep(BRIEF)
    loaded = games.get(game)
    assert games.clocks.timing(loaded, 0, arrived)["arrived"] == as_time(arrived)


def test_a_pause_of_the_service_costs_no_time(games, ada, grace, redis):
    """A pause is a gap between two beats; here the last beat was long ago."""
    game = timed(ada, grace, {"per_decision": LESS_THAN_PAUSE})
    start = in_ms(last_entry(ada, game)["at"])
    time.sleep(0.4 + LEAST_PAUSE_MS / 1000)
    redis.set("{fogg}:beat", start + 100)
    entry = ada.play(game, DRAW)["entries"][0]
    assert entry["paused"] >= LEAST_PAUSE_MS
    took = moment(entry["arrived"]) - moment(entry["available"])
    assert took - entry["paused"] / 1000 <= 0.1001  # it is over when it is noted


def test_a_pause_recorded_again_after_a_failover_counts_once(games, ada, grace, redis):
    """The Redis that took over lacks the last beat and the pause: it notes one that overlaps."""
    game = timed(ada, grace, {"per_decision": 60})
    start = in_ms(last_entry(ada, game)["at"])
    for length in (LEAST_PAUSE_MS + 100, LEAST_PAUSE_MS + 200):
        time.sleep(length / 1000)
        redis.set("{fogg}:beat", start + 10)
        redis.delete("{fogg}:pauses")
        games.clocks.beat()
    entry = ada.play(game, DRAW)["entries"][0]
    assert LEAST_PAUSE_MS < entry["paused"] <= in_ms(entry["at"]) - start


def test_a_deadline_moves_by_a_pause(games, ada, grace, redis):
    game = timed(ada, grace, {"per_decision": LESS_THAN_PAUSE})
    before = moment(ada.view(game)["deciding"][0]["deadline"])
    start = in_ms(last_entry(ada, game)["at"])
    time.sleep(LEAST_PAUSE_MS / 1000 + 0.2)
    redis.set("{fogg}:beat", start)
    time_out(games, game)
    view = ada.view(game)
    assert view["status"] == "playing"
    assert moment(view["deciding"][0]["deadline"]) - before >= LEAST_PAUSE_MS / 1000


def test_actions_of_others_do_not_extend_a_deadline(games, ada, grace, mary):
    game = begin(ada, grace, mary, clock={"per_decision": 30})
    keep_tickets(game, ada, grace, mary)
    before = deciding_less_pauses(games, ada, game)
    time.sleep(0.05)
    mary.play(game, {"type": "resign"})
    assert deciding_less_pauses(games, ada, game) == before


def test_a_game_of_built_in_bots_alone_has_no_clock(ada):
    seats = [{"bot": "greedy"}, {"bot": "random"}]
    view = ada.post("/v1/games", {"board": "usa", "seats": seats}).json
    assert "clock" not in view
    assert "deadline" not in view["deciding"][0]


def test_a_clock_that_cannot_run_is_refused(ada, is_problem):
    for clock in (
        {},
        {"per_decision": 0},
        {"per_decision": "9"},
        {"bank": 5, "extra": 1},
        {"per_decision": 5, "bank": 5},
        {"bank": 1e12},
        {"increment": 5},
        5,
    ):
        answer = ada.post(
            "/v1/games",
            {"board": "usa", "seats": [{"open": True}] * 2, "options": {"clock": clock}},
        )
        assert is_problem(answer, 422, "malformed")["field"].startswith("options.clock")


def test_an_action_that_moves_a_deadline_on_writes_nothing_for_it(games, ada, grace, redis):
    """The index keeps the earlier time until the game is looked at then."""
    game = timed(ada, grace, {"per_decision": 60})
    deadlines = buckets.key(game, "deadlines")
    noted = redis.zscore(deadlines, game)
    time.sleep(0.01)
    view = ada.play(game, DRAW)["view"]
    assert redis.zscore(deadlines, game) == noted
    time_out(games, game)
    assert redis.zscore(deadlines, game) == in_ms(view["deciding"][0]["deadline"]) > noted


def test_a_deadline_that_is_earlier_than_the_noted_one_is_noted(games, ada, grace, redis):
    game = timed(ada, grace, {"bank": 60})
    deadlines = buckets.key(game, "deadlines")
    time.sleep(0.3)
    ada.play(game, DRAW)
    ada.play(game, DRAW)  # Grace's bank is full, Ada's is not
    time_out(games, game)
    of_grace = redis.zscore(deadlines, game)
    assert of_grace == in_ms(ada.view(game)["deciding"][0]["deadline"])
    grace.play(game, DRAW)
    of_ada = in_ms(grace.play(game, DRAW)["view"]["deciding"][0]["deadline"])
    assert redis.zscore(deadlines, game) == of_ada < of_grace


def test_a_first_deadline_that_could_not_be_noted_is_noted_by_the_sweep(
    games, ada, grace, redis, monkeypatch
):
    def fail(*_args, **_options):
        raise ConnectionError

    game = create(ada, clock={"per_decision": 60})["id"]
    with monkeypatch.context() as broken:
        broken.setattr(Clocks, "schedule", fail)
        assert grace.post(f"/v1/games/{game}/seats", {}).status_code == 201
    deadlines = buckets.key(game, "deadlines")
    assert redis.zscore(deadlines, game) is None
    sweep(games)
    assert redis.zscore(deadlines, game) is not None


def test_deadlines_that_a_failover_has_lost_are_noted_again(games, ada, grace, redis):
    game = timed(ada, grace, {"per_decision": 60})
    deadlines = buckets.key(game, "deadlines")
    noted = redis.zscore(deadlines, game)
    redis.delete(deadlines)
    games.mark_kept()
    sweep(games)
    assert redis.zscore(deadlines, game) >= noted


def test_one_heartbeat_serves_all_checks_right_after_it(games, redis):
    games.clocks.beat()
    first = redis.get("{fogg}:beat")
    time.sleep(0.01)
    games.clocks.beat()
    assert redis.get("{fogg}:beat") == first
    time.sleep(BEAT_EVERY_MS / 1000)
    games.clocks.beat()
    assert redis.get("{fogg}:beat") > first


# Built-in bots: the clock counts what they think, and not what they wait for a worker

BOTS_ALONE = {
    "board": "usa",
    "seats": [{"bot": "random"}, {"bot": "greedy"}],
    "options": {"first_seat": 0, "clock": {"per_decision": BRIEF}},
}


@pytest.fixture
def bot(app, redis):
    """The built-in bot's account on seat 0, as a worker plays it."""
    token = bots.register(redis)["random"][0]
    return Caller(app, {"id": "bot_random_0", "token": token})


def choose(caller, game: str, **headers):
    """Play the first legal action."""
    return caller.act(game, caller.view(game)["you"]["legal_actions"][0], headers=headers)


def test_a_built_in_bot_that_waits_for_a_worker_does_not_lose_by_time(games, ada, bot):
    game = ada.post("/v1/games", BOTS_ALONE).json["id"]
    assert not any("deadline" in row for row in ada.view(game)["deciding"])
    let_time_pass(games, game, BRIEF)
    assert ada.view(game)["status"] == "playing"
    answer = choose(bot, game, **{"Fogg-Thinking": "20"})
    entry = answer.json["entries"][0]
    took = round(1000 * (moment(entry["arrived"]) - moment(entry["available"])))
    assert entry["queued"] == took - entry.get("paused", 0) - 20
    bot.play(game, {"type": "resign"})
    history = [json.loads(line) for line in ada.get(f"/v1/games/{game}/history").text.splitlines()]
    assert check(boards_by_digest(), history).wrong is None


def test_waiting_for_a_worker_does_not_reduce_the_bank(games, ada, bot):
    wish = BOTS_ALONE | {"options": {"first_seat": 0, "clock": {"bank": 10, "increment": 0}}}
    game = ada.post("/v1/games", wish).json["id"]
    wait_out(games, game, 0, 0.1)
    shown = choose(bot, game, **{"Fogg-Thinking": "50"}).json["view"]
    assert shown["seats"][0]["bank"] == 9.95


@pytest.mark.parametrize("on_timeout", ["resign", "act"])
def test_a_built_in_bot_that_thinks_too_long_is_out_of_time_as_its_action_comes(
    games, ada, bot, is_problem, on_timeout
):
    wish = BOTS_ALONE | {"options": BOTS_ALONE["options"] | {"on_timeout": on_timeout}}
    game = ada.post("/v1/games", wish).json["id"]
    wait_out(games, game, 0, BRIEF + 0.1)
    late = choose(bot, game, **{"Fogg-Thinking": str(round(1000 * BRIEF) + 50)})
    is_problem(late, 409, "out-of-time")
    entry = last_entry(ada, game)
    assert (entry["seat"], entry["timed_out"]) == (0, True)
    assert "left" in ada.view(game)["seats"][0] or on_timeout == "act"


def test_reported_thinking_time_counts_only_from_built_in_bots(games, ada, grace):
    game = timed(ada, grace, {"per_decision": 60})
    loaded = games.get(game)
    late = in_ms(loaded.since[0][1]) + 3_600_000
    with pytest.raises(Refused, match="60 seconds"):
        games.clocks.timing(loaded, 0, late, thinking=0)
    entry = ada.act(game, DRAW, headers={"Fogg-Thinking": "0"}).json["entries"][0]
    assert "queued" not in entry
