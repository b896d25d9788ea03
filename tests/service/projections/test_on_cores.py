"""Several processes check and rebuild: they find, and make, what one does."""

import json
from random import Random

import pytest
from click.testing import CliRunner

from cli.commands.check import check as check_command
from cli.commands.store import rebuild as rebuild_command
from domain.boards import load_folder
from service.operation.stores import game_store
from service.projections import (
    checking,
    finished,
    log,
    projecting,
    ratings,
    statistics,
    tallies,
)
from service.projections.ledger import Ledger
from service.store.cores import Cores
from service.store.games import GameStore
from tests.games import store_random_game
from tests.service.games.test_broken import edit

BOARDS = load_folder()
GAMES = 9
COUNTS = statistics.STATISTIC.key


@pytest.fixture(autouse=True)
def settings(monkeypatch, redis_server):
    """By which other processes find the store; they get a game or two at a time."""
    monkeypatch.setenv("FOGG_REDIS_URL", redis_server.url)
    monkeypatch.setattr(checking, "SETTLED", 0)
    for module in (checking, projecting):
        monkeypatch.setattr(module, "BATCH", 2)


@pytest.fixture
def store(redis):
    return GameStore(redis, BOARDS)


@pytest.fixture
def games(store) -> list[str]:
    """Finished games with all that is derived from them."""
    chance = Random(3)
    ids = [store_random_game(store, BOARDS[("paris", "london")[number % 2]], 2, chance).id
           for number in range(GAMES)]
    ratings.catch_up(store)
    log.catch_up(store)
    return ids


def check(jobs: int) -> dict:
    """Return the findings of ``fogg check``."""
    done = CliRunner().invoke(check_command, ["--json", "--jobs", str(jobs)])
    report = json.loads(done.stdout)
    assert done.exit_code == (not report["ok"])
    return report | {"findings": sorted((row["code"], row["where"], row["reason"])
                                        for row in report["findings"])}


def derived(redis) -> dict:
    """All that is counted and listed."""
    ledger = Ledger(redis)
    lists = {key: redis.zrange(key, 0, -1, withscores=True)
             for pattern in ("{games:*", "player:*", "{stats}:games", "{ratings}:order")
             for key in redis.scan_iter(pattern) if redis.type(key) == b"zset"}
    return {"lists": lists, "counts": statistics.STATISTIC.read(redis, COUNTS),
            "tallies": tallies.read(redis, tallies.TALLIES), "rows": redis.hgetall(ledger.rows)}


def test_processes_find_what_one_finds(games, redis):
    assert check(2) == check(1)
    assert (check(2)["ok"], check(2)["games"]) == (True, GAMES)
    edit(redis, games[-1], 2, b"seat", b"seal")
    redis.delete(GameStore.key(games[-2], "head"))
    redis.zrem(finished.GAMES, games[0])
    redis.hincrby(COUNTS, "game paris 2", 1)
    checked = check(3)
    assert {code for code, *_ in checked["findings"]} == {
        "history-broken", "head-differs", "statistics-differ"}
    assert checked == check(1)


def test_processes_make_what_one_makes(games, store, redis):
    before = derived(redis)
    keys = {*redis.scan_iter("*")}
    for key in (*before["lists"], COUNTS, tallies.TALLIES, "{ratings}:rows"):
        if key != finished.GAMES.encode():  # which keeps when each game was filed
            redis.delete(key)
    done = CliRunner().invoke(rebuild_command, ["--json", "--jobs", "3"])
    assert (done.exit_code, json.loads(done.stdout)) == (0, {"games": GAMES, "broken": []})
    assert derived(redis) == before
    assert {*redis.scan_iter("*")} - keys <= {  # nothing temporary is left
        b"fogg:layout", b"fogg:indexes", b"fogg:indexes:newest", finished.VERSION.encode()}
    assert check(1)["ok"]


def test_broken_games_are_named_by_every_process_that_meets_one(games, store, redis):
    edit(redis, games[-1], 2, b"seat", b"seal")
    assert projecting.rebuild(store, cores=Cores(game_store, 2)) == GAMES - 1
    assert [*store.broken] == [games[-1]]
