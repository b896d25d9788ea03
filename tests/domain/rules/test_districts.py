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
SECOND = (
    "big-ben--buckingham-palace",
    "big-ben--trafalgar-square",
    "piccadilly-circus--trafalgar-square",
)
THIRD = ("elephant-and-castle--globe-theatre", "elephant-and-castle--waterloo")
FOURTH = ("brick-lane--charterhouse", "charterhouse--st-pauls", "st-pauls--tower-of-london")
FIFTH = ("baker-street--regents-park", "baker-street--hyde-park", "kings-cross--regents-park")
DISTRICTS = {1: FIRST, 2: SECOND, 3: THIRD, 4: FOURTH, 5: FIFTH}


def position(routes: BySeat) -> State:
    """A position in which seats own routes and have no tickets."""
    return given(board=LONDON, routes=routes, tickets=dict.fromkeys(range(3), ()))


def test_7_3_only_london_has_districts():
    assert {b.id for b in load_folder().values() if districts_of(b)} == {"london"}
    assert {number: len(places) for number, places in sorted(districts_of(LONDON).items())} == {
        1: 2,
        2: 4,
        3: 3,
        4: 4,
        5: 4,
    }


@pytest.mark.parametrize(
    ("routes", "points"),
    [
        *(({0: ways}, [number, 0, 0]) for number, ways in DISTRICTS.items()),
        *(
            ({0: [r for r in ways if r != missing]}, [0, 0, 0])
            for ways in DISTRICTS.values()
            for missing in ways
        ),
        # its places are reached, but not connected with each other
        ({0: ("globe-theatre--waterloo", "elephant-and-castle--tower-of-london")}, [0, 0, 0]),
        # the connection runs outside the district
        ({0: ("british-museum--piccadilly-circus", "covent-garden--piccadilly-circus")}, [1, 0, 0]),
        (
            {
                0: (
                    "globe-theatre--st-pauls",
                    "covent-garden--st-pauls",
                    "covent-garden--trafalgar-square",
                    "trafalgar-square--waterloo",
                    "elephant-and-castle--waterloo",
                )
            },
            [3, 0, 0],
        ),
        ({0: (*FIRST, *THIRD, *SECOND)}, [1 + 2 + 3, 0, 0]),
        ({0: FIRST, 1: ("british-museum--covent-garden--2",)}, [1, 1, 0]),
        ({0: THIRD[:1], 1: THIRD[1:]}, [0, 0, 0]),  # routes of others do not connect
    ],
)
def test_7_3_a_district_whose_places_are_all_connected_gives_its_number_in_points(routes, points):
    assert [result["districts"] for result in results(position(routes))] == points


def test_7_3_nobody_has_points_for_districts_before_the_end():
    state = position({0: FIRST})
    assert (state.points, results(state)[0]["total"]) == ((1, 0, 0), 2)


def test_8_2_the_districts_of_a_seat_that_left_are_scored():
    left = results(after(position({0: FIFTH}), (0, Resign())))[0]
    assert (left["districts"], left["rank"]) == (5, 3)
