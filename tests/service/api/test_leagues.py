"""Leagues over the API: rounds that wait for their times, who qualifies, and teams."""

import csv
import io
from datetime import UTC, datetime, timedelta
from zipfile import ZipFile

import pytest

from service.api.serving import services
from service.projections import ratings
from service.times import in_ms, now_in_ms
from service.tournaments import director, index
from tests.service.api.callers import Caller, sign_up
from tests.service.api.test_ratings import won
from tests.service.api.test_tournaments import (
    ALL,
    begun,
    create,
    enter,
    let_an_hour_pass,
    record,
    see,
)
from tests.service.looks import direct

WON = {"total": 9, "rank": 1}, {"total": 0, "rank": 2}


@pytest.fixture
def tournaments(app):
    return services(app).tournaments


def in_hours(*hours: float) -> list[str]:
    """Return these times from now, as they are stored."""
    return [(datetime.now(UTC) + timedelta(hours=hour)).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
            for hour in hours]


def scheduled(tournaments, cup: dict) -> float:
    """Return when the director checks a tournament, in milliseconds from now."""
    return tournaments.redis.zscore(index.DUE, cup["id"]) - now_in_ms()


# Rounds by date


def test_a_round_waits_for_its_time(ada, grace, tournaments, monkeypatch, fits):
    first, second = in_hours(0.9, 1.9)
    cup = begun(tournaments, ada, grace, rounds=3, round_times=[first, second])
    assert (cup["status"], cup["round"], cup["next_round_at"]) == ("running", 0, first)
    assert cup["settings"]["round_times"] == [first, second]
    fits("Tournament", cup)
    listed = ada.get(ALL).json
    fits("Tournaments", listed)
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


def test_a_round_that_is_late_only_waits_for_the_one_before(ada, grace, tournaments, monkeypatch):
    cup = begun(tournaments, ada, grace, rounds=2, round_times=in_hours(0.2, 0.4))
    let_an_hour_pass(monkeypatch)
    direct(tournaments)
    assert see(ada, cup)["round"] == 1
    direct(tournaments)
    assert see(ada, cup)["round"] == 1
    record(tournaments, cup, 1, WON)
    direct(tournaments)
    assert see(ada, cup)["round"] == 2


def test_a_rebuild_forgets_no_time(ada, grace, tournaments):
    cup = begun(tournaments, ada, grace, round_times=in_hours(2))
    tournaments.redis.delete(index.DUE)
    index.rebuild(tournaments.store)
    direct(tournaments)
    found = see(ada, cup)
    assert (found["round"], found["next_round_at"]) == (0, cup["next_round_at"])
    assert scheduled(tournaments, cup) > director.HOUR


def test_a_tournament_does_not_expire_before_its_first_round(ada, tournaments, monkeypatch):
    cup = create(ada, round_times=in_hours(0.5))
    monkeypatch.setenv("FOGG_TOURNAMENT_HOURS", "0")
    direct(tournaments)
    assert see(ada, cup)["status"] == "open"
    let_an_hour_pass(monkeypatch)
    direct(tournaments)
    assert see(ada, cup)["ending"] == "expired"


def test_nobody_waits_for_a_round_that_cannot_be_played(ada, grace, tournaments):
    cup = begun(tournaments, ada, grace, rounds=3, round_times=in_hours(1, 2, 3))
    assert grace.delete(f"{ALL}/{cup['id']}/entries/me").status_code == 204
    direct(tournaments)
    found = see(ada, cup)
    assert found["ending"] == "too_few"
    assert "next_round_at" not in found


def test_an_organiser_ends_a_league_between_rounds(ada, grace, tournaments):
    cup = begun(tournaments, ada, grace, rounds=3, round_times=in_hours(1, 2, 3))
    assert ada.post(f"{ALL}/{cup['id']}/end", {}).json["ending"] == "ended"


