"""Every address gives the same answer about a game before and after it is archived."""

import json
import random

import pytest

from service.api.serving import services
from service.games import buckets
from service.projections import archiving, ledger, projecting, ratings
from service.store import shelved_sets
from service.store.games import GameStore
from tests.service.api.callers import begin, keep_tickets, play_on, sign_up
from tests.service.api.test_tournaments import begun, direct, games_of, tournaments  # noqa: F401

VARYING = {"Date", "RateLimit"}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An archive with pages of one row, for the application that the test makes."""
    monkeypatch.setattr(ledger, "ROWS", 1)
    monkeypatch.setattr(shelved_sets, "PAGE_ROWS", 1)
    monkeypatch.setattr(shelved_sets, "KEEP_ROWS", 0)
    folder = tmp_path / "archive"
    monkeypatch.setenv("FOGG_ARCHIVE", str(folder))
    return folder


@pytest.fixture
def store(app) -> GameStore:
    return store_of(app)


def store_of(app) -> GameStore:
    with app.app_context():
        return services().games.store


@pytest.fixture
def recorded(ada, grace) -> str:
    """A whole game."""
    game, chance = begin(ada, grace), random.Random(4)
    keep_tickets(game, ada, grace)
    for _ in play_on(game, [ada, grace], lambda actions: chance.choice(
            [a for a in actions if a["type"] == "claim_route"] or actions)):
        pass
    return game


def archive(store: GameStore, count: int) -> None:
    report = archiving.run(store, days=0)
    assert (report.archived, report.wrong) == (count, {})
    forget_what_is_kept(store)


def forget_what_is_kept(store: GameStore) -> None:
    """Empty a store's caches, as in a process that has just begun."""
    store._cache.clear()
    store.archive._history.cache_clear()
    store.archive._dictionary.cache_clear()
    store.archive._page.cache_clear()


def answers(callers, paths, **headers) -> list[tuple]:
    """Everything that these callers are answered at these paths."""
    headers["X-Request-Id"] = "the-same"
    asked = [caller.get(path, headers=headers) for path in paths for caller in callers]
    return [(answer.status_code, answer.get_data(),
             {name: value for name, value in answer.headers if name not in VARYING})
            for answer in asked]


def same(given: list[tuple], expected: list[tuple]) -> None:
    for one, other in zip(given, expected, strict=True):
        assert one == other


def test_every_address_answers_as_before(ada, grace, anybody, recorded, store):
    ratings.catch_up(store)
    version = ada.view(recorded)["version"]
    game, player = f"/v1/games/{recorded}", f"/v1/players/{ada.id}"
    paths = [game, f"{game}?at=1", f"{game}?at=7", f"{game}?at={version}",
             f"{game}?at={version + 1}", f"{game}/events", f"{game}/events?after=5&limit=3",
             f"{game}/events?after={version}",
             f"{game}/history", f"{game}/decisions", f"{game}/board.svg", f"{game}/board.svg?at=20",
             "/v1/games", "/v1/games?status=finished", f"/v1/games?player={ada.id}",
             "/v1/histories", "/v1/decisions", "/v1/histories?limit=1", "/v1/stats/bots",
             "/v1/stats/boards/usa", "/v1/leaderboards/overall", player, f"{player}/ratings",
             f"{player}/ratings?board=usa&limit=1", f"{player}/opponents",
             f"{player}/opponents?opponent={grace.id}",
             f"/v1/games?player={ada.id}&opponent={grace.id}", "/v1/log"]
    stream = {"Accept": "application/x-ndjson"}
    forget_what_is_kept(store)
    before = answers([ada, grace, anybody], paths)
    assert all(b'"ratings":[' in before[3 * paths.index(path)][1]
               for path in ("/v1/histories", "/v1/decisions"))
    tags = {path: ada.get(path).headers["ETag"] for path in (
        game, f"{game}?at=7", f"{game}/history", f"{game}/board.svg")}
    conditional = [ada.get(path, headers={"If-None-Match": tag}).status_code
                   for path, tag in tags.items()]
    streamed = answers([ada, anybody], [f"{game}/events"], **stream)
    archive(store, 1)
    assert not store.redis.exists(store.key(recorded, "log"), "{ratings}:rows",
                                  "{ratings}:history", f"player:{ada.id}:games",
                                  f"player:{ada.id}:over", *buckets.keys("finished"))
    same(answers([ada, grace, anybody], paths), before)
    assert answers([ada, anybody], [f"{game}/events"], **stream) == streamed
    assert [ada.get(path, headers={"If-None-Match": tag}).status_code
            for path, tag in tags.items()] == conditional
    assert 304 in conditional


def test_it_is_forked_and_played_again_and_nothing_can_be_added(
    ada, grace, recorded, store, is_problem
):
    archive(store, 1)
    is_problem(ada.act(recorded, {"type": "resign"}), 409, "game-finished")
    forked = ada.post("/v1/games", {"fork": {"game": recorded, "version": 9}, "seats": [
        {"player": "me"}, {"open": True}]})
    assert forked.status_code == 201
    for caller in (ada, grace):
        again = caller.post(f"/v1/games/{recorded}/rematch", {})
    assert again.json["status"] == "playing"


