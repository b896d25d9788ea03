"""The layout of an earlier version, moved once."""

import threading

import pytest

from service.api.app import create_app
from service.api.serving import services
from service.games import buckets, index, workers
from service.operation import layout
from service.operation.redis import RedisUnavailable
from service.store.games import GameStore
from service.tournaments.index import DUE
from tests.service.api.callers import begin, sign_up
from tests.service.looks import sweep


def as_it_was(redis) -> None:
    """Lay the lists of all games out as the first version did."""
    old = {"all": "games", "deadlines": "deadlines"}
    for name in ("all", "deadlines", *index.STATUSES):
        for key in buckets.keys(name):
            if rows := dict(redis.zrange(key, 0, -1, withscores=True)):
                redis.zadd(old.get(name, f"games:{name}"), rows)
            redis.delete(key)
    redis.delete("fogg:layout", DUE, *buckets.keys("due"), *buckets.keys("unfiled"))


def test_lists_of_the_first_layout_are_moved_when_a_process_starts(app, redis, connection):
    ada, grace = sign_up(app, "Ada"), sign_up(app, "Grace")
    over, running = begin(ada, grace), begin(ada, grace, clock={"per_decision": 60})
    ada.play(over, {"type": "resign"})
    waiting = ada.post("/v1/games", {"board": "usa", "seats": [
        {"bot": "random"}, {"player": "me"}]}).json["id"]
    cup = ada.post("/v1/tournaments", {"name": "Cup", "format": "swiss", "boards": ["usa"],
                                       "seats": 2, "rounds": 1}).json["id"]
    before = ada.get("/v1/games").json
    as_it_was(redis)
    assert ada.get("/v1/games").json["items"] == []
    games = services(create_app(connection)).games
    assert ada.get("/v1/games").json == before
    assert not redis.exists("games", "deadlines", *(f"games:{s}" for s in index.STATUSES))
    assert redis.zscore(buckets.key(running, "deadlines"), running)
    assert redis.zscore(DUE, cup)
    for game in (over, running, waiting):
        assert index.wrong_places(redis, games.get(game)) == []
    redis.delete(GameStore.key(waiting, "bots"))
    redis.delete(workers.GAMES)
    sweep(games)
    assert workers.waiting(games.queue) == {waiting}


def test_it_is_moved_once_by_however_many_processes(redis, monkeypatch):
    redis.zadd("games:lobby", {f"g_{n:020}": n for n in range(1200)})
    moves, move = [], layout._move
    monkeypatch.setattr(layout, "_move", lambda redis: (moves.append(1), move(redis)))
    threads = [threading.Thread(target=layout.settle, args=(redis,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(moves) == 1
    assert index.counts(redis)["lobby"] == 1200


def test_a_later_layout_is_not_touched(redis):
    redis.set("fogg:layout", layout.LAYOUT + 1)
    with pytest.raises(RedisUnavailable, match="later version"):
        layout.settle(redis)