def test_rounds_to_come_can_be_moved_after_the_start(
        ada, grace, tournaments, monkeypatch, is_problem):
    times = in_hours(0.5, 1.5, 2.5)
    cup = begun(tournaments, ada, grace, rounds=3, round_times=times)
    path = f"{ALL}/{cup['id']}"
    let_an_hour_pass(monkeypatch)
    direct(tournaments)
    record(tournaments, see(ada, cup), 1, WON)
    later = in_hours(5, 6)
    is_problem(grace.patch(path, {"round_times": times}), 403, "not-yours")
    problem = is_problem(ada.patch(path, {"round_times": later}), 409, "round-paired")
    assert problem["field"] == "round_times"
    is_problem(ada.patch(path, {"round_times": None}), 409, "round-paired")
    is_problem(ada.patch(path, {"round_times": times[:1] + in_hours(0.9)}), 409, "time-passed")
    found = ada.patch(path, {"round_times": times[:1] + later}).json
    assert found["next_round_at"] == later[0]
    direct(tournaments)
    let_an_hour_pass(monkeypatch)
    direct(tournaments)
    assert see(ada, cup)["round"] == 1
    found = ada.patch(path, {"round_times": times[:1]}).json
    assert "next_round_at" not in found
    direct(tournaments)
    assert see(ada, cup)["round"] == 2


@pytest.mark.parametrize(("times", "code", "field"), [
    (["tomorrow"], "malformed", "round_times.0"),
    ([], "malformed", "round_times"),
    ("2090-01-01T00:00:00Z", "malformed", "round_times"),
    ([None], "malformed", "round_times.0"),
    (129 * ["2090-01-01T00:00:00Z"], "malformed", "round_times"),
    (["2090-02-30T00:00:00Z"], "no-such-time", "round_times.0"),
    (["2090-01-01T00:00:00Z", "2090-01-01T00:00:00Z"], "wrong-order-of-times", "round_times.1"),
    (["2020-01-01T00:00:00Z"], "time-passed", "round_times.0"),
])
def test_times_that_cannot_be_are_refused(ada, is_problem, times, code, field):
    answer = ada.post(ALL, {"name": "Cup", "round_times": times})
    problem = is_problem(answer, 422 if code == "malformed" else 409, code)
    assert (problem["errors"][0]["field"] if code == "malformed" else problem["field"]) == field


# Qualification


def refused(is_problem, caller: Caller, cup: dict, code: str = "not-qualified") -> str:
    """Return why a caller may not enter."""
    return is_problem(enter(caller, cup), 403 if code == "not-qualified" else 409, code)["detail"]


def test_the_best_of_another_tournament_enter(ada, grace, app, tournaments, is_problem, fits):
    mary, eve = sign_up(app, "Mary"), sign_up(app, "Eve")
    first = begun(tournaments, ada, grace, mary, format="swiss", rounds=1, seats=3)
    asked = {"ranked": {"tournament": first["id"], "best": 2}}
    cup = create(eve, qualification=asked)
    fits("Tournament", cup)
    assert cup["settings"]["qualification"] == asked
    said = refused(is_problem, grace, cup, "qualifier-not-over")
    assert first["id"] in said
    [table] = first["rounds"][0]["tables"]
    best = {ada.id: 1, grace.id: 2, mary.id: 3}
    record(tournaments, first, 1, tuple(
        {"total": 9 - best[entrant], "rank": best[entrant]}
        for entrant in table["games"][0]["seats"]))
    direct(tournaments)
    for caller in (mary, eve):
        assert "rank 2 or better in Cup" in refused(is_problem, caller, cup)
    assert enter(ada, cup).status_code == 201
    ada.post(f"{ALL}/{first['id']}/entries/{grace.id}/disqualification", {"reason": "Two bots"})
    refused(is_problem, grace, cup)  # and so Mary is second now
    assert enter(mary, cup).status_code == 201
    assert enter(eve, cup, bot="greedy").status_code == 201


def test_nobody_qualifies_in_a_tournament_without_a_round(ada, grace, tournaments, is_problem):
    first = create(ada)
    enter(grace, first)
    ada.post(f"{ALL}/{first['id']}/end", {})
    cup = create(ada, qualification={"ranked": {"tournament": first["id"], "best": 8}})
    refused(is_problem, grace, cup)


