"""Data of other versions: another layout is refused, indexes of an earlier version are rebuilt."""

import json
import subprocess
from hashlib import sha256

import orjson
import pytest
from fogg_client.client import Client

from domain import facts
from domain.boards import load_folder
from service import app, settings
from service.games import buckets, importing
from service.games.store import GameStore
from service.operation.stack import Stack
from service.ratings.opponents import Opponents
from service.ratings.rating_rules import is_rated, rated_game
from service.records.games import values_of
from service.records.projection import is_counted
from service.redis import layout
from service.redis.connection import EmbeddedRedis, RedisUnavailable, connect
from service.statistics.statistics import Statistics
from tests.cli.inside import run
from tests.waiting import until
from tools.histories.kept import FORMER_USA, HERE, expected, read
from tools.histories.written import BY_DIGEST

KEYS = orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS


@pytest.mark.parametrize(("step", "which"), [(1, "a later version"), (-1, "an earlier version")])
def test_a_redis_with_another_layout_is_refused_and_not_touched(redis, step, which):
    redis.set("fogg:layout", layout.LAYOUT + step)
    with pytest.raises(RedisUnavailable, match=which):
        layout.settle(redis)
    assert redis.keys() == [b"fogg:layout"]


def fogg(redis_url: str, *words: str) -> subprocess.CompletedProcess:
    return run(
        *words,
        env={
            "FOGG_REDIS_URL": redis_url,
            "FOGG_DATABASE": app.Database(settings.DATABASE.value()).url,
        },
    )


def test_a_new_redis_has_nothing_to_rebuild(redis):
    assert layout.warnings(redis) == []
    layout.settle(redis)
    assert not layout.are_indexes_old(redis)
    assert layout.warnings(redis) == []


def test_an_earlier_version_warns_of_a_later_one_which_rebuilds_when_it_is_back(redis, monkeypatch):
    number = layout.INDEXES
    monkeypatch.setattr(layout, "INDEXES", number + 1)
    layout.settle(redis)
    monkeypatch.setattr(layout, "INDEXES", number)
    for _ in range(2):
        layout.settle(redis)
        [said] = layout.warnings(redis)
        assert "later version" in said
    monkeypatch.setattr(layout, "INDEXES", number + 1)
    layout.settle(redis)
    assert layout.are_indexes_old(redis)


@pytest.mark.deep
def test_a_service_rebuilds_what_an_earlier_version_has_made_and_says_so(tmp_path):
    with Stack(tmp_path) as stack:
        ann = Client(stack.url).sign_up("Ann")
        game = ann.post("/v1/games", {"board": "london", "seats": [{"open": True}] * 2})["id"]
    with EmbeddedRedis(tmp_path / "redis") as server, connect(server.url) as redis:
        redis.delete(*buckets.keys("all"), layout.MADE_BY)
        assert run("check", "--data", str(tmp_path)).returncode == 1
    with Stack(tmp_path, workers=0) as stack, connect(stack.redis.url) as redis:
        assert any("earlier version" in said for said in stack.warnings)
        until(lambda: not layout.are_indexes_old(redis))
        checked = run("check", "--json", "--data", str(tmp_path))
        assert (checked.returncode, json.loads(checked.stdout)["warnings"]) == (0, [])
        again = Client(stack.url, ann.token)
        assert [row["id"] for row in again.get("/v1/games")["items"]] == [game]
    with Stack(tmp_path, workers=0) as stack:
        assert stack.warnings == []


def test_check_says_that_the_indexes_are_of_an_earlier_version(redis, redis_server):
    redis.set("fogg:layout", layout.LAYOUT)
    checked = fogg(redis_server.url, "check", "--json")
    [said] = json.loads(checked.stdout)["warnings"]
    assert "earlier version" in said
    assert said in fogg(redis_server.url, "check").stdout
    assert fogg(redis_server.url, "rebuild").returncode == 0
    assert json.loads(fogg(redis_server.url, "check", "--json").stdout)["warnings"] == []


def test_indexes_of_kept_histories_change_only_with_the_number_of_indexes(redis):
    """Where this fails, count up ``layout.INDEXES`` and write what is found into indexes.json; for
    a history that is new only the latter."""
    store = GameStore(redis, load_folder())
    known = importing.known_boards(store, [BY_DIGEST[FORMER_USA]])
    digests: dict = {"number": layout.INDEXES}
    for name in sorted(expected()):
        game = store.load(importing.put(store, known, read(name))[0])
        state, history = game.state, [*store.entries(game.state.id)]
        held = [
            values_of(store, game, history, False) | {"last_hash": game.hash},
            *facts.seats(state, game.pace),
            *facts.claims(state, game.pace),
            *facts.tickets(state),
            rated_game(game).as_row() if is_rated(state) else None,
        ]
        if is_counted(state):
            for sums in (Statistics(None), Opponents(None)):
                sums.add_game(game)
                held += [sorted(rows.items()) for rows in sums.sums.values()]
        digests[name] = sha256(orjson.dumps(held, option=KEYS)).hexdigest()
    assert digests == json.loads((HERE / "indexes.json").read_text()), json.dumps(digests, indent=1)