def test_an_action_is_answered_again_under_its_key(ada, grace, game, store):
    key = {"Idempotency-Key": "last"}
    first = grace.act(game, {"type": "resign"}, headers=key)
    archive(store, 1)
    assert grace.act(game, {"type": "resign"}, headers=key).json == first.json


def test_a_creation_is_answered_again_under_its_key(ada, store):
    wish, key = {"board": "usa", "seats": [{"player": "me"}, {"open": True}]}, {
        "Idempotency-Key": "create"}
    first = ada.post("/v1/games", wish, headers=key)
    assert ada.post(f"/v1/games/{first.json['id']}/abort", {}).status_code == 200
    archive(store, 1)
    again = ada.post("/v1/games", wish, headers=key)
    assert (again.status_code, again.json["id"]) == (first.status_code, first.json["id"])
    assert len(list(store.ids())) == 1


def test_a_sealed_game_keeps_its_secrets_in_the_archive(
    ada, grace, anybody, tournaments, store, is_problem  # noqa: F811
):
    cup = begun(tournaments, ada, grace, deals="duplicate")
    first, second = (game["game"] for game in games_of(cup))
    grace.play(first, {"type": "resign"})
    paths = ["", "?at=1", "/events", "/history", "/decisions", "/board.svg"]
    paths = [f"/v1/games/{first}{path}" for path in paths]
    forget_what_is_kept(store)
    before = answers([ada, grace, anybody], paths)
    archive(store, 1)
    same(answers([ada, grace, anybody], paths), before)
    is_problem(ada.get(f"/v1/games/{first}/history"), 409, "game-not-finished")
    direct(tournaments)  # creates no second game
    assert store.place(first)
    ada.play(second, {"type": "resign"})
    direct(tournaments)
    assert anybody.get(f"/v1/games/{first}").json["seed"]
    shown = ada.get(f"/v1/tournaments/{cup['id']}").json
    assert len([game for game in games_of(shown) if "results" in game]) == 2


def test_an_archive_that_does_not_answer_stops_only_what_is_in_it(
    app, ada, grace, recorded, store, folder, is_problem, monkeypatch
):
    monkeypatch.setattr(shelved_sets, "KEEP_ROWS", 50)
    ratings.catch_up(store)
    archive(store, 1)
    other = begin(ada, grace)
    folder.rename(folder.with_name("elsewhere"))
    for path in ("", "/events", "/history", "/board.svg"):
        answer = ada.get(f"/v1/games/{recorded}{path}")
        is_problem(answer, 503, "archive-unavailable")
        assert answer.headers["Retry-After"]
    is_problem(ada.get("/v1/histories"), 503, "archive-unavailable")
    player = f"/v1/players/{ada.id}"
    is_problem(ada.get(f"{player}/ratings"), 503, "archive-unavailable")
    assert ada.get(player).json["recent"] == []
    assert ada.view(other)["status"] == "playing"
    assert len(ada.get("/v1/games").json["items"]) == 2
    folder.with_name("elsewhere").rename(folder)
    assert ada.view(recorded)["status"] == "finished"


def test_a_damaged_file_breaks_its_game_and_no_download(ada, grace, finished, store, folder):
    archive(store, 1)
    (damaged,) = folder.glob("*.fogg")
    damaged.write_bytes(damaged.read_bytes()[:100])
    other = begin(ada, grace)
    grace.play(other, {"type": "resign"})
    broken = ada.get(f"/v1/games/{finished}")
    assert broken.json["code"] in ("history-broken", "broken-history")
    for path in ("/v1/histories", "/v1/decisions"):
        lines = [json.loads(line) for line in ada.get(path).get_data().splitlines() if line]
        assert finished not in {line["game"] for line in lines}
    lines = ada.get("/v1/histories").get_data().splitlines()
    assert [json.loads(line)["game"] for line in lines if line] == [other]


def test_ratings_before_a_duplicate_deal_are_found_in_the_archive(
    ada, grace, anybody, tournaments, store  # noqa: F811
):
    games = [game["game"] for game in games_of(begun(tournaments, ada, grace, deals="duplicate"))]
    for game, loser in zip(games, (grace, ada), strict=True):
        loser.play(game, {"type": "resign"})
    projecting.catch_up(store)
    before = anybody.get("/v1/histories").get_data()
    assert before.count(b'"ratings":[') == 2
    archive(store, 2)
    assert anybody.get("/v1/histories").get_data() == before


def test_an_archived_game_is_told_of_as_over(app, ada, grace, finished, store):
    archive(store, 1)
    mary = sign_up(app, "Mary")
    notices = ada.get("/v1/me/events?after=1:").json["items"]
    assert [row["type"] for row in notices if row["game"] == finished][-1] == "over"
    assert mary.get("/v1/me/events?after=1:").json["items"] == []