def test_rated_games_and_a_rating_qualify(ada, grace, tournaments, is_problem):
    cup = create(ada, qualification={"least_games": 1, "rating_from": 0.5, "rating_to": 3})
    said = refused(is_problem, grace, cup)
    assert "1 rated games, you have 0" in said
    assert "0.5 at least, yours is 0.00" in said
    assert "at most" not in said
    for _ in range(3):
        won(grace, ada)
        ratings.catch_up(tournaments.games.store)
    found = grace.get(f"/v1/players/{grace.id}").json["ratings"][0]["rating"]
    too_low = create(ada, qualification={"rating_from": found + 0.1})
    too_high = create(ada, qualification={"rating_to": found - 0.1})
    assert "at least" in refused(is_problem, grace, too_low)
    assert "at most" in refused(is_problem, grace, too_high)
    fits = create(ada, qualification={"least_games": 3, "rating_from": found - 0.1,
                                      "rating_to": found + 0.1})
    assert enter(grace, fits).status_code == 201


def test_games_of_all_versions_count_for_a_bot(ada, app, tournaments, is_problem):
    made = ada.post("/v1/me/bots", {"name": "Rusty"}).json
    bot = Caller(app, made)
    cup = create(ada, qualification={"least_games": 2})
    for version in ("1", "2"):
        assert bot.patch("/v1/me", {"version": version}).status_code == 200
        refused(is_problem, bot, cup)
        won(sign_up(app, "Eve"), bot)
        ratings.catch_up(tournaments.games.store)
    assert bot.patch("/v1/me", {"version": "3"}).status_code == 200
    assert enter(bot, cup).status_code == 201


@pytest.mark.parametrize(("asked", "code", "field"), [
    ({}, "malformed", "qualification"),
    ([], "malformed", "qualification"),
    ({"prize": 1}, "malformed", "qualification.prize"),
    ({"least_games": 0}, "malformed", "qualification.least_games"),
    ({"rating_from": "10"}, "malformed", "qualification.rating_from"),
    ({"ranked": {"best": 2}}, "malformed", "qualification.ranked.tournament"),
    ({"ranked": {"tournament": "c_1", "best": 0}}, "malformed", "qualification.ranked.best"),
    ({"ranked": {"tournament": "c_1", "best": 1}}, "unknown-tournament", None),
    ({"rating_from": 10, "rating_to": 9}, "rating-outside", "qualification.rating_to"),
])
def test_a_qualification_that_cannot_be_is_refused(ada, is_problem, asked, code, field):
    status = {"malformed": 422, "unknown-tournament": 404}.get(code, 409)
    problem = is_problem(ada.post(ALL, {"name": "Cup", "qualification": asked}), status, code)
    found = problem["errors"][0]["field"] if code == "malformed" else problem.get("field")
    assert found == field


def test_a_qualification_can_be_changed_before_the_start(ada, grace, is_problem):
    cup = create(ada, qualification={"least_games": 5})
    path = f"{ALL}/{cup['id']}"
    refused(is_problem, grace, cup)
    own = {"qualification": {"ranked": {"tournament": cup["id"], "best": 1}}}
    is_problem(ada.patch(path, own), 409, "own-qualifier")
    assert "qualification" not in ada.patch(path, {"qualification": None}).json["settings"]
    assert enter(grace, cup).status_code == 201


# Teams


def change_team(caller: Caller, cup: dict, entrant: str, team: str | None):
    return caller.patch(f"{ALL}/{cup['id']}/entries/{entrant}", {"team": team})


