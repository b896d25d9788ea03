"""Several processes check and rebuild: they find, and make, what one does."""

import json

import pytest
from click.testing import CliRunner

from cli.commands.check import check as check_command
from cli.commands.store import rebuild as rebuild_command
from service.operation.stores import game_store
from service.projections import (
    archiving,
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
from tests.service.games.test_broken import edit
from tests.service.projections.test_archiving import some, store

__all__ = ["store"]

GAMES = 9
COUNTS = statistics.STATISTIC.key


@pytest.fixture(autouse=True)
def settings(monkeypatch, redis_server, tmp_path):
    """By which other processes find the store; they get a game or two at a time."""
    monkeypatch.setenv("FOGG_REDIS_URL", redis_server.url)
    monkeypatch.setenv("FOGG_ARCHIVE", str(tmp_path / "archive"))
    monkeypatch.setattr(checking, "SETTLED", 0)
    for module in (checking, projecting):
        monkeypatch.setattr(module, "BATCH", 2)


@pytest.fixture
def games(store) -> list[str]:
    """Finished games with all that is derived from them, some in the archive."""
    ids = [*some(store, GAMES - 3)]
    archiving.run(store, days=0)
    ids += some(store, 3)
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
    assert (check(2)["ok"], check(2)["games"], check(2)["archived"]) == (True, GAMES, GAMES - 3)
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


def test_broken_games_are_named_by_whichever_process_met_them(games, store, redis):
    edit(redis, games[-1], 2, b"seat", b"seal")
    assert projecting.rebuild(store, cores=Cores(game_store, 2)) == GAMES - 1
    assert [*store.broken] == [games[-1]]


def test_an_archive_that_does_not_answer_ends_a_rebuild_in_words(games, tmp_path):
    (tmp_path / "archive").rename(tmp_path / "elsewhere")
    from cli.commands import fogg

    done = CliRunner().invoke(fogg, ["rebuild", "--jobs", "2"])
    assert done.exit_code == 1
    assert "the archive that holds this game does not respond" in done.output
