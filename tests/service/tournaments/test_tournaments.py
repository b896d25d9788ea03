"""Tournaments over the API: setting up, entering, being paired, seeing how one stands."""

import csv
import io
import resource
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from zipfile import ZipFile

import orjson
import pytest

from domain.tournament.fold import pair_round, record_table
from service.app import create_app
from service.http.serving import services
from service.records import rebuilding
from service.times import CLOCK, now
from service.tournaments import director, index
from service.tournaments.tournaments import Tournaments
from tests.service.callers import Caller, pages, sign_up
from tests.service.looks import direct
from tools.generators.openapi_tape import Tape

ALL = "/v1/tournaments"


def create(caller: Caller, **wish) -> dict:
    made = caller.post(ALL, {"name": "Cup"} | wish)
    assert made.status_code == 201, made.json
    return made.json


def enter(caller: Caller, cup: dict, **wish):
    return caller.post(f"{ALL}/{cup['id']}/entries", wish)


def see(caller: Caller, cup: dict) -> dict:
    return caller.get(f"{ALL}/{cup['id']}").json


def started(creator: Caller, *others: Caller, **wish) -> dict:
    """Return a tournament of these callers that has started."""
    cup = create(creator, **wish)
    for caller in (creator, *others):
        assert enter(caller, cup).status_code == 201
    assert creator.post(f"{ALL}/{cup['id']}/start", {}).status_code == 200
    return cup


def begun(
    tournaments, creator: Caller, *others: Caller, leaving: Sequence[Caller] = (), **wish
) -> dict:
    """Return a tournament of these callers, its first round paired, before which some leave."""
    cup = started(creator, *others, *leaving, **wish)
    for caller in leaving:
        assert caller.delete(f"{ALL}/{cup['id']}/entries/me").status_code == 204
    direct(tournaments)
    return see(creator, cup)


def games_of(cup: dict) -> list[dict]:
    return [
        game for paired in cup["rounds"] for table in paired["tables"] for game in table["games"]
    ]


def resign(caller: Caller, game: dict) -> None:
    caller.play(game["game"], {"type": "resign"})


def record(tournaments, cup: dict, number: int, results: tuple) -> None:
    """Record the first table of a round as if its one game had ended so."""
    loaded = tournaments.get(cup["id"])
    tournaments.append(loaded, record_table(loaded.state, number, 1, (results,)))


def let_an_hour_pass(monkeypatch, hours: int = 1) -> None:
    """Set the service's time an hour, or some hours, ahead."""
    here, then, rate = CLOCK._since
    monkeypatch.setattr(CLOCK, "_since", (here, then + hours * 3600 * 10**9, rate))


# Setting up


def test_a_malformed_tournament_is_refused(ada, is_problem):
    wrong = {
        "format": "melee",
        "seats": 1,
        "boards": [],
        "rounds": 0,
        "max_entrants": 1000,
        "clock": None,
        "starts_at": "tomorrow",
        "name": "Cup\n",
        "prize": 1,
    }
    for field, value in wrong.items():
        problem = is_problem(ada.post(ALL, {"name": "Cup"} | {field: value}), 422, "malformed")
        assert problem["field"] == field


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("2090-01-01T12:00:00+00:00", "2090-01-01T12:00:00.000Z"),
        ("2090-01-01T12:00:00.123456+00:00", "2090-01-01T12:00:00.123Z"),
        ("2090-01-01T12:00:00.123456789Z", "2090-01-01T12:00:00.123Z"),
        ("2090-01-01T12:00:00-00:00", "2090-01-01T12:00:00.000Z"),
        ("2090-01-01T12:00:00.5+05:30", "2090-01-01T06:30:00.500Z"),
    ],
)
def test_a_time_may_be_written_as_python_and_go_do(ada, written, stored):
    cup = create(ada, starts_at=written, round_times=[written])
    assert [cup["starts_at"], *cup["settings"]["round_times"]] == [stored] * 2


def test_an_impossible_tournament_is_refused(ada, is_problem):
    def answer(**wish):
        return ada.post(ALL, {"name": "Cup"} | wish)

    is_problem(answer(boards=["atlantis"]), 404, "unknown-board")
    is_problem(answer(boards=["usa", "london"], seats=5), 409, "wrong-number-of-seats")
    is_problem(answer(format="knockout", rounds=3), 409, "knockout-rounds")
    is_problem(answer(starts_at="2020-01-01T00:00:00Z"), 409, "time-passed")
    is_problem(answer(starts_at="2090-02-30T00:00:00Z"), 409, "no-such-time")


def test_settings_can_be_changed_until_somebody_else_enters_and_texts_until_the_end(
    ada, grace, tournaments, is_problem
):
    texts = {"description": "On Saturday", "rules": "Bots only.\n\nBe fair."}
    cup = create(ada, starts_at="2090-01-01T00:00:00Z", rounds=3, **texts)
    assert texts.items() <= cup.items()
    enter(ada, cup)
    path = f"{ALL}/{cup['id']}"
    change = {
        "name": "Better cup",
        "boards": ["london", "paris"],
        "seats": 3,
        "clock": {"bank": 60, "increment": 1},
        "starts_at": None,
        "description": None,
    }
    answer = ada.patch(path, change)
    assert (answer.status_code, answer.headers["ETag"]) == (200, '"3"')
    tournaments.store._cache.clear()
    tournament = see(ada, cup)
    assert tournament == answer.json
    assert not tournament.keys() & {"starts_at", "description"}
    assert (tournament["name"], tournament["rules"], tournament["entrants"][0]["entrant"]) == (
        "Better cup",
        texts["rules"],
        ada.id,
    )
    assert tournament["settings"] == cup["settings"] | {
        "boards": ["london", "paris"],
        "seats": 3,
        "clock": {"bank": 60, "increment": 1, "on_timeout": "resign"},
    }
    assert ada.get(ALL).json["items"][0]["name"] == "Better cup"
    assert ada.patch(path, change).json == tournament  # changes nothing
    for wrong, code in (
        ({"seats": 5}, "wrong-number-of-seats"),
        ({"format": "knockout"}, "knockout-rounds"),
        ({"starts_at": "2020-01-01T00:00:00Z"}, "time-passed"),
    ):
        is_problem(ada.patch(path, wrong), 409, code)
    bot = Caller(ada.client.application, ada.post("/v1/me/bots", {"name": "Mine"}).json)
    is_problem(enter(bot, cup), 409, "owner-entered")
    for wrong in (
        {"seats": None},
        {"prize": 1},
        {"rules": ""},
        {"rules": "\u200b"},
        {"description": 1001 * "x"},
    ):
        is_problem(ada.patch(path, wrong), 422, "malformed")
    enter(grace, cup)
    is_problem(ada.patch(path, {"name": "Cup", "max_entrants": 2}), 409, "tournament-fixed")


