"""The sweep finds the work that a crash left undone; it looks only at due games."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from service.games import buckets, index, listing, workers
from service.games import sweep as sweeping
from service.games.store import GameStore
from tests.service.callers import begin
from tests.service.looks import sweep

GAME = "g_" + 20 * "0"
BOTS = {"board": "usa", "seats": [{"bot": "random"}, {"player": "me"}]}


@pytest.fixture
def called(games, monkeypatch):
    """The games that a worker was called for."""
    called = []
    monkeypatch.setattr(workers, "call", lambda queue, state, account: called.append(state.id))
    return called


def die(*_, **__):
    raise SystemExit


def unfiled(redis, game: str) -> bool:
    return bool(redis.hexists(buckets.key(game, "unfiled"), game))


def test_a_game_that_was_announced_and_never_created_is_forgotten_after_a_while(games, redis):
    games.marks.mark(GAME, 1)
    sweeping.sweep(games)
    assert unfiled(redis, GAME)
    sweep(games)
    assert not unfiled(redis, GAME)
    assert not redis.exists(buckets.key(GAME, "due"))


def test_the_sweep_projects_a_game_after_its_process_died(games, ada, grace, redis, monkeypatch):
    with monkeypatch.context() as dying:
        dying.setattr(index, "add_steps", die)
        with pytest.raises(SystemExit):
            begin(ada, grace)
    assert ada.get("/v1/games").json["items"] == []
    sweeping.sweep(games)  # its writer may still be at work
    assert ada.get("/v1/games").json["items"] == []
    sweep(games)
    (game,) = ada.get("/v1/games?player=me").json["items"]
    assert not unfiled(redis, game["id"])


def test_a_bot_nobody_plays_has_a_worker_called_once_its_lease_is_over(games, ada, called, redis):
    game = ada.post("/v1/games", BOTS).json["id"]
    assert called == [game]
    sweep(games)
    assert called == [game]
    redis.delete(GameStore.key(game, "bots"))
    sweep(games)
    assert called == [game, game]


def test_a_clock_that_is_set_back_keeps_bots_waiting_no_longer_than_a_lease(
    games, ada, called, redis
):
    game = ada.post("/v1/games", BOTS).json["id"]
    redis.set(GameStore.key(game, "bots"), 1, px=3_600_000)  # taken while the clock was ahead
    sweep(games)
    assert called == [game]
    assert redis.pttl(GameStore.key(game, "bots")) <= workers.LEASE


def test_games_that_wait_for_people_are_not_looked_at(games, ada, monkeypatch):
    for _ in range(5):
        ada.post("/v1/games", {"board": "usa", "seats": [{"player": "me"}, {"open": True}]})
    sweep(games)
    looked_at = []
    monkeypatch.setattr(games.store, "heads", lambda ids: looked_at.extend(ids) or [])
    sweep(games)
    assert looked_at == []


def test_a_game_filed_late_is_not_put_back_where_it_was(games, ada, grace, redis):
    game = begin(ada, grace)
    before = games.get(game)
    ada.play(game, {"type": "resign"})
    listing.project(games.store, before)
    assert index.wrong_places(games.redis, games.get(game)) == []


def test_a_game_stays_marked_until_redis_takes_all_that_is_written_of_it(games, ada, redis):
    key = f"player:{ada.id}:current"
    redis.set(key, "no list")
    game = ada.post("/v1/games", {"board": "usa", "seats": [{"player": "me"}, {"open": True}]}).json
    assert unfiled(redis, game["id"])
    redis.delete(key)
    sweep(games)
    assert index.wrong_places(games.redis, games.get(game["id"])) == []
    assert not unfiled(redis, game["id"])


@pytest.mark.parametrize(("seats", "lists"), [(2, ["games", "over"]), (3, [])])
def test_a_slow_process_does_not_list_a_game_as_it_was(
    games, ada, grace, redis, monkeypatch, seats, lists
):
    """Another process aborts the game or frees the seat while this one is about to list it."""
    wish = {"board": "usa", "seats": [{"player": "me"}, *[{"open": True}] * (seats - 1)]}
    game, is_further = ada.post("/v1/games", wish).json["id"], index._is_further

    def be_overtaken(*args):
        monkeypatch.setattr(index, "_is_further", is_further)
        request = (
            (ada.post, f"/v1/games/{game}/abort", {})
            if lists
            else (grace.delete, f"/v1/games/{game}/seats/1")
        )
        with ThreadPoolExecutor() as other:  # as a request within a request is of the same caller
            assert other.submit(*request).result().status_code in (200, 204)
        return False

    monkeypatch.setattr(index, "_is_further", be_overtaken)
    assert grace.post(f"/v1/games/{game}/seats", {}).status_code == 201
    assert index.wrong_places(redis, games.get(game)) == []
    assert lists == [
        name for name in index.PLAYERS if redis.zscore(f"player:{grace.id}:{name}", game)
    ]
    assert not unfiled(redis, game)
