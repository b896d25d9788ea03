"""Matchmaking of the pool: similar ratings, new opponents."""

from dataclasses import replace

import pytest

from domain.pool import MAX_WAIT_MS, RATING_RANGE, Ready, pair, tables
from tests.domain.given import BOARDS

BUILT_IN = [
    Ready("bot_random_0", 10.0, is_built_in=True),
    Ready("bot_planner_0", 30.0, is_built_in=True),
]


def ready(name: str, rating: float = 25.0, **more) -> Ready:
    return replace(
        Ready(
            name, rating, owner=name, boards=("usa",), seats=(2,), clocks=("normal",), capacity=1
        ),
        **more,
    )


def pairings(*people: Ready, met=None, built_in=()) -> list[set[str]]:
    return [
        {player.id for player in table.players}
        for table in tables(people, built_in, met or {}, BOARDS)
    ]


def test_the_nearest_two_meet():
    assert pairings(ready("a"), ready("b", 28), ready("c", 26)) == [{"a", "c"}]


def test_the_player_with_fewer_games_goes_first():
    a, b, c = ready("a", games=4), ready("b", games=4), ready("c", games=2)
    assert {"c"} < pairings(a, b, c)[0]


def test_a_distant_opponent_is_met_after_a_wait():
    far = 25 + RATING_RANGE + 1
    assert pairings(ready("a"), ready("b", far)) == []
    assert pairings(ready("a", waited=MAX_WAIT_MS), ready("b", far)) == [{"a", "b"}]


def test_a_built_in_bot_plays_if_nobody_is_near_after_a_wait():
    assert pairings(ready("a"), built_in=BUILT_IN) == []
    alone = ready("a", waited=MAX_WAIT_MS)
    assert pairings(alone, built_in=BUILT_IN) == [{"a", "bot_planner_0"}]
    level = replace(BUILT_IN[1], rating=25.0)
    assert pairings(alone, ready("b", 28), built_in=[level]) == [{"a", "b"}]
    assert pairings(alone, ready("b", 45), built_in=BUILT_IN) == [{"a", "bot_planner_0"}]


def test_repeated_meetings_add_distance():
    people = ready("a", waited=MAX_WAIT_MS), ready("b"), ready("c", 27)
    assert pairings(*people, met={("a", "b"): 1}) == [{"a", "b"}]
    assert pairings(*people, met={("a", "b"): 2}) == [{"a", "c"}]
    assert pairings(*people[:2], met={("a", "b"): 9}, built_in=BUILT_IN) == [{"a", "bot_planner_0"}]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"owner": "o"}, {"owner": "o"}),
        ({"playing": frozenset({"b"})}, {"playing": frozenset({"a"})}),
        ({"boards": ("usa",)}, {"boards": ("europe",)}),
        ({"seats": (2,)}, {"seats": (3,)}),
        ({"clocks": ("fast",)}, {"clocks": ("slow",)}),
        ({"capacity": 0}, {}),
        ({"boards": ("london",), "seats": (5,)}, {"boards": ("london",), "seats": (5,)}),
    ],
    ids=[
        "owner",
        "at a table",
        "boards",
        "seats",
        "clocks",
        "no capacity",
        "too many for the board",
    ],
)
def test_incompatible_players_are_not_paired(one, other):
    first, second = ready("a", waited=MAX_WAIT_MS, **one), ready("b", waited=MAX_WAIT_MS, **other)
    assert pairings(first, second) == []


def test_at_a_table_of_three_no_two_have_one_owner():
    people = [ready(name, seats=(3,), waited=MAX_WAIT_MS) for name in "abcd"]
    people[2] = replace(people[2], owner="b")
    assert pairings(*people) == [{"a", "b", "d"}]


def test_empty_seats_of_a_larger_table_are_taken_by_built_in_bots():
    two = [ready(name, seats=(3,), waited=MAX_WAIT_MS) for name in "ab"]
    assert pairings(*two, built_in=BUILT_IN) == [{"a", "b", "bot_planner_0"}]


def test_a_game_is_played_from_each_seat_where_all_have_room_for_that():
    def is_pair(*capacity: int) -> bool:
        people = [ready(name, capacity=n) for name, n in zip("ab", capacity, strict=True)]
        return next(tables(people, (), {}, BOARDS)).from_each_seat

    assert is_pair(2, 3)
    assert not is_pair(2, 1)
    assert not is_pair(1, 1)


def test_boards_take_turns_and_the_clock_is_one_that_both_wish():
    def of(games: int):
        a = ready("a", games=games, boards=("usa", "europe"), clocks=("slow", "fast"))
        b = ready("b", games=games, boards=("europe", "usa", "london"), clocks=("fast",))
        return next(tables([a, b], (), {}, BOARDS))

    assert [of(games).board for games in (0, 2, 4)] == ["usa", "europe", "usa"]
    assert of(0).clock == "fast"


def test_everybody_is_at_one_table_at_most():
    people = [ready(f"p{n}", 25 + n / 10, capacity=5) for n in range(21)]
    sat = [player for table in pairings(*people) for player in table]
    assert len(sat) == len(set(sat)) == 20


def test_a_pair_does_not_depend_on_the_order():
    assert pair("b", "a") == pair("a", "b") == ("a", "b")