def test_a_repeated_request_is_answered_as_the_first_time(ada, grace, is_problem):
    key = {"Idempotency-Key": "one"}
    first = ada.post(ALL, {"name": "Cup"}, headers=key)
    path = f"{ALL}/{first.json['id']}"
    entered = grace.post(f"{path}/entries", {}, headers=key)
    ada.post(f"{path}/entries", {})
    start = {"Idempotency-Key": "two"}
    started = ada.post(f"{path}/start", {}, headers=start)
    for _ in range(2):
        assert ada.post(ALL, {"name": "Cup"}, headers=key).data == first.data
        assert grace.post(f"{path}/entries", {}, headers=key).data == entered.data
        assert ada.post(f"{path}/start", {}, headers=start).data == started.data
    is_problem(ada.post(ALL, {"name": "Another"}, headers=key), 422, "key-reused")
    assert len(ada.get(ALL).json["items"]) == 1
    wish = {"board": "usa", "seats": [{"player": "me"}, {"open": True}]}
    assert ada.post("/v1/games", wish, headers=key).json["status"] == "lobby"  # another key


# Entering


def test_an_account_and_a_built_in_bot_enter_once_and_nobody_after_the_start(
    ada, grace, mary, anybody, is_problem
):
    cup = create(ada)
    answer = enter(grace, cup)
    assert answer.headers["Location"] == f"{ALL}/{cup['id']}/entries/{grace.id}"
    assert [row["player"]["name"] for row in answer.json["entrants"]] == ["Grace"]
    is_problem(enter(grace, cup), 409, "already-entered")
    is_problem(enter(anybody, cup), 401, "not-signed-in")
    is_problem(enter(ada, cup, bot="hal"), 422, "malformed")
    assert enter(ada, cup, bot="planner").json["entrants"][1:] == [
        {
            "entrant": "planner",
            "player": {"id": "bot_planner_0", "name": "planner", "bot": "planner"},
        }
    ]
    is_problem(enter(ada, cup, bot="planner"), 409, "already-entered")
    assert ada.post(f"{ALL}/{cup['id']}/start", {}).json["status"] == "running"
    is_problem(enter(mary, cup), 409, "tournament-started")


def test_of_names_that_look_alike_the_later_one_is_marked_everywhere(app, ada, grace, tournaments):
    cup = create(ada, rounds=2)
    trains = [sign_up(app, name) for name in ("\U0001f682", "\U0001f683")]
    doubles = [sign_up(app, name) for name in ("grace", "Gr\u0430ce", "Gr\u0251ce")]
    forger = sign_up(app, f"Grace ({doubles[0].id[:8]})")
    for caller in (ada, grace, *trains, forger, *doubles):
        assert enter(caller, cup).status_code == 201
    grace.patch("/v1/me", {"name": "Ada"})
    ada.post(f"{ALL}/{cup['id']}/start", {})
    direct(tournaments)
    shown = see(ada, cup)
    names = {
        ada.id: "Ada",
        grace.id: "Grace",
        trains[0].id: "\U0001f682",
        trains[1].id: "\U0001f683",
    }
    names[forger.id] = f"{forger.account['name']} ({forger.id[:8]})"
    names |= {one.id: f"{one.account['name']} ({one.id[:8]})" for one in doubles}
    assert {row["entrant"]: row["player"]["name"] for row in shown["entrants"]} == names
    for game in games_of(shown):
        for seat in ada.view(game["game"])["seats"]:
            assert seat["player"]["name"] == names[seat["player"]["id"]]
    rows = csv.DictReader(io.StringIO(ada.get(f"{ALL}/{cup['id']}/standings.csv").text))
    assert {row["entrant"]: row["name"] for row in rows} == names


def test_the_creator_closes_the_entries_and_keeps_somebody_out(
    app, ada, grace, mary, anybody, tournaments, is_problem
):
    cup = create(ada)
    path = f"{ALL}/{cup['id']}"
    enter(grace, cup)
    assert ada.patch(path, {"entry": "closed"}).json["settings"]["entry"] == "closed"
    is_problem(enter(mary, cup), 409, "entry-closed")
    assert enter(ada, cup).status_code == 201
    code = ada.patch(path, {"entry": "invitation"}).json["invitation"]
    assert enter(mary, cup, invitation=code).status_code == 201
    bot = Caller(app, grace.post("/v1/me/bots", {"name": "Bot"}).json)
    out = f"{path}/entries/{grace.id}?keep_out=true&reason=Again"
    is_problem(mary.delete(out), 403, "not-yours")
    is_problem(ada.delete(f"{out}&keep_out=yes"), 422, "malformed")
    assert ada.delete(out).status_code == 204
    for caller in (grace, bot):
        is_problem(enter(caller, cup, invitation=code), 409, "kept-out")
    tournaments.store._cache.clear()
    [gone] = see(anybody, cup)["removed"]
    assert (gone["entrant"], gone["reason"], gone["kept_out"]) == (grace.id, "Again", True)
    back = f"{path}/entries/{grace.id}/disqualification"
    is_problem(mary.delete(back), 403, "not-yours")
    assert ada.delete(back).status_code == 204
    is_problem(ada.delete(back), 404, "unknown-entrant")
    [gone] = see(anybody, cup)["removed"]
    assert "lifted_at" in gone
    assert "kept_out" not in gone
    assert enter(grace, cup, invitation=code).status_code == 201
    assert ada.post(f"{path}/start", {}).status_code == 200
    is_problem(ada.delete(out), 409, "tournament-started")
    is_problem(ada.patch(path, {"entry": "open"}), 409, "tournament-started")


