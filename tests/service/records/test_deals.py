"""Games of duplicate deals as data: nowhere while others play their deal, everywhere afterwards."""

import json

import pytest
import sqlalchemy as sa

from service.records.tables import game, seat
from service.statistics import statistics
from service.tournaments.tournaments import Tournaments
from tests.service.tournaments.test_tournaments import begun, games_of

RESIGN = {"type": "resign"}


@pytest.fixture
def deal(ada, grace, service):
    """The two games of a deal."""
    return [
        game["game"]
        for game in games_of(begun(service.find(Tournaments), ada, grace, deals="duplicate"))
    ]


@pytest.fixture
def bulk(anybody, recorder):
    """Return the bulk data once games are recorded: the games of histories, of decisions, and the
    number counted."""

    def bulk() -> tuple[list[str], set[str], int]:
        recorder.run()
        told = [
            [json.loads(line) for line in anybody.get(path).data.splitlines() if line]
            for path in ("/v1/histories", "/v1/decisions")
        ]
        counted = anybody.get("/v1/stats/boards/usa").json["games"]
        return [row["game"] for row in told[0]], {row["game"] for row in told[1]}, counted

    return bulk


def is_settled(games) -> dict[str, bool]:
    """Return the recorded games, and whether each counts."""
    with games.database.reading() as db:
        return dict(db.execute(sa.select(game.c.id, game.c.is_settled)).all())


@pytest.mark.parametrize("runs", [1, 2])  # the recorder has seen the first alone, or not
@pytest.mark.parametrize("first", [0, 1])
def test_a_duplicate_game_is_in_bulk_and_statistics_once_its_deal_is_over(
    ada, grace, deal, bulk, games, recorder, runs, first
):
    for place in (first, 1 - first):
        game_id = deal[place]
        (grace if games.get(game_id).state.deciding()[0][0] else ada).play(game_id, RESIGN)
        if place == first and runs == 2:
            assert bulk() == ([], set(), 0)
            assert is_settled(games) == {game_id: False}
    histories, decisions, counted = bulk()
    assert (histories, decisions, counted) == ([deal[first], deal[1 - first]], set(deal), 2)
    assert is_settled(games) == dict.fromkeys(deal, True)
    assert bulk() == (histories, decisions, counted)
    with games.database.reading() as db:  # a filter by bot goes by what seats have of it
        assert db.scalar(sa.select(sa.func.count(seat.c.published.distinct()))) == 2


def test_a_deal_that_cannot_be_counted_waits_whole(
    ada, grace, deal, bulk, games, monkeypatch, caplog, recorder
):
    grace.play(deal[0], RESIGN)
    assert bulk() == ([], set(), 0)
    ada.play(deal[1], RESIGN)
    with monkeypatch.context() as failing:
        failing.setattr(statistics, "kind_of_player", lambda state, _: 1 / (state.id == deal[1]))
        assert bulk() == ([], set(), 0)
    assert f"{deal[1]} cannot be recorded" in caplog.text
    recorder.record(deal[1])
    assert bulk()[0] == deal
