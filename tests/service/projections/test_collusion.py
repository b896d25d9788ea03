"""Collusion in rated games: a helper is found, honest players are not suspected."""

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from service.api.serving import services
from service.errors import ArchiveDown
from service.projections.collusion import Comparisons, compared_pairs
from service.projections.ledger import Ledger
from service.projections.listing import Listing
from service.projections.standing import OVERALL, RatedGame
from tests.service.projections.counted import game

PLAYERS = ["p_main", "p_helper", "p_2", "p_3", "bot_planner_0"]


@pytest.fixture
def store(app):
    return services(app).games.store


def played(seats: int, rounds: int, seed: int = 1, helps: bool = True) -> list[RatedGame]:
    """Return games of all combinations of players, as strong as each other. The helper resigns to
    its friend or, at larger tables, keeps the others behind the friend."""
    chance, games = Random(seed), []
    for _ in range(rounds):
        for who in combinations(PLAYERS, seats):
            order = chance.sample(who, seats)
            together = helps and {"p_main", "p_helper"} <= {*who}
            if together:
                order.sort(key=lambda name: (name != "p_main", name == "p_helper"))
            row = game(len(games), *order)
            games.append(replace(row, left={seats - 1: "resigned"}) if together else row)
    return games


def suspects(games: list[RatedGame], account: str = "p_main") -> list[tuple[str, str]]:
    return [(row["giver"], row["taker"]) for row in compared_pairs(account, games)
            if row["suspect"]]


def test_who_resigns_to_a_friend_is_found():
    assert suspects(played(2, 12)) == [("p_helper", "p_main")]
    assert suspects(played(2, 12), "p_helper") == [("p_helper", "p_main")]


def test_who_helps_a_friend_against_others_is_found():
    assert ("p_helper", "p_main") in suspects(played(3, 12))


def test_the_honest_are_not_suspected():
    alarms = [suspects(played(seats, 12, seed, helps=False)) for seats in (2, 3)
              for seed in range(10)]
    assert sum(map(bool, alarms)) <= 1


def test_only_pairs_of_the_player_and_other_accounts_are_shown():
    rows = compared_pairs("p_main", played(2, 3))
    assert rows
    assert all("p_main" in (row["giver"], row["taker"]) for row in rows)
    assert not any("bot_planner_0" in (row["giver"], row["taker"]) for row in rows)


def test_the_games_of_a_deal_are_one_table_and_versions_one_account():
    deal = ("g_1", "g_2")
    first = replace(game(1, "p_main@1", "p_helper"), id="g_1", deal=deal)
    second = replace(game(2, "p_helper", "p_main@1"), id="g_2", deal=deal)
    other = game(3, "p_helper", "p_main@2")
    [row, _] = compared_pairs("p_main", [first, second, other])
    assert row["tables"] == 2
    assert {row["giver"], row["taker"]} == {"p_main", "p_helper"}


def count(redis, games: list[RatedGame]) -> None:
    ledger = Ledger(redis)
    ledger.put(games)
    while waiting := ledger.waiting_games():
        ledger.step(waiting)


def test_pairs_are_compared_once_until_the_account_has_another_game(store, redis):
    asked = []

    def aside(work, *args):
        asked.append(args[0])
        return work(*args)

    some = played(2, 3)
    comparisons = Comparisons(aside)
    count(redis, some)
    rows = comparisons.of(store, "p_main")
    assert rows == compared_pairs("p_main", some)
    assert comparisons.of(store, "p_main") == rows
    assert asked == ["p_main"]
    count(redis, [game(100, "p_main@2", "p_helper")])
    assert comparisons.of(store, "p_main") != rows
    comparisons.of(store, "p_helper")
    assert asked == ["p_main", "p_main", "p_helper"]


def test_a_comparison_that_fails_is_tried_again(store):
    def fails(work, *args):
        raise ArchiveDown("not there")

    comparisons = Comparisons(fails)
    for _ in range(2):
        with pytest.raises(ArchiveDown):
            comparisons.of(store, "p_main")


def test_the_latest_games_of_all_versions_are_read(redis):
    count(redis, [game(n, f"p_main@{n % 5}", "p_2") for n in range(30)])
    assert [one.id for one in Listing(redis).latest_of(
        OVERALL, [f"p_main@{n}" for n in range(5)], 7)] == [
            game(n, "p_main", "p_2").id for n in range(23, 30)]