def test_a_process_that_has_not_seen_a_change_changes_it_back(connection, ada):
    cup = create(ada)
    elsewhere = Caller(create_app(connection), ada.account)
    for caller, visibility in ((elsewhere, "public"), (ada, "unlisted"), (elsewhere, "public")):
        assert caller.patch(f"{ALL}/{cup['id']}", {"visibility": visibility}).status_code == 200
    assert "visibility" not in see(ada, cup)


def test_entering_by_invitation_takes_the_code_that_the_creator_sees(ada, grace, is_problem):
    cup = create(ada, entry="invitation")
    is_problem(enter(grace, cup), 403, "not-yours")
    is_problem(enter(grace, cup, invitation="0" * 20), 403, "not-yours")
    other = create(ada, entry="invitation")
    is_problem(enter(grace, cup, invitation=other["invitation"]), 403, "not-yours")
    assert "invitation" not in enter(grace, cup, invitation=cup["invitation"]).json
    assert enter(ada, cup).status_code == 201


def test_the_disqualified_are_out_before_the_start(app, ada, grace, is_problem):
    cup = create(ada)
    bot = Caller(app, grace.post("/v1/me/bots", {"name": "Bot"}).json)
    enter(bot, cup)
    entries, reason = f"{ALL}/{cup['id']}/entries", {"reason": "A second account"}
    path = f"{entries}/{bot.id}/disqualification"
    is_problem(ada.post(f"{entries}/{grace.id}/disqualification", reason), 404, "unknown-entrant")
    is_problem(ada.post(path, {"reason": ""}), 422, "malformed")
    tournament = ada.post(path, reason).json
    [gone] = tournament["disqualified"]
    assert (gone["entrant"], gone["reason"], gone["by"]) == (bot.id, reason["reason"], ada.id)
    assert tournament["entrants"] == []
    for caller in (bot, grace):
        is_problem(enter(caller, cup), 409, "disqualified")


def test_an_unlisted_tournament_and_its_games_are_in_no_list_of_others(
    ada, grace, anybody, tournaments
):
    cup = begun(tournaments, ada, grace, visibility="unlisted")
    assert see(anybody, cup)["visibility"] == "unlisted"
    for path in (
        ALL,
        f"{ALL}?creator={ada.id}",
        f"{ALL}?player={grace.id}&status=running",
        "/v1/games",
    ):
        assert anybody.get(path).json["items"] == []
    assert [row["id"] for row in grace.get(f"{ALL}?player=me").json["items"]] == [cup["id"]]
    assert anybody.view(games_of(cup)[0]["game"])["status"] == "playing"


def test_tournaments_are_listed_the_newest_first_by_status_creator_and_player(
    ada, grace, anybody, is_problem
):
    cups = []
    for creator in (grace, ada, grace):
        cups.insert(0, create(creator)["id"])
        enter(grace, {"id": cups[0]})
        time.sleep(0.002)

    def listed(query: str) -> list[str]:
        return [row["id"] for row in anybody.get(f"{ALL}?{query}").json["items"]]

    assert [row for rows in pages(anybody, ALL, limit=2) for row in rows] == (
        anybody.get(ALL).json["items"]
    )
    assert listed("") == listed(f"player={grace.id}") == cups
    assert listed(f"player={grace.id}&creator={ada.id}") == listed(f"creator={ada.id}") == cups[1:2]
    assert listed(f"player={grace.id}&status=running") == listed(f"player={ada.id}") == []
    ada.post(f"{ALL}/{cups[1]}/end", {})
    assert listed("status=finished") == cups[1:2]
    grace.delete(f"{ALL}/{cups[0]}/entries/me")
    assert listed(f"player={grace.id}") == cups[1:]
    is_problem(anybody.get(f"{ALL}?player=me"), 401, "not-signed-in")


def test_the_seed_of_lots_is_secret_until_the_end(ada, grace, mary, tournaments):
    cup = begun(tournaments, mary, grace, ada, format="swiss", rounds=1)
    state = tournaments.get(cup["id"]).state
    assert len(state.settings.lots) == 64
    assert state.settings.lots not in ada.get(f"{ALL}/{cup['id']}").get_data(True)
    order = sorted(
        (ada.id, grace.id, mary.id),
        key=lambda entrant: sha256(f"{state.settings.lots}\n{entrant}".encode()).hexdigest(),
    )
    assert state.active == order
    assert [row["entrant"] for row in cup["entrants"]] == [mary.id, grace.id, ada.id]
    assert "lots_seed" not in mary.post(f"{ALL}/{cup['id']}/end", {}).json["settings"]
    by_id = {who.id: who for who in (ada, grace, mary)}
    for game in games_of(cup):
        resign(by_id[game["seats"][0]], game)
    direct(tournaments)
    ended = see(ada, cup)
    assert (ended["status"], ended["settings"]["lots_seed"]) == ("finished", state.settings.lots)
    assert "lots_seed" not in create(ada)["settings"]


def test_entries_are_withdrawn_by_their_owners_and_before_the_start_by_the_creator(
    ada, grace, mary, tournaments, is_problem
):
    cup = create(ada)
    path = f"{ALL}/{cup['id']}/entries"
    for caller in (ada, grace, mary):
        enter(caller, cup)
    for answer in (grace.post(f"{ALL}/{cup['id']}/start", {}), enter(grace, cup, bot="random")):
        is_problem(answer, 403, "not-yours")
    is_problem(ada.delete(f"{path}/{mary.id}?reason=a%0Ab"), 422, "malformed")
    assert ada.delete(f"{path}/{mary.id}").status_code == 204
    assert mary.delete(f"{path}/me").status_code == 404
    assert [e["entrant"] for e in see(ada, cup)["entrants"]] == [ada.id, grace.id]
    ada.post(f"{ALL}/{cup['id']}/start", {})
    direct(tournaments)
    is_problem(ada.delete(f"{path}/{grace.id}"), 403, "not-yours")
    assert grace.delete(f"{path}/me").status_code == 204
    is_problem(grace.delete(f"{path}/me"), 409, "not-entered")
    assert see(ada, cup)["entrants"][1]["withdrawn"] is True


# Rounds


