"""Games of duplicate deals as data: nowhere while others play their deal, everywhere afterwards."""

import json

import pytest
from click.testing import CliRunner

from cli.commands.check import check
from service.projections import checking, finished, projecting, statistics
from tests.service.api.test_tournaments import begun, games_of
from tests.service.looks import sweep

RESIGN = {"type": "resign"}


@pytest.fixture
def deal(ada, grace, service):
    """The two games of a deal."""
    return [game["game"] for game in games_of(begun(service.tournaments, ada, grace,
                                                    deals="duplicate"))]


@pytest.fixture
def bulk(anybody, service):
    """Return the bulk data after a sweep: the games of histories, of decisions, and the number
    counted."""
    def bulk() -> tuple[list[str], set[str], int]:
        sweep(service.games)
        told = [[json.loads(line) for line in anybody.get(path).data.splitlines() if line]
                for path in ("/v1/histories", "/v1/decisions")]
        counted = anybody.get("/v1/stats/boards/usa").json["games"]
        return [row["game"] for row in told[0]], {row["game"] for row in told[1]}, counted
    return bulk


def test_a_duplicate_game_is_in_bulk_and_statistics_once_its_deal_is_over(
    ada, grace, deal, bulk, redis
):
    first, second = deal
    grace.play(first, RESIGN)
    assert bulk() == ([], set(), 0)
    ada.play(second, RESIGN)
    histories, decisions, counted = bulk()
    assert (sorted(histories), decisions, counted) == (sorted(deal), set(deal), 2)
    assert bulk() == (histories, decisions, counted)
    assert not redis.exists(finished.WAITING)


def test_a_game_that_cannot_be_counted_stops_no_other_record(
    ada, grace, deal, bulk, monkeypatch, caplog, anybody
):
    first, second = deal
    grace.play(first, RESIGN)
    ada.play(second, RESIGN)

    kind_of_player = statistics.kind_of_player

    def fail_once(state, seat):
        if state.id == first:
            raise RuntimeError("no such count")
        return kind_of_player(state, seat)

    monkeypatch.setattr(statistics, "kind_of_player", fail_once)
    assert bulk()[2] == 1
    assert f"{first} cannot be counted" in caplog.text
    assert len(anybody.get("/v1/log").json["items"]) == 2


def test_a_deal_that_went_back_is_told_no_more_until_it_is_over_again(
    ada, grace, deal, bulk, redis, service
):
    first, second = deal
    grace.play(first, RESIGN)
    ada.play(second, RESIGN)
    assert len(bulk()[0]) == 2
    key = service.games.store.key(second, "log")
    redis.xdel(key, redis.xrevrange(key, count=1)[0][0])
    service.games.get(second)  # finds out
    service.games.store.refold(second)  # as its head went back with it
    assert bulk()[0] == []
    grace.play(second, RESIGN)
    assert len(bulk()[0]) == 2


def test_deals_are_found_again_by_a_rebuild_and_checked(
    ada, grace, deal, bulk, redis, service, redis_server, monkeypatch
):
    monkeypatch.setattr(checking, "SETTLED", 0)
    monkeypatch.setenv("FOGG_REDIS_URL", redis_server.url)

    def wrong() -> list[str]:
        report = json.loads(CliRunner().invoke(check, ["--json"]).stdout)
        return [finding["code"] for finding in report["findings"]]

    grace.play(deal[0], RESIGN)
    assert wrong() == []
    ada.play(deal[1], RESIGN)
    assert wrong() == []
    redis.delete(*redis.scan_iter("{stats}:*"))
    assert set(wrong()) == {"statistics-differ"}
    projecting.rebuild(service.games.store)
    assert wrong() == []
    assert len(bulk()[0]) == 2
