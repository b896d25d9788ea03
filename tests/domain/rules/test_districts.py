"""Rule 7.3."""

import pytest

from domain.boards import load_folder
from domain.game.commands import Resign
from domain.game.scoring import results
from domain.game.state import State
from domain.rules.districts import districts as districts_of
from tests.domain.given import LONDON, BySeat, after, given

# the fewest routes that connect all places of a district
FIRST = ("british-museum--covent-garden",)
SECOND = ("big-ben--buckingham-palace", "big-ben--trafalgar-square",
          "piccadilly-circus--trafalgar-square")
THIRD = ("elephant-and-castle--globe-theatre", "elephant-and-castle--waterloo")
FOURTH = ("brick-lane--charterhouse", "charterhouse--st-pauls", "st-pauls--tower-of-london")
FIFTH = ("baker-street--regents-park", "baker-street--hyde-park", "kings-cross--regents-park")
DISTRICTS = {1: FIRST, 2: SECOND, 3: THIRD, 4: FOURTH, 5: FIFTH}


def position(routes: BySeat) -> State:
    """A position in which seats own routes and have no tickets."""
    return given(board=LONDON, routes=routes, tickets=dict.fromkeys(range(3), ()))


def districts(routes: BySeat) -> list[int]:
    """The points of every seat for districts."""
    return [result["districts"] for result in results(position(routes))]


def test_7_3_only_london_has_districts():
    assert {b.id for b in load_folder().values() if districts_of(b)} == {"london"}
    assert {number: len(places) for number, places in sorted(districts_of(LONDON).items())} == {
        1: 2, 2: 4, 3: 3, 4: 4, 5: 4,
    }


@pytest.mark.parametrize("number", DISTRICTS)
def test_7_3_a_district_whose_places_are_all_connected_gives_its_number_in_points(number):
    assert districts({0: DISTRICTS[number]}) == [number, 0, 0]


@pytest.mark.parametrize("number", DISTRICTS)
def test_7_3_with_any_one_of_the_routes_missing_it_gives_nothing(number):
    for missing in DISTRICTS[number]:
        assert districts({0: [r for r in DISTRICTS[number] if r != missing]})[0] == 0


def test_7_3_places_that_are_reached_but_not_connected_with_each_other_give_nothing():
    """Waterloo and Globe Theatre, and Elephant & Castle apart from them."""
    assert districts({0: ("globe-theatre--waterloo", "elephant-and-castle--tower-of-london")}) == [
        0, 0, 0,
    ]


def test_7_3_the_connection_may_run_outside_the_district():
    around = ("british-museum--piccadilly-circus", "covent-garden--piccadilly-circus")
    assert districts({0: around})[0] == 1
    waterloo = ("globe-theatre--st-pauls", "covent-garden--st-pauls",
                "covent-garden--trafalgar-square", "trafalgar-square--waterloo",
                "elephant-and-castle--waterloo")
    assert districts({0: waterloo})[0] == 3


def test_7_3_several_districts_add_up():
    assert districts({0: (*FIRST, *THIRD, *SECOND)})[0] == 1 + 2 + 3


def test_7_3_two_seats_may_both_connect_a_district():
    assert districts({0: FIRST, 1: ("british-museum--covent-garden--2",)}) == [1, 1, 0]


def test_7_3_routes_of_others_do_not_connect():
    assert districts({0: THIRD[:1], 1: THIRD[1:]}) == [0, 0, 0]


def test_7_3_nobody_has_points_for_districts_before_the_end():
    state = position({0: FIRST})
    assert state.points == (1, 0, 0)
    assert results(state)[0]["total"] == 2


def test_7_2_there_are_no_points_for_the_longest_path():
    assert {result["longest_path"] for result in results(position({0: FOURTH}))} == {0}


def test_8_2_the_districts_of_a_seat_that_left_are_scored():
    state = after(position({0: FIFTH}), (0, Resign()))
    assert results(state)[0]["districts"] == 5
    assert results(state)[0]["rank"] == 3


@pytest.mark.parametrize("board", [b for b in load_folder().values() if b.id != "london"],
                         ids=lambda board: board.id)
def test_7_3_other_boards_give_no_points_for_districts(board):
    state = given(board=board, routes={0: [r.id for r in board.routes if r.length == 1]})
    assert {result["districts"] for result in results(state)} == {0}