def test_a_round_is_paired_played_and_recorded(ada, grace, mary, tournaments):
    cup = begun(tournaments, ada, grace, mary)
    assert (cup["round"], len(games_of(cup)), len(cup["rounds"][0]["byes"])) == (1, 1, 1)
    by_id = {caller.id: caller for caller in (ada, grace, mary)}
    while cup["status"] == "running":
        game = next(game for game in games_of(cup) if "results" not in game)
        view = by_id[game["seats"][0]].view(game["game"])
        assert view["tournament"] == {"id": cup["id"], "round": cup["round"], "table": 1}
        assert [seat["player"]["id"] for seat in view["seats"]] == game["seats"]
        resign(by_id[max(game["seats"], key=(mary.id, grace.id, ada.id)[::-1].index)], game)
        direct(tournaments)
        cup = see(ada, cup)
    assert (cup["ending"], cup["round"], len(games_of(cup))) == ("complete", 3, 3)
    assert [row["entrant"] for row in cup["standings"]] == [ada.id, grace.id, mary.id]
    assert [row["points"] for row in cup["standings"]] == [2.5, 1.5, 0.5]
    assert {row.get("left") for game in games_of(cup) for row in game["results"]} == {
        None,
        "resigned",
    }
    assert ada.get(f"{ALL}/{cup['id']}?rounds=1").json["rounds"] == cup["rounds"][-1:]


def test_two_directors_at_a_time_create_and_pair_nothing_twice(
    ada, grace, tournaments, connection, redis
):
    other = services(create_app(connection)).find(Tournaments)
    cup = started(ada, grace, deals="duplicate", rounds=3)
    for _ in range(3):
        for _ in range(2):
            together(lambda: direct(tournaments), lambda: direct(other))
            for game in games_of(see(ada, cup)):
                if "results" not in game and ada.view(game["game"])["status"] == "playing":
                    resign(grace, game)
    together(lambda: direct(tournaments), lambda: direct(other))
    tournament = see(ada, cup)
    assert (tournament["ending"], tournament["round"]) == ("complete", 3)
    assert sorted(key.decode()[3:-5] for key in redis.scan_iter("{g:*}:log")) == sorted(
        game["game"] for game in games_of(tournament)
    )
    assert tournament["version"] == 1 + 2 + 1 + 3 * 2 + 1


def together(*functions) -> None:
    """Do all at the same time."""
    with ThreadPoolExecutor(len(functions)) as pool:
        for done in [pool.submit(function) for function in functions]:
            done.result()


def test_missing_games_of_a_round_are_created_by_the_next_check(ada, grace, tournaments, redis):
    cup = begun(tournaments, ada, grace, deals="duplicate")
    lost = games_of(cup)[1]["game"]
    redis.delete(f"{{g:{lost}}}:log", f"{{g:{lost}}}:head")
    tournaments.games.store._cache.clear()
    direct(tournaments)
    assert [seat["player"]["id"] for seat in grace.view(lost)["seats"]] == (
        games_of(cup)[1]["seats"]
    )


def test_a_round_is_shown_once_its_games_can_be_asked_for(ada, grace, tournaments):
    cup = started(ada, grace)
    loaded = tournaments.get(cup["id"])
    tournaments.append(loaded, pair_round(loaded.state, now()))
    with ThreadPoolExecutor(1) as pool:
        seen = pool.submit(see, ada, cup)
        time.sleep(0.1)
        direct(tournaments)
        [game] = games_of(seen.result())
    assert ada.get(f"/v1/games/{game['game']}").status_code == 200


def test_a_game_names_the_version_of_each_bot(app, ada, grace, tournaments):
    made = grace.post("/v1/me/bots", {"name": "Bot", "version": "1"}).json
    bot = Caller(app, made)
    cup = create(ada, rounds=2)
    for caller in (ada, bot):
        enter(caller, cup)
    assert bot.patch("/v1/me", {"version": "2"}).status_code == 200
    ada.post(f"{ALL}/{cup['id']}/start", {})
    direct(tournaments)
    assert bot.patch("/v1/me", {"version": "3"}).status_code == 200  # later games know version 2
    resign(ada, games_of(see(ada, cup))[0])
    direct(tournaments)
    for game in games_of(see(ada, cup)):
        seats = ada.view(game["game"])["seats"]
        assert [seat["player"]["version"] for seat in seats if seat["player"]["id"] == bot.id] == [
            "2"
        ]


def test_a_player_gets_a_notice_of_a_pairing_before_the_game_starts(ada, grace, tournaments):
    after = grace.get("/v1/me/events").json["next"]
    cup = begun(tournaments, ada, grace)
    told = grace.get(f"/v1/me/events?after={after}").json
    assert [notice["type"] for notice in told["items"]] == [
        "tournament",
        "paired",
        "started",
        "your_turn",
    ]
    game = games_of(cup)[0]["game"]
    assert told["items"][1] == {
        "type": "paired",
        "game": game,
        "version": 1,
        "tournament": cup["id"],
        "round": 1,
    }
    again = grace.get(f"/v1/me/events?after={told['next']}").json["items"]
    assert [notice["type"] for notice in again] == ["your_turn"]


def announced(caller: Caller, after: str) -> list[tuple]:
    """Return the notices of an account about tournaments after a cursor."""
    items = caller.get(f"/v1/me/events?after={after}").json["items"]
    return [
        (
            notice["change"],
            notice.get("entrant", {}).get("name"),
            notice.get("reason"),
            notice.get("round"),
            notice.get("bye"),
            notice.get("ending"),
        )
        for notice in items
        if notice["type"] == "tournament"
    ]


