"""Tournaments over the API whose rounds wait for their times."""

from datetime import UTC, datetime, timedelta

import pytest

from service.records import rebuilding
from service.times import in_ms, now_in_ms
from service.tournaments import director, index
from tests.service.looks import direct
from tests.service.tournaments.test_tournaments import (
    ALL,
    begun,
    create,
    let_an_hour_pass,
    record,
    see,
)

WON = {"total": 9, "rank": 1}, {"total": 0, "rank": 2}


def in_hours(*hours: float) -> list[str]:
    """Return these times from now, as they are stored."""
    return [
        (datetime.now(UTC) + timedelta(hours=hour)).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
        for hour in hours
    ]


def scheduled(tournaments, cup: dict) -> float:
    """Return when the director checks a tournament, in milliseconds from now."""
    return tournaments.redis.zscore(index.DUE, cup["id"]) - now_in_ms()


def test_a_round_waits_for_its_time(ada, grace, tournaments, monkeypatch):
    first, second = in_hours(0.9, 1.9)
    cup = begun(tournaments, ada, grace, rounds=3, round_times=[first, second])
    assert (cup["status"], cup["round"], cup["next_round_at"]) == ("running", 0, first)
    assert cup["settings"]["round_times"] == [first, second]
    listed = ada.get(ALL).json
    assert listed["items"][0]["next_round_at"] == first
    let_an_hour_pass(monkeypatch)
    direct(tournaments)
    cup = see(ada, cup)
    assert (cup["round"], cup["next_round_at"]) == (1, second)
    record(tournaments, cup, 1, WON)
    direct(tournaments)
    assert see(ada, cup)["round"] == 1
    let_an_hour_pass(monkeypatch)
    direct(tournaments)
    cup = see(ada, cup)
    assert cup["round"] == 2
    assert "next_round_at" not in cup
    record(tournaments, cup, 2, WON)
    direct(tournaments)  # the third round has no time
    assert see(ada, cup)["round"] == 3
    record(tournaments, cup, 3, WON)
    direct(tournaments)
    assert see(ada, cup)["ending"] == "complete"


def test_the_director_comes_back_when_the_round_is_due(ada, grace, tournaments):
    [first] = in_hours(2)
    cup = begun(tournaments, ada, grace, round_times=[first])
    assert scheduled(tournaments, cup) == pytest.approx(2 * director.HOUR, abs=30_000)
    assert tournaments.redis.zscore(index.DUE, cup["id"]) == in_ms(first)


def test_a_rebuild_forgets_no_time(ada, grace, tournaments):
    cup = begun(tournaments, ada, grace, round_times=in_hours(2))
    tournaments.redis.delete(index.DUE)
    rebuilding.lists(tournaments.games.kept)
    direct(tournaments)
    tournament = see(ada, cup)
    assert (tournament["round"], tournament["next_round_at"]) == (0, cup["next_round_at"])
    assert scheduled(tournaments, cup) > director.HOUR


def test_a_tournament_does_not_expire_before_its_first_round(ada, tournaments, monkeypatch):
    cup = create(ada, round_times=in_hours(200))
    let_an_hour_pass(monkeypatch, 200 + 167)
    direct(tournaments)
    assert see(ada, cup)["status"] == "open"
    let_an_hour_pass(monkeypatch, 2)
    direct(tournaments)
    assert see(ada, cup)["ending"] == "expired"


def test_nobody_waits_for_a_round_that_cannot_be_played(ada, grace, tournaments):
    league = begun(tournaments, ada, grace, rounds=3, round_times=in_hours(1, 2, 3))
    assert ada.post(f"{ALL}/{league['id']}/end", {}).json["ending"] == "ended"
    cup = begun(tournaments, ada, grace, rounds=3, round_times=in_hours(1, 2, 3))
    assert grace.delete(f"{ALL}/{cup['id']}/entries/me").status_code == 204
    direct(tournaments)
    tournament = see(ada, cup)
    assert tournament["ending"] == "too_few"
    assert "next_round_at" not in tournament


@pytest.mark.parametrize(
    ("times", "code", "field"),
    [
        (["tomorrow"], "malformed", "round_times.0"),
        ([], "malformed", "round_times"),
        ("2090-01-01T00:00:00Z", "malformed", "round_times"),
        ([None], "malformed", "round_times.0"),
        (129 * ["2090-01-01T00:00:00Z"], "malformed", "round_times"),
        (["2090-02-30T00:00:00Z"], "no-such-time", "round_times.0"),
        (["2090-01-01T00:00:00Z", "2090-01-01T00:00:00Z"], "wrong-order-of-times", "round_times.1"),
        (["2020-01-01T00:00:00Z"], "time-passed", "round_times.0"),
    ],
)
def test_times_that_cannot_be_are_refused(ada, is_problem, times, code, field):
    answer = ada.post(ALL, {"name": "Cup", "round_times": times})
    problem = is_problem(answer, 422 if code == "malformed" else 409, code)
    assert (problem["errors"][0]["field"] if code == "malformed" else problem["field"]) == field
