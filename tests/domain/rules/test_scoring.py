"""Rules 5.3, 7.2, 7.4 (more of it is in test_boards.py), and how 8.2 ranks those who left."""

import pytest

from domain.game.commands import Resign
from domain.game.scoring import results
from domain.game.state import State
from tests.domain.given import BySeat, after, given

# worth 8 points each
PATH_OF_5 = ("dallas--el-paso", "dallas--houston")
SPLIT_4_1 = ("calgary--helena", "portland--seattle")
OTHER_4_1 = ("charleston--miami", "kansas-city--omaha")
WITH_TICKET = ("denver--santa-fe", "el-paso--santa-fe")
TICKET = "denver--el-paso"  # 4 points
# worth 15 points and the longest path
PATH_OF_6 = ("duluth--toronto",)
# worth 25 points, in four pieces
SCATTERED = ("charleston--miami", "chicago--omaha", "dallas--el-paso", "montreal--new-york")

TRIANGLE = ("calgary--seattle", "calgary--vancouver", "seattle--vancouver")  # 4 + 3 + 1


def position(seats: int = 3, routes: BySeat | None = None, tickets: BySeat | None = None) -> State:
    """A position in which seats have no tickets but those named."""
    return given(seats, routes=routes, tickets=dict.fromkeys(range(seats), ()) | (tickets or {}))


def scored(part: str, state: State) -> list[int]:
    return [result[part] for result in results(state)]


def test_5_3_a_connected_ticket_gives_its_value_and_another_takes_it():
    tickets = dict.fromkeys(range(3), (TICKET,))
    state = position(routes={0: WITH_TICKET, 1: WITH_TICKET[:1]}, tickets=tickets)
    assert scored("tickets", state) == [4, -4, -4]
    assert scored("tickets_completed", state) == [1, 0, 0]


@pytest.mark.parametrize(
    ("routes", "tickets", "points"),
    [
        ({0: WITH_TICKET}, (TICKET, "boston--miami", "houston--kansas-city"), 4 - 12 - 5),
        # a long way round
        ({0: ("denver--phoenix", "los-angeles--phoenix", "el-paso--los-angeles")}, (TICKET,), 4),
        # routes of others, and two pieces that reach one end each, do not connect
        ({0: WITH_TICKET[:1], 1: WITH_TICKET[1:]}, (TICKET,), -4),
        ({0: ("denver--santa-fe", "el-paso--phoenix")}, (TICKET,), -4),
    ],
)
def test_5_3_tickets_add_up_and_count_against_a_seat_if_its_own_routes_do_not_connect_them(
    routes, tickets, points
):
    assert scored("tickets", position(routes=routes, tickets={0: tickets})) == [points, 0, 0]


@pytest.mark.parametrize(
    ("length", "routes"),
    [
        (0, ()),
        (6, PATH_OF_6),
        (5, PATH_OF_5),
        (4, SPLIT_4_1),  # one piece of two
        (9, ("calgary--helena", "helena--omaha", "helena--salt-lake-city")),  # two arms of three
        (8, TRIANGLE),  # back to the start
        (14, (*TRIANGLE, "helena--seattle")),  # round and off
        (15, (*TRIANGLE, "helena--seattle", "portland--seattle")),  # in, round and off
        (16, (*TRIANGLE, "helena--seattle", "calgary--winnipeg")),  # in, along a side and off
    ],
)
def test_7_2_the_longest_path_takes_each_route_once_and_locations_again(length, routes):
    assert scored("longest_path_length", position(routes={0: routes}))[0] == length


@pytest.mark.parametrize(
    ("routes", "points"),
    [
        ({0: PATH_OF_5, 1: PATH_OF_6}, [0, 10, 0]),
        ({0: SPLIT_4_1, 1: OTHER_4_1, 2: WITH_TICKET}, [10, 10, 10]),
        ({}, [0, 0, 0]),
    ],
)
def test_7_2_everybody_with_the_longest_path_gets_ten_points_but_nobody_without_a_route(
    routes, points
):
    assert scored("longest_path", position(routes=routes)) == points


def test_7_2_a_seat_that_left_may_have_the_longest_path():
    state = after(position(routes={0: PATH_OF_5, 1: PATH_OF_6}), (1, Resign()))
    assert scored("longest_path", state) == [0, 10, 0]


def test_7_4_among_equal_points_and_tickets_the_holder_of_the_longest_path_wins():
    state = position(routes={0: SCATTERED, 1: PATH_OF_6})
    assert scored("total", state) == [25, 25, 0]
    assert scored("longest_path", state) == [0, 10, 0]
    assert scored("rank", state) == [2, 1, 3]


def test_8_2_a_seat_that_left_ranks_below_every_seat_that_did_not():
    state = after(position(routes={0: PATH_OF_6}, tickets={1: (TICKET,)}), (0, Resign()))
    assert scored("total", state) == [25, -4, 0]
    assert scored("rank", state) == [3, 2, 1]


@pytest.mark.parametrize(("leavers", "ranks"), [((0, 1), [4, 3, 1, 1]), ((1, 0), [3, 4, 1, 1])])
def test_8_2_those_who_left_later_rank_above_those_who_left_earlier(leavers, ranks):
    state = position(4, routes={0: PATH_OF_6, 1: PATH_OF_5})
    assert scored("rank", after(state, *((seat, Resign()) for seat in leavers))) == ranks


def test_8_2_the_tickets_of_a_seat_that_left_do_not_count():
    state = position(routes={0: WITH_TICKET}, tickets={0: (TICKET,), 1: (TICKET,)})
    state = after(state, (0, Resign()))
    assert scored("tickets", state) == [0, -4, 0]