def test_entrants_and_the_creator_get_notices_of_a_tournament(
    ada, grace, mary, app, tournaments, is_problem
):
    robot = sign_up(app, "Robot")
    everybody = (ada, grace, mary, robot)
    after = {who: who.get("/v1/me/events").json["next"] for who in everybody}
    cup = create(ada, format="swiss", rounds=1)
    for who in (ada, grace, mary, robot):
        enter(who, cup)
    entries = f"{ALL}/{cup['id']}/entries"
    ada.delete(f"{entries}/{robot.id}?reason=Not%20a%20bot")
    ada.post(f"{ALL}/{cup['id']}/start", {})
    direct(tournaments)
    ada.post(f"{entries}/{mary.id}/disqualification", {"reason": "Two programs"})
    ada.delete(f"{entries}/{mary.id}/disqualification")
    grace.delete(f"{entries}/me")
    ending = ada.post(f"{ALL}/{cup['id']}/end", {"reason": "The hall closes"}).json
    assert (ending["status"], ending["last_round"]) == ("running", 1)
    is_problem(ada.post(f"{ALL}/{cup['id']}/end", {}), 409, "tournament-ending")
    [game] = games_of(see(ada, cup))
    resign(next(who for who in everybody if who.id == game["seats"][0]), game)
    direct(tournaments)
    shown = see(mary, cup)
    [removed] = shown["removed"]  # who has left of their own will leaves no trace
    assert (removed["entrant"], removed["by"], removed["reason"]) == (robot.id, ada.id, "Not a bot")
    assert cup["created"] <= removed["at"] <= shown["ended_early"]["at"]
    assert (shown["ended_early"]["by"], shown["ended_early"]["reason"]) == (
        ada.id,
        "The hall closes",
    )
    begun, ended = (
        ("begun", None, None, None, None, None),
        ("ended", None, None, None, None, "ended"),
    )
    last = ("last_round", None, "The hall closes", 1, None, None)
    removed = ("removed", "Robot", "Not a bot", None, None, None)
    disqualified = [
        ("disqualified", "Mary", "Two programs", None, None, None),
        ("reinstated", "Mary", None, None, None, None),
    ]
    [bye] = see(ada, cup)["rounds"][0]["byes"]
    told = {who: announced(who, after[who]) for who in everybody}
    assert told[robot] == [removed]
    rounds = {
        who: ("round", None, None, 1, True if who.id == bye else None, None) for who in everybody
    }
    assert told[ada] == [
        removed,
        begun,
        rounds[ada],
        *disqualified,
        ("withdrawn", "Grace", None, None, None, None),
        last,
        ended,
    ]
    for who, own in ((mary, [*disqualified, last]), (grace, [])):
        assert told[who] == [begun, *([rounds[who]] if bye == who.id else []), *own, ended]
    [notice] = robot.get(f"/v1/me/events?after={after[robot]}").json["items"]
    assert (notice["tournament"], notice["name"]) == (cup["id"], "Cup")
    again = mary.get(f"/v1/me/events?after={after[mary]}").json["next"]
    assert announced(mary, again) == []


