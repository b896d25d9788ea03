"""Sums over published games, and bulk downloads, on both kinds of database."""

from random import Random

import pytest
import sqlalchemy as sa

from domain.game.commands import CreateGame, Player
from service.ratings.opponents import Opponents, against
from service.records.recorder import Recorder
from service.records.tables import board_total, versus
from service.redis.secret import new_id
from service.statistics.statistics import Statistics
from tools.games import store_random_game

PEOPLE = [Player("p_a", "A"), Player("p_b", "B"), Player("p_c", "C", "external", "p_o", "2")]
BOTS = [Player(f"bot_planner_{seat}", "planner", "planner") for seat in range(2)]


@pytest.fixture
def played(games):
    """A function that plays a game between some players at random, and returns it."""
    def played(*players: Player, board: str = "usa", seed: int = 0):
        create = CreateGame(new_id("g"), players[0].id, tuple((one, None) for one in players),
                            seed.to_bytes(32, "big"))
        state = store_random_game(games.store, games.store.boards[board], len(players),
                                  Random(seed), create)
        return games.get(state.id)
    return played


def test_the_tables_hold_what_all_games_add_up_to(games, records, played):
    recorder = Recorder(games, records)
    over = [played(*PEOPLE[:2]), played(*PEOPLE, board="europe", seed=1)]
    assert recorder.run() == 2
    over += [played(PEOPLE[1], PEOPLE[0], seed=2), played(PEOPLE[0], BOTS[0], board="paris")]
    assert recorder.run() == 2
    assert not recorder.record(over[0].state.id)  # recorded before
    for expected, table in ((Statistics(games), board_total), (Opponents(games), versus)):
        for one in over:
            expected.add_game(one)
        assert all(expected.sums.values())
        with records.writing() as db:
            assert expected.stored(db) == expected.sums
            db.execute(sa.update(table).values(games=7))
            assert expected.stored(db) != expected.sums
            expected.replace(db)
            assert expected.stored(db) == expected.sums


def test_two_copies_of_a_bot_are_no_opponent(games, records, played):
    played(PEOPLE[0], *BOTS, PEOPLE[1])
    Recorder(games, records).run()
    with records.reading() as db:
        records = against(db, "p_a", ["bot_planner_0", "p_b"])
        assert {player: record["games"] for player, record in records.items()} == {"p_b": 1}
