"""The copy of present ratings in Redis has what the database has, however that has changed."""

import pytest

from domain.skill import Skill
from service.accounts.bots import STRENGTHS
from service.errors import RecordsUnavailable
from service.games.strengths import OVERALL
from service.ratings import leaderboards, present, ratings
from service.ratings.standing import Standing
from service.records.database import Database, sqlite_url
from tests.service.records.counted import game, rate

PLAYERS = ["p_0", "p_0@1", "p_0@2", "p_1", "p_2@1", "p_none", "bot_planner_0:usa"]


def right(records: Database) -> list[float]:
    with records.reading() as db:
        return [one.mu for one in leaderboards.standings(db, OVERALL, PLAYERS)]


def test_the_copy_follows_each_change(redis, records, monkeypatch):
    monkeypatch.setattr(present, "BATCH_SIZE", 2)
    games = [
        game(n, *players)
        for n, players in enumerate(
            (("p_0", "p_1"), ("p_1", "p_0@1"), ("p_2@1", "p_1", "p_0"), ("p_0@1", "bot_planner_0"))
        )
    ]
    for one in (*games[:2], games[3], games[2]):  # the last one is late
        rate(records, one)
        present.copy(redis, records)
        assert present.strengths(redis, PLAYERS) == right(records)
    ratings.recount(records)
    present.copy(redis, records)
    assert present.strengths(redis, PLAYERS) == right(records)
    kept = redis.hgetall(present.KEY)
    redis.delete(present.KEY)
    present.copy(redis, records)
    assert redis.hgetall(present.KEY) == kept


def test_the_copy_is_made_again_if_the_database_is_older(redis, records, tmp_path):
    older = Database(sqlite_url(tmp_path / "older.sqlite3"))
    older.migrate()
    for one, count in ((records, 3), (older, 2)):
        rate(one, *(game(n, "p_0", "p_1") for n in range(count)))
        present.copy(redis, one)
        assert present.strengths(redis, PLAYERS) == right(one)
    older.close()


def test_a_player_without_games_has_the_rating_at_the_start_once_there_is_a_copy(redis, records):
    for read in (lambda: present.rating(redis, "p_0"), lambda: present.strengths(redis, ["p_0"])):
        with pytest.raises(RecordsUnavailable, match="not in Redis yet"):
            read()
    present.copy(redis, records)
    assert present.rating(redis, "p_0") == Standing().rating
    assert present.strengths(redis, ["p_0@1", "bot_learned_0:usa"]) == [
        Skill().mu,
        STRENGTHS["bot_learned_0:usa"],
    ]
    rate(records, game(1, "p_1", "p_0"), game(2, "p_1", "p_0@1"))
    present.copy(redis, records)
    assert present.rating(redis, "p_0@2") == Standing().rating < present.rating(redis, "p_1")
