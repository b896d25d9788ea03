"""Games and tournaments that were recorded and have left Redis since."""

import io
import json
from zipfile import ZipFile

import pytest

from service.games import index as games_index
from service.games import listing
from service.games.store import GameStore
from service.recorder import Jobs
from service.records import keeping
from service.records.database import Database, sqlite_url
from service.tournaments.records import TournamentRecorder
from tests.service.callers import create, won
from tests.service.looks import direct, sweep
from tests.service.tournaments.test_tournaments import (
    ALL,
    announced,
    begun,
    enter,
    games_of,
    let_an_hour_pass,
    resign,
    see,
)
from tests.service.tournaments.test_tournaments import create as create_tournament

WISH = {"board": "usa", "seats": [{"player": "me"}, {"open": True}]}


@pytest.fixture
def leave(redis, games):
    """Remove recorded games and tournaments from Redis."""

    def leave(*ids: str) -> None:
        for some_id in ids:
            [kept] = [one for one in games.kept if one.store.is_id(some_id)]
            kept.forget(kept.store.load(some_id))
            redis.zrem(kept.key(some_id), some_id)
            redis.delete(*redis.scan_iter(f"*{some_id}*"))
        for store in games.stores:
            store._cache.clear()
        listed = {
            game
            for key in games_index.all_lists(redis)
            for game in games_index.games_in(redis, key)
        }
        assert not listed & {*ids}

    return leave


@pytest.fixture
def no_database(games, monkeypatch, tmp_path):
    """Return a function that makes the database unavailable."""

    def let_be_away() -> None:
        for store in games.stores:
            monkeypatch.setattr(store.records, "database", Database(sqlite_url(tmp_path)))

    return let_be_away


def test_games_are_recorded_while_many_leave(service, recorder, ada, grace, monkeypatch):
    store, jobs = service.games.store, Jobs(service)
    ended = [won(ada, grace) for _ in range(4)]
    recorder.run()
    monkeypatch.setattr(keeping, "BATCH_SIZE", 2)
    monkeypatch.setenv("FOGG_KEEP_HOURS", "0.0000001")
    for steps in range(1, 4):
        ended.append(won(ada, grace))
        jobs.run()
        assert store.records.has(ended[-1])
        assert len(store.ends(ended)) == len(ended) - 2 * steps


def ids(caller, query: str, at: str = "/v1/games") -> list[str]:
    return [row["id"] for row in caller.get(f"{at}?{query}").json["items"]]


def test_a_finished_game_stays_in_all_lists(redis, ada, grace, finished, recorder, leave):
    queries = (
        "",
        "status=finished",
        f"player={ada.id}",
        "player=me",
        f"won_by={ada.id}",
        f"player=me&opponent={grace.id}",
        "board=usa",
    )
    before = [ada.get(f"/v1/games?{query}").json for query in queries]
    recorder.run()
    assert [ada.get(f"/v1/games?{query}").json for query in queries] == before
    leave(finished)
    assert [ada.get(f"/v1/games?{query}").json for query in queries] == before
    assert ids(ada, "status=playing") == []


def test_a_slow_process_lists_a_recorded_game_no_more(redis, games, ada, game, grace, recorder):
    playing = games.get(game).copy()
    grace.play(game, {"type": "resign"})
    recorder.run()
    listing.project(games.store, playing, playing.state)
    recorder.run()
    assert ids(ada, "player=me") == [game]
    assert not redis.exists(f"player:{ada.id}:current", f"player:{ada.id}:games")


@pytest.mark.parametrize("has_left", [False, True])
def test_a_rematch_is_the_same_game_for_all_at_any_time(
    ada, grace, finished, recorder, leave, has_left
):
    recorder.run()
    if has_left:
        leave(finished)
    first = ada.post(f"/v1/games/{finished}/rematch", {}).json
    assert first["id"] != finished
    second = grace.post(f"/v1/games/{finished}/rematch", {}).json
    assert (second["id"], second["status"]) == (first["id"], "playing")
    grace.post(f"/v1/games/{first['id']}/abort", {})
    ada.post(f"/v1/games/{first['id']}/abort", {})
    recorder.run()
    if has_left:
        leave(first["id"])
    assert ada.post(f"/v1/games/{finished}/rematch", {}).json["id"] == first["id"]