def test_a_tournament_starts_by_time(ada, grace, tournaments, monkeypatch):
    soon = (datetime.now(UTC) + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    cup, changed, alone = create(ada, starts_at=soon), create(ada), create(ada, starts_at=soon)
    ada.patch(f"{ALL}/{changed['id']}", {"starts_at": soon})
    for entered in (cup, changed):
        enter(ada, entered)
        enter(grace, entered)
    direct(tournaments)
    assert see(ada, cup)["status"] == see(ada, changed)["status"] == "open"
    let_an_hour_pass(monkeypatch)
    direct(tournaments)
    assert see(ada, cup)["status"] == see(ada, changed)["status"] == "running"
    assert see(ada, alone)["ending"] == "too_few"


def test_a_tournament_that_nobody_starts_expires(ada, tournaments, monkeypatch):
    cup = create(ada)
    later = create(ada, starts_at="2090-01-01T00:00:00Z")
    direct(tournaments)
    assert see(ada, cup)["status"] == "open"
    let_an_hour_pass(monkeypatch, 169)
    direct(tournaments)
    assert see(ada, cup)["ending"] == "expired"
    assert see(ada, later)["status"] == "open"
    assert [row["id"] for row in ada.get(f"{ALL}?status=open").json["items"]] == [later["id"]]


def test_a_tournament_is_followed_by_its_version(ada, grace, app):
    cup = create(ada)
    path = f"{ALL}/{cup['id']}"
    known = {"If-None-Match": ada.get(path).headers["ETag"]}
    same = ada.get(path, headers=known)
    assert (same.status_code, same.data) == (304, b"")
    assert same.headers["ETag"] == known["If-None-Match"]
    assert ada.get(f"{path}?after=1&wait=0.05").json["version"] == 1
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(ada.get, f"{path}?after=1&wait=30", headers=known)
        time.sleep(0.2)
        assert not waiting.done()
        enter(grace, cup)
        assert waiting.result(10).json["version"] == 2


def test_a_tournament_publishes_its_standings_and_once_they_are_final_an_archive(
    app, ada, anybody, tournaments, is_problem, monkeypatch
):
    hostile = sign_up(app, "=1+1 <b>&")
    cup = begun(tournaments, ada, hostile, name="Cup & <i>", rules="Be fair.")
    path = f"{ALL}/{cup['id']}"
    for caller in (anybody, ada):
        is_problem(caller.get(f"{path}/archive.zip"), 409, "tournament-not-finished")
    assert "standings_final_at" not in see(anybody, cup)
    [game] = games_of(cup)
    resign(ada, game)
    direct(tournaments)
    final_at = see(anybody, cup)["standings_final_at"]
    ended = datetime.fromisoformat(see(anybody, cup)["updated"])
    assert datetime.fromisoformat(final_at) - ended == timedelta(hours=72)
    table = anybody.get(f"{path}/standings.csv")
    rows = list(csv.DictReader(io.StringIO(table.text)))
    assert [(row["rank"], row["name"], row["points"], row["state"]) for row in rows] == [
        ("1", "'=1+1 <b>&", "1.0", ""),
        ("2", "Ada", "0.0", ""),
    ]
    assert {row["final_at"] for row in rows} == {final_at}
    again = anybody.get(f"{path}/standings.csv", headers={"If-None-Match": table.headers["ETag"]})
    assert again.status_code == 304
    for caller in (anybody, hostile):
        problem = is_problem(caller.get(f"{path}/archive.zip"), 409, "standings-provisional")
        assert final_at in problem["detail"]
    early = ada.get(f"{path}/archive.zip").data
    let_an_hour_pass(monkeypatch, 71)
    is_problem(anybody.get(f"{path}/archive.zip"), 409, "standings-provisional")
    let_an_hour_pass(monkeypatch)
    for data in (early, anybody.get(f"{path}/archive.zip").data):
        with ZipFile(io.BytesIO(data)) as whole:
            assert whole.testzip() is None
            assert orjson.loads(whole.read("tournament.json")) == see(anybody, cup)
            assert whole.read("standings.csv").decode() == table.text
            assert "Be fair." in whole.read("README.md").decode()
            assert (
                whole.read("histories.ndjson")
                == anybody.get(f"/v1/games/{game['game']}/history").data
            )
            assert set(whole.namelist()) >= {"LICENCE.txt"}


def test_an_archive_is_everybodys_once_its_creator_has_no_account(
    ada, grace, anybody, tournaments, is_problem
):
    cup = begun(tournaments, ada, grace)
    resign(ada, games_of(cup)[0])
    direct(tournaments)
    archive = f"{ALL}/{cup['id']}/archive.zip"
    is_problem(anybody.get(archive), 409, "standings-provisional")
    assert ada.delete("/v1/me").status_code == 204
    for caller in (anybody, grace):
        assert caller.get(archive).status_code == 200


def test_the_creator_disqualifies_and_reinstates_until_the_standings_are_final(
    ada, grace, anybody, tournaments, is_problem, monkeypatch
):
    cup = begun(tournaments, ada, grace)
    [game] = games_of(cup)
    resign(ada, game)
    direct(tournaments)
    before = see(anybody, cup)
    final_at = before["standings_final_at"]
    path = f"{ALL}/{cup['id']}/entries/{grace.id}/disqualification"
    is_problem(ada.delete(path), 409, "not-disqualified")
    is_problem(ada.delete(path.replace(grace.id, "random")), 404, "unknown-entrant")
    let_an_hour_pass(monkeypatch, 71)
    out = ada.post(path, {"reason": "Two programs"}).json
    is_problem(ada.post(path, {"reason": "Again"}), 409, "already-disqualified")
    assert [row["rank"] for row in out["standings"]] == [1, 2]
    assert out["standings"][-1]["entrant"] == grace.id
    assert out["standings"][-1]["points"] == before["standings"][0]["points"]
    assert out["standings_final_at"] == final_at  # an entry later than the end does not move it
    assert ada.delete(path).status_code == 204
    after = see(anybody, cup)
    assert after["standings"] == before["standings"]
    assert after["entrants"] == before["entrants"]
    assert "disqualified" not in after
    [row] = after["reinstated"]
    assert (row["entrant"], row["reason"], row["by"]) == (grace.id, "Two programs", ada.id)
    assert row["at"] <= row["lifted_at"]
    tournaments.store._cache.clear()
    assert see(anybody, cup) == after
    ada.post(path, {"reason": "Two programs"})
    let_an_hour_pass(monkeypatch)
    assert final_at in is_problem(ada.delete(path), 409, "standings-final")["detail"]
    is_problem(ada.post(path.replace(grace.id, ada.id), {"reason": "Late"}), 409, "standings-final")


def test_a_tied_table_of_a_knockout_plays_another_deal(ada, grace, tournaments):
    cup = begun(tournaments, ada, grace, format="knockout", deals="duplicate")
    first, second = games_of(cup)
    resign(ada, first)
    resign(grace, second)
    for _ in range(2):
        direct(tournaments)
    tournament = see(ada, cup)
    assert (tournament["status"], tournament["round"]) == ("running", 1)
    assert ["results" in game for game in games_of(tournament)] == [True, True, False, False]
    views = [ada.view(game["game"]) for game in games_of(tournament)]
    commitments = [view["commitment"] for view in views]
    assert commitments[0] == commitments[1] != commitments[2] == commitments[3]
    assert ["seed" in view for view in views] == [True, True, False, False]


def test_the_first_seat_cannot_be_kept_by_ending_early(app, mary, tournaments):
    """The creator of this cup does not play."""
    by_id = {who.id: who for who in (sign_up(app, name) for name in ("A", "B", "C", "D"))}
    cup = create(mary, format="swiss", rounds=5)
    for caller in by_id.values():
        enter(caller, cup)
    mary.post(f"{ALL}/{cup['id']}/start", {})
    direct(tournaments)
    ending = mary.post(f"{ALL}/{cup['id']}/end", {}).json
    assert (ending["status"], ending["last_round"]) == ("running", 2)
    for last in (2, 4):
        for seat, game in enumerate(games_of(see(mary, cup))[last - 2 :]):
            resign(by_id[game["seats"][seat]], game)
        direct(tournaments)
    over = see(mary, cup)
    assert (over["ending"], over["round"], over["ended_early"]["by"]) == ("ended", 2, mary.id)
    first = [game["seats"][0] for game in games_of(over)]
    assert sorted(first) == sorted(by_id)


# What is rated


@pytest.mark.parametrize(
    ("owners", "bots", "built_in", "wish", "of_cup", "of_games"),
    [
        (1, 3, (), {}, "four owners", "four owners"),  # hidden owners are not known
        (4, 0, (), {}, "", ""),
        (2, 0, ("planner", "greedy", "random"), {}, "four owners", "four owners"),
        (3, 0, ("planner",), {}, "", ""),
        (3, 0, (), {"seats": 3}, "four owners", ""),  # once one has left, two are at a table
        (2, 0, (), {"seats": 3}, "four owners", "four owners"),
        (4, 0, (), {"visibility": "unlisted"}, "find", "find"),
    ],
)
def test_a_cup_says_from_its_start_on_whether_it_is_rated(
    app, mary, tournaments, owners, bots, built_in, wish, of_cup, of_games
):
    """Mary, who has created it, does not play."""
    entrants = [sign_up(app, f"Person {number}") for number in range(owners)]
    for number in range(bots):
        made = entrants[0].post("/v1/me/bots", {"name": f"Bot {number}"}).json
        entrants.append(Caller(app, made))
    cup = create(mary, per_owner=4, **wish)
    for caller in entrants:
        assert enter(caller, cup).status_code == 201
    for name in built_in:
        assert enter(mary, cup, bot=name).status_code == 201
    path = f"{ALL}/{cup['id']}"
    cups = [mary.post(f"{path}/start", {}).json]
    direct(tournaments)
    games = [game["game"] for game in games_of(see(mary, cup))]
    assert games
    views = [*map(mary.view, games)]
    entrants[-1].delete(f"{path}/entries/me")
    mary.post(f"{path}/end", {})
    for caller in entrants:
        for game in games:
            caller.act(game, {"type": "resign"})
    direct(tournaments)
    cups.append(see(mary, cup))
    views += map(mary.view, games)
    for reason, answers in ((of_cup, cups), (of_games, views)):
        for answer in answers:
            assert reason in answer.get("unrated", "")
            assert ("unrated" in answer) is bool(reason)


# Duplicate deals


def test_all_games_of_a_deal_begin_at_once_on_turned_seats_with_the_same_cards(
    ada, grace, tournaments
):
    first, second = games_of(begun(tournaments, ada, grace, deals="duplicate"))
    assert first["seats"] == second["seats"][::-1]
    by_id = {ada.id: ada, grace.id: grace}
    for seat in (0, 1):
        one = by_id[first["seats"][seat]].view(first["game"])
        other = by_id[second["seats"][seat]].view(second["game"])
        assert one["you"]["hand"] == other["you"]["hand"]
        assert one["you"]["offered"] == other["you"]["offered"]
        assert one["commitment"] == other["commitment"]


def test_a_deal_is_closed_to_others_and_its_cards_to_all_until_every_game_is_over(
    ada, grace, mary, tournaments, is_problem
):
    cup = begun(tournaments, ada, grace, deals="duplicate")
    first, second = (game["game"] for game in games_of(cup))
    over = grace.play(first, {"type": "resign"})
    for path in ("", "/events", "/board.svg"):
        is_problem(mary.get(f"/v1/games/{first}{path}"), 403, "not-yours")
    assert ada.view(first)["status"] == "finished"
    assert ada.view(first)["seats"][0]["result"]
    text = str([over, ada.get("/v1/me/events?after=1:").json])
    for secret in ("'seed'", "'revealed'", "'salt'", "'deck_shuffled', 'cards'"):
        assert secret not in text
    for path in ("history", "decisions"):
        is_problem(ada.get(f"/v1/games/{first}/{path}"), 409, "game-not-finished")
    then = ada.get(f"/v1/games/{first}?at=1")
    assert "revealed" not in then.json["seats"][0]
    assert "immutable" not in then.headers["Cache-Control"]
    is_problem(
        ada.post(
            "/v1/games",
            {"fork": {"game": first, "version": 1}, "seats": [{"player": "me"}, {"open": True}]},
        ),
        409,
        "game-not-finished",
    )
    direct(tournaments)
    assert "results" not in games_of(see(mary, cup))[0]

    ada.play(second, {"type": "resign"})
    direct(tournaments)
    assert len([game for game in games_of(see(mary, cup)) if "results" in game]) == 2
    for game in (first, second):
        view = mary.view(game)
        assert view["seed"]
        assert mary.get(f"/v1/games/{game}/events").json["items"][0]["salt"]
        assert mary.get(f"/v1/games/{game}/history").status_code == 200


def test_the_answer_that_ended_a_deal_is_repeated_as_it_was(ada, grace, tournaments):
    first, second = (g["game"] for g in games_of(begun(tournaments, ada, grace, deals="duplicate")))
    key = {"Idempotency-Key": "end"}
    ended = ada.act(first, {"type": "resign"}, headers=key)
    ada.play(second, {"type": "resign"})
    assert ada.act(first, {"type": "resign"}, headers=key).data == ended.data


def test_two_tournaments_deal_differently_and_nobody_calls_their_games_off(
    ada, grace, tournaments, is_problem
):
    one, other = (games_of(begun(tournaments, ada, grace))[0]["game"] for _ in range(2))
    assert ada.view(one)["commitment"] != ada.view(other)["commitment"]
    is_problem(ada.post(f"/v1/games/{one}/abort", {}), 403, "not-yours")


# Indexes


def test_indexes_are_made_anew_from_the_histories(ada, grace, tournaments, redis):
    key = {"Idempotency-Key": "one"}
    first = ada.post(ALL, {"name": "Cup"}, headers=key)
    cup = begun(tournaments, ada, grace)
    before = ada.get(ALL).json
    for name in redis.scan_iter("tournaments*"):
        redis.delete(name)
    for name in redis.scan_iter("{t:*}:head"):
        redis.delete(name)
    for name in redis.scan_iter("created*"):
        redis.delete(name)
    rebuilding.lists(tournaments.games.kept)
    assert redis.zcard(index.DUE) == 2
    rebuilding.rebuild(tournaments.games)
    assert ada.get(ALL).json == before
    assert ada.post(ALL, {"name": "Cup"}, headers=key).data == first.data
    assert see(ada, cup) == cup


def test_a_scheduled_tournament_that_was_never_created_is_forgotten(tournaments, redis):
    tournaments.due.add(index.DUE, "c_" + 20 * "0", 0)
    direct(tournaments)
    assert redis.zcard(index.DUE) == 0


def test_the_director_lists_a_tournament_whose_process_died_before(
    ada, tournaments, anybody, monkeypatch
):
    with monkeypatch.context() as dying:
        dying.setattr(index, "project", lambda *_: (_ for _ in ()).throw(SystemExit))
        with pytest.raises(SystemExit):
            create(ada)
    assert anybody.get(ALL).json["items"] == []
    direct(tournaments)
    assert len(anybody.get(ALL).json["items"]) == 1


def test_a_waiting_tournament_is_not_checked_again_and_again(ada, grace, tournaments, monkeypatch):
    create(ada)
    begun(tournaments, ada, grace)
    director.run_due(tournaments)
    monkeypatch.setattr(tournaments, "get", lambda *_: pytest.fail("nothing is due"))
    director.run_due(tournaments)


def test_a_swiss_is_paired_in_a_child_process(app, ada, grace, mary, tournaments):
    def cpu_s() -> float:
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime

    before = cpu_s()
    begun(tournaments, ada, grace)
    assert cpu_s() == before
    cup = begun(tournaments, ada, grace, mary, format="swiss", boards=["london", "usa"])
    assert cpu_s() > before
    assert [(row["board"], len(row["tables"]), len(row["byes"])) for row in cup["rounds"]] == [
        ("london", 1, 1)
    ]


def test_a_process_claims_few_tournaments_at_a_time(ada, grace, tournaments, monkeypatch):
    """Another process goes on with the others meanwhile."""
    monkeypatch.setattr(director, "AT_ONCE", 2)
    cups = [started(ada, grace) for _ in range(3)]
    for paired in (2, 3):
        director.run_due(tournaments)
        assert sum(see(ada, cup)["round"] for cup in cups) == paired


# Examples for openapi.yaml


def show_tournaments(tape: Tape) -> None:
    """Set tournaments up, enter them, and play one out."""
    all_, by = "/v1/tournaments", "ada"
    wish = {
        "name": "Evening cup",
        "format": "swiss",
        "boards": ["usa", "europe"],
        "rounds": 5,
        "deals": "duplicate",
        "entry": "invitation",
        "clock": {"bank": 120, "increment": 2},
        "starts_at": "2090-01-01T18:00:00Z",
    }
    made = tape.call(
        "createTournament", "swiss", "Five rounds, by invitation", "POST", all_, wish, by
    )
    cup = f"{all_}/{made['id']}"
    tape.call(
        "createTournament",
        "wrong-number-of-seats",
        "More seats than the board has",
        "POST",
        all_,
        {"name": "Cup", "boards": ["london"], "seats": 5},
        by,
    )
    tape.call(
        "createTournament",
        "malformed",
        "An unknown format",
        "POST",
        all_,
        {"name": "Cup", "format": "melee"},
        by,
    )
    tape.call(
        "enterTournament",
        "not-yours",
        "Without the invitation",
        "POST",
        f"{cup}/entries",
        {},
        "grace",
    )
    tape.call(
        "enterTournament",
        "entered",
        "With the invitation",
        "POST",
        f"{cup}/entries",
        {"invitation": made["invitation"]},
        "grace",
    )
    tape.call(
        "enterTournament",
        "bot",
        "A built-in bot, by the creator",
        "POST",
        f"{cup}/entries",
        {"bot": "planner"},
        by,
    )
    tape.call(
        "enterTournament",
        "already-entered",
        "One account, one entry",
        "POST",
        f"{cup}/entries",
        {"invitation": made["invitation"]},
        "grace",
    )
    tape.call(
        "changeTournament",
        "changed",
        "Rules in words",
        "PATCH",
        cup,
        {"rules": "One bot each. Be fair."},
        by,
    )
    tape.call(
        "changeTournament",
        "tournament-fixed",
        "Somebody else has entered",
        "PATCH",
        cup,
        {"starts_at": "2090-01-02T18:00:00Z"},
        by,
    )
    tape.call(
        "changeTournament",
        "not-yours",
        "Only the creator changes it",
        "PATCH",
        cup,
        {"name": "Mine"},
        "grace",
    )
    tape.call(
        "withdrawEntry",
        "not-yours",
        "Another player's entry",
        "DELETE",
        f"{cup}/entries/planner",
        by="grace",
    )
    tape.call(
        "withdrawEntry",
        "withdrawn",
        "The caller's own entry",
        "DELETE",
        f"{cup}/entries/me",
        by="grace",
    )
    tape.call(
        "disqualifyEntrant",
        "not-yours",
        "Only the creator disqualifies",
        "POST",
        f"{cup}/entries/planner/disqualification",
        {"reason": "Too strong"},
        "grace",
    )
    tape.call(
        "disqualifyEntrant",
        "disqualified",
        "With a reason",
        "POST",
        f"{cup}/entries/planner/disqualification",
        {"reason": "Bots of guests only"},
        by,
    )
    tape.call(
        "reinstateEntrant",
        "not-yours",
        "Only the creator reinstates",
        "DELETE",
        f"{cup}/entries/planner/disqualification",
        by="grace",
    )
    tape.call(
        "reinstateEntrant",
        "reinstated",
        "The disqualification is lifted",
        "DELETE",
        f"{cup}/entries/planner/disqualification",
        by=by,
    )
    tape.call(
        "startTournament", "too-few-entrants", "Too few entrants", "POST", f"{cup}/start", {}, by
    )
    tape.call(
        "endTournament", "not-yours", "Only the creator ends it", "POST", f"{cup}/end", {}, "grace"
    )
    tape.call("endTournament", "ended", "Ended early", "POST", f"{cup}/end", {}, by)
    made = tape.ask("POST", all_, {"name": "Two of us"}, by).json
    duel = f"{all_}/{made['id']}"
    for who in ("ada", "grace"):
        tape.ask("POST", f"{duel}/entries", {}, who)
    tape.call("startTournament", "started", "Started with two", "POST", f"{duel}/start", {}, by)
    direct(tape.find(Tournaments))
    tape.call("getTournament", "running", "The first round is paired", "GET", duel)
    notices = tape.ask("GET", "/v1/me/events?after=1:", by="grace").json["items"]
    [game] = [row["game"] for row in notices if row["type"] == "paired"]
    tape.ask("POST", f"/v1/games/{game}/actions", {"type": "resign"}, "grace")
    direct(tape.find(Tournaments))
    tape.call("getTournament", "finished", "It is over", "GET", duel)
    tape.call("getTournamentStandings", "finished", "It is over", "GET", f"{duel}/standings.csv")
    tape.call("getTournamentArchive", "finished", "A zip file", "GET", f"{duel}/archive.zip", by=by)
    tape.call(
        "getTournamentArchive",
        "standings-provisional",
        "Before the standings are final",
        "GET",
        f"{duel}/archive.zip",
    )
    tape.call(
        "getTournament", "unknown-tournament", "No such tournament", "GET", f"{all_}/c_" + 20 * "0"
    )
    tape.call(
        "listTournaments", "finished", "Finished tournaments", "GET", f"{all_}?status=finished"
    )
    tape.call(
        "createTournament",
        "league",
        "A round a day",
        "POST",
        all_,
        {
            "name": "League",
            "format": "swiss",
            "rounds": 3,
            "starts_at": "2090-01-05T17:00:00Z",
            "round_times": [f"2090-01-0{day}T18:00:00Z" for day in (5, 6, 7)],
        },
        by,
    )