def test_the_best_members_make_a_teams_points(ada, grace, app, tournaments, anybody, fits):
    mary, eve = sign_up(app, "Mary"), sign_up(app, "Eve")
    cup = create(ada, format="swiss", rounds=1, seats=4, team_best=1)
    for caller, team in ((ada, "Reds"), (grace, "reds"), (mary, "=Blues"), (eve, None)):
        entered = enter(caller, cup, **({"team": team} if team else {}))
        assert entered.status_code == 201
    assert [row.get("team") for row in entered.json["entrants"]] == ["Reds", "Reds", "=Blues", None]
    ada.post(f"{ALL}/{cup['id']}/start", {})
    direct(tournaments)
    [table] = see(ada, cup)["rounds"][0]["tables"]
    ranks = {mary.id: 1, ada.id: 2, eve.id: 3, grace.id: 4}
    record(tournaments, cup, 1, tuple({"total": 9 - ranks[entrant], "rank": ranks[entrant]}
                                      for entrant in table["games"][0]["seats"]))
    direct(tournaments)
    found = see(ada, cup)
    fits("Tournament", found)
    assert found["settings"]["team_best"] == 1
    assert [{name: row[name] for name in ("rank", "team", "points", "members", "counted")}
            for row in found["team_standings"]] == [
        {"rank": 1, "team": "=Blues", "points": 1.0, "members": [mary.id], "counted": [mary.id]},
        {"rank": 2, "team": "Reds", "points": 0.6667, "members": [ada.id, grace.id],
         "counted": [ada.id]}]
    answer = anybody.get(f"{ALL}/{cup['id']}/teams.csv")
    assert answer.mimetype == "text/csv"
    rows = [*csv.DictReader(io.StringIO(answer.text))]
    assert [(row["rank"], row["team"]) for row in rows] == [("1", "'=Blues"), ("2", "Reds")]
    assert rows[1]["members"].split() == [ada.id, grace.id]
    one_by_one = anybody.get(f"{ALL}/{cup['id']}/standings.csv").text
    assert [row["team"] for row in csv.DictReader(io.StringIO(one_by_one))] == [
        "'=Blues", "Reds", "", "Reds"]
    archived = anybody.get(f"{ALL}/{cup['id']}/archive.zip").data
    with ZipFile(io.BytesIO(archived)) as whole:
        assert whole.read("teams.csv").decode() == answer.text
    ada.post(f"{ALL}/{cup['id']}/entries/{mary.id}/disqualification", {"reason": "Two bots"})
    assert [row["points"] for row in see(ada, cup)["team_standings"]] == [0.6667, 0]


def test_who_may_change_a_team_and_until_when(ada, grace, tournaments, is_problem):
    cup = create(ada, team_best=2)
    enter(ada, cup)
    enter(grace, cup)
    enter(ada, cup, bot="greedy", team="Engines")
    assert change_team(grace, cup, "me", "engines").json["entrants"][1]["team"] == "Engines"
    is_problem(change_team(grace, cup, ada.id, "Engines"), 403, "not-yours")
    is_problem(change_team(ada, cup, "random", "Engines"), 404, "unknown-entrant")
    is_problem(change_team(ada, cup, "me", "two\nlines"), 422, "malformed")
    is_problem(ada.patch(f"{ALL}/{cup['id']}/entries/me", {}), 422, "malformed")
    found = change_team(ada, cup, grace.id, None).json
    assert "team" not in found["entrants"][1]
    assert change_team(ada, cup, grace.id, None).json["version"] == found["version"]
    ada.post(f"{ALL}/{cup['id']}/start", {})
    is_problem(change_team(grace, cup, "me", "Late"), 409, "tournament-started")


def test_a_tournament_without_teams_says_so(ada, anybody, is_problem):
    cup = create(ada)
    problem = is_problem(enter(ada, cup, team="Reds"), 409, "no-teams")
    assert problem["field"] == "team"
    enter(ada, cup)
    is_problem(change_team(ada, cup, "me", "Reds"), 409, "no-teams")
    is_problem(anybody.get(f"{ALL}/{cup['id']}/teams.csv"), 409, "no-teams")
    assert "team_standings" not in see(ada, cup)
    is_problem(ada.post(ALL, {"name": "Cup", "format": "ladder", "team_best": 2}), 409,
               "ladder-teams")