def test_a_key_creates_one_game_also_after_it_has_left(
    redis, ada, recorder, leave, is_problem, no_database
):
    key = {"Idempotency-Key": "create"}
    first = ada.post("/v1/games", WISH, headers=key)
    ada.post(f"/v1/games/{first.json['id']}/abort", {})
    recorder.run()
    leave(first.json["id"])
    again = ada.post("/v1/games", WISH, headers=key)
    assert (again.status_code, again.data) == (201, first.data)
    assert not redis.exists(f"{{g:{first.json['id']}}}:log")
    other = ada.post("/v1/games", WISH | {"board": "london"}, headers=key)
    is_problem(other, 422, "key-reused")
    no_database()
    assert ada.post("/v1/games", WISH, headers={"Idempotency-Key": "next"}).status_code == 201
    assert ada.post(
        ALL,
        {"name": "Cup", "boards": ["usa"], "seats": 2, "format": "swiss"},
        headers={"Idempotency-Key": "next"},
    ).status_code in (201, 422)


def test_neither_the_sweep_nor_caps_need_the_database(
    redis, ada, games, recorder, leave, no_database, monkeypatch
):
    monkeypatch.setenv("FOGG_CAPS", "games=1")
    over = ada.post("/v1/games", WISH).json["id"]
    ada.post(f"/v1/games/{over}/abort", {})
    recorder.run()
    leave(over)
    redis.zadd(f"player:{ada.id}:open:games", {over: 0})  # since long ago
    games.marks.mark(games.store.new_id(), 1)  # a game that was never created
    no_database()
    assert ada.post("/v1/games", WISH).status_code == 201
    sweep(games)


def test_notices_of_a_game_come_also_after_it_has_left(ada, grace, recorder, leave, monkeypatch):
    after = {who: who.get("/v1/me/events").json["next"] for who in (ada, grace)}
    invited = create(ada, {"invite": grace.id, "minutes": 9})["id"]
    grace.delete(f"/v1/games/{invited}/invitations/me?reason=busy")
    over = ada.post("/v1/games", WISH).json["id"]
    grace.post(f"/v1/games/{over}/seats", {})
    grace.play(over, {"type": "resign"})
    recorder.run()
    kinds = {
        who: [
            (row["type"], row["game"])
            for row in who.get(f"/v1/me/events?after={after[who]}").json["items"]
        ]
        for who in (ada, grace)
    }
    assert {("declined", invited), ("over", over)} <= {*kinds[ada]}
    leave(invited, over)
    let_an_hour_pass(monkeypatch, 49)
    for who in (ada, grace):
        assert [
            (row["type"], row["game"])
            for row in who.get(f"/v1/me/events?after={after[who]}").json["items"]
        ] == kinds[who]


def test_a_tournament_whose_standings_are_final_is_recorded_and_stays_as_it_was(
    app, redis, ada, grace, mary, anybody, games, tournaments, recorder, leave, monkeypatch
):
    after = grace.get("/v1/me/events").json["next"]
    cup = begun(tournaments, ada, grace)
    hidden = create_tournament(ada, visibility="unlisted", name="Hidden")
    enter(grace, hidden)
    ada.post(f"{ALL}/{hidden['id']}/end", {})
    [game] = games_of(cup)
    resign(ada, game)
    direct(tournaments)
    recording = TournamentRecorder(tournaments.store, games.database)
    let_an_hour_pass(monkeypatch, 71)
    recorder.run()
    assert recording.run() == 0  # the creator may still disqualify
    let_an_hour_pass(monkeypatch)

    def shown() -> list:
        lists = [
            caller.get(f"{ALL}?{query}").json
            for caller in (ada, mary)
            for query in (
                "",
                "status=finished",
                f"creator={ada.id}",
                f"player={grace.id}",
                f"player={grace.id}&creator={ada.id}",
                "limit=1",
            )
        ]
        archive = anybody.get(f"{ALL}/{cup['id']}/archive.zip").data
        with ZipFile(io.BytesIO(archive)) as whole:
            files = {name: whole.read(name) for name in sorted(whole.namelist())}
        files["tournament.json"] = json.loads(files["tournament.json"])
        return [
            *lists,
            see(anybody, cup),
            *files.values(),
            announced(grace, after),
            anybody.get(f"{ALL}/{cup['id']}/standings.csv").data,
            anybody.post(f"{ALL}/{cup['id']}/end", {}).status_code,
            ada.post(f"{ALL}/{cup['id']}/end", {}).json["code"],
        ]

    before = shown()
    assert recording.run() == 2
    assert recording.run() == 0
    assert not redis.exists(
        "tournaments",
        "tournaments:finished",
        f"player:{ada.id}:organised",
        f"player:{grace.id}:entered",
    )
    assert shown() == before
    leave(cup["id"], hidden["id"], game["game"])
    assert shown() == before
    direct(tournaments)
    assert shown() == before


def test_a_redis_without_the_table_of_a_former_board_takes_it_from_the_records(
    redis, games, recorder, finished
):
    """An older backup of Redis may lack it."""
    assert recorder.run() == 1
    redis.delete(*redis.keys("table:*"))
    store = GameStore(redis, {}, games.store.records)
    assert store.load(finished).state == games.get(finished).state
