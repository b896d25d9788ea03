"""The log of finished games: each statistic counts every game once, despite failures and losses."""

import pytest
from service.projections.finished import FinishedGames

from service.games.index import STATUSES
from service.projections import PROJECTIONS, STATISTICS, finished, projecting, statistics
from service.store.loaded import Rollback
from tests.service.api.callers import won
from tests.service.looks import sweep


@pytest.fixture
def over(ada, grace):
    """A function that plays a game to its end and returns its id."""
    return lambda: won(ada, grace)


def counted(redis) -> dict[str, dict]:
    """Every row of every statistic."""
    return {each.name: each.read(redis, each.key) for each in STATISTICS}


def games_on(redis, board: str = "usa") -> int:
    return statistics.board_statistics(redis, board)["games"]


def test_a_game_that_one_statistic_cannot_count_keeps_it_from_no_other_game(
    games, over, redis, monkeypatch, caplog
):
    first = over()
    with monkeypatch.context() as failing:
        failing.setattr(statistics, "kind_of_player", lambda *_: 1 / 0)
        broken = over()
    last = over()
    assert games_on(redis) == 2
    assert f"{broken} cannot be counted" in caplog.text
    assert games.get(broken).state.status == "finished"
    projecting.rebuild(games.store)
    assert games_on(redis) == 3
    assert [game.decode() for game in redis.zrange(finished.GAMES, 0, -1)] == [first, broken, last]


@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_game_that_went_back_is_taken_out_and_counted_once_when_it_ends_again(
    games, over, redis, which
):
    ids = [over() for _ in range(3)]
    before, known = counted(redis), games.get(ids[which])
    projecting.roll_back(games.store, Rollback(known, None, 0))
    assert games_on(redis) == 2
    assert ids[which] not in str(redis.zrange(finished.GAMES, 0, -1))
    projecting.roll_back(games.store, Rollback(known, None, 0))  # another process finds it, too
    assert games_on(redis) == 2
    over()
    assert games_on(redis) == 3
    projecting.project(games.store, known)
    for _ in range(2):
        sweep(games)
        assert games_on(redis) == 4
    assert counted(redis)["boards"].keys() >= before["boards"].keys()


def test_a_rebuild_starts_again_when_a_game_goes_back_meanwhile(games, over, redis):
    ids = [over() for _ in range(3)]
    projection = next(each for each in PROJECTIONS if isinstance(each, FinishedGames))
    rebuild = projection.begin_rebuild(games.store)
    for game in ids:
        rebuild.add(games.store, games.get(game))
    projecting.roll_back(games.store, Rollback(games.get(ids[0]), None, 0))
    rebuild.finish(games.store, {*ids})
    assert games_on(redis) == 2
    assert not [*redis.scan_iter("{stats}:new:*")]


def test_a_rebuild_counts_a_game_that_finishes_before_it_ends(games, over, redis):
    ids = [over() for _ in range(2)]
    projection = next(each for each in PROJECTIONS if isinstance(each, FinishedGames))
    rebuild = projection.begin_rebuild(games.store)
    over()
    rebuild.add(games.store, games.get(ids[1]))
    over()
    rebuild.add(games.store, games.get(ids[0]))
    before = counted(redis)
    rebuild.finish(games.store, {*ids})
    assert counted(redis) == before
    assert games_on(redis) == 4


def test_metrics_show_how_many_games_each_projection_has_yet_to_count(anybody, games, over, redis):
    def backlog() -> dict[str, float]:
        lines = [line.split(" ") for line in anybody.get("/metrics").text.splitlines()
                 if line.startswith("fogg_projection_backlog{")]
        return {name.split('"')[1]: float(value) for name, value in lines}

    assert set(backlog()) == {each.name for each in PROJECTIONS}
    over()
    assert {name for name, count in backlog().items() if count} == {"ratings", "public_log"}
    sweep(games)
    assert set(backlog().values()) == {0}
    shown = anybody.get("/metrics").text
    assert all(f'fogg_games{{status="{status}"}}' in shown for status in STATUSES)
