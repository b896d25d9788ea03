"""Failed deliveries are retried with growing delays, and finally given up."""

import time

import pytest

from service.times import as_time
from service.webhooks.attempts import (
    MAX_AGE_MS,
    Verdict,
    pause,
    verdict,
)
from tests.service.callers import begin
from tests.service.webhooks.hooks import DRAW, HOOKS, attempts, due_now, register

NOW = 1_800_000_000_000  # milliseconds since 1970


def test_a_failed_call_is_retried_with_the_same_id_and_growing_delays(
    redis, ada, grace, jobs, heard, sweep
):
    heard.answer = lambda _: (500,)
    hook = register(ada, heard.url, events=["started"])
    begin(ada, grace)
    for attempt in range(1, 4):
        jobs()
        latest = attempts(ada, hook)[0]
        assert (latest["attempt"], latest["status"]) == (attempt, 500)
        assert latest["failure"] == "the answer was 500"
        assert latest["retry_at"] > as_time(int(time.time() * 1000))
        assert due_now(redis, hook) == 1
        sweep()
    heard.answer = lambda _: (204,)
    jobs()
    assert [row["attempt"] for row in attempts(ada, hook)] == [4, 3, 2, 1]
    assert "retry_at" not in attempts(ada, hook)[0]
    assert len({headers["webhook-id"] for headers in heard.headers}) == 1
    assert len(set(heard.raw)) == 1
    assert due_now(redis, hook) == 0
    assert not redis.exists(f"{{w:{hook['id']}}}:failing")


def test_pauses_double_up_to_an_hour_and_differ():
    for attempt in range(1, 40):
        longest = min(3_600_000, 2_000 * 2 ** (attempt - 1)) * 1.2
        assert longest / 1.5 <= pause(attempt) <= longest
    assert len({pause(20) for _ in range(20)}) > 1


@pytest.mark.parametrize(
    ("asked", "least", "most"),
    [("600", 599, 601), ("999999", 3_599, 3_601), ("-5", 1, 3), ("soon", 1, 3), ("0", 1, 3)],
)
def test_an_address_may_ask_for_a_pause_within_bounds(
    redis, ada, jobs, heard, asked, least, most, grace
):
    heard.answer = lambda _: (429, {"Retry-After": asked})
    hook = register(ada, heard.url, events=["started"])
    begin(ada, grace)
    jobs()
    [(_, then)] = redis.zrange(f"{{w:{hook['id']}}}:due", 0, -1, withscores=True)
    assert least <= then / 1000 - time.time() <= most


def test_410_switches_a_webhook_off_at_once(ada, grace, game, jobs, heard, sweep):
    heard.answer = lambda _: (410,)
    hook = register(ada, heard.url)
    jobs()
    shown = ada.get(f"{HOOKS}/{hook['id']}").json
    assert (shown["enabled"], shown["disabled"]["reason"]) == (False, "the address answered 410")
    ada.play(game, DRAW)
    sweep()
    assert jobs() == 0
    assert len(heard.calls) == 1
    heard.answer = lambda _: (204,)
    assert ada.patch(f"{HOOKS}/{hook['id']}", {"enabled": True}).json["enabled"]
    jobs()
    assert len(heard.calls) == 2


def test_a_day_without_a_success_switches_a_webhook_off(redis, ada, grace, jobs, heard, sweep):
    heard.answer = lambda _: (500,)
    hook = register(ada, heard.url)
    begin(ada, grace)
    jobs()
    redis.set(f"{{w:{hook['id']}}}:failing", int(time.time() * 1000) - 86_401_000)
    due_now(redis, hook)
    sweep()
    jobs()
    shown = ada.get(f"{HOOKS}/{hook['id']}").json
    assert shown["disabled"]["reason"] == "no call has succeeded for a day"
    assert not redis.exists(f"{{w:{hook['id']}}}:due")


def test_one_call_that_fails_for_a_day_is_given_up_while_others_succeed(
    redis, ada, grace, jobs, heard, sweep
):
    heard.answer = lambda call: (500,) if call["type"] == "started" else (204,)
    hook = register(ada, heard.url)
    begin(ada, grace)
    jobs()
    key = f"{{w:{hook['id']}}}"
    [(call, _)] = redis.hgetall(f"{key}:tries").items()
    redis.hset(f"{key}:tries", call, f"30 {int(time.time() * 1000) - 86_401_000}")
    for _ in range(2):  # one call of a lane has failed: the next is made a little later
        due_now(redis, hook)
        sweep()
        jobs()
    assert due_now(redis, hook) == 0
    assert ada.get(f"{HOOKS}/{hook['id']}").json["enabled"]
    assert "retry_at" not in next(row for row in attempts(ada, hook) if row["event"] == "started")


def test_a_turn_played_meanwhile_is_not_delivered(redis, ada, grace, game, jobs, heard, sweep):
    heard.answer = lambda _: (500,)
    hook = register(ada, heard.url)
    jobs()
    ada.play(game, DRAW)
    heard.answer = lambda _: (204,)
    due_now(redis, hook)
    sweep()
    jobs()
    decisions = [call["view"]["deciding"][0]["decision"] for call in heard.calls]
    assert decisions == ["turn", "second_card"]


def test_why_no_call_could_be_made_is_said_in_a_sentence(
    ada, grace, game, jobs, heard, monkeypatch
):
    hook = register(ada, "http://127.0.0.1:1/hook")
    jobs()
    [row] = attempts(ada, hook)
    assert (row["failure"], "status" in row) == ("no connection could be made", False)
    private = register(grace, heard.url)
    monkeypatch.delenv("FOGG_WEBHOOKS_PRIVATE")
    for _ in range(2):
        ada.play(game, DRAW)
    jobs()
    assert attempts(grace, private)[0]["failure"] == "the address is not https"
    assert heard.calls == []


def test_a_long_failing_receiver_is_called_less_often(redis, ada, grace, game, jobs, heard):
    heard.answer = lambda _: (500,)
    hook = register(ada, heard.url)
    key = f"{{w:{hook['id']}}}"
    redis.set(f"{key}:failing", int(time.time() * 1000) - 300_000)
    jobs()
    rest = redis.pttl(f"{key}:lane:{game}")
    assert 20_000 < rest <= 31_000
    assert 3_600_000 < redis.pttl(f"{key}:failing") <= 7_200_000


def test_a_test_is_tried_once_and_switches_nothing_off():
    report = {"status": 500, "failure": "the answer was 500", "attempt": 1, "milliseconds": 2_000}
    assert verdict(report, True, NOW, NOW, NOW - 2 * MAX_AGE_MS) == Verdict("failed", rest=4_000)
