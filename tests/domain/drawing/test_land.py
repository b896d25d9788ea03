"""The land under the boards: the real one for those that we ship, a generated one for others."""

import dataclasses
import re

import pytest

from domain.drawing.ground import COAST, land
from domain.drawing.layout import layout
from tests.domain.given import BOARDS

MOST_BYTES = 15_000  # of a board's land


def outlines(path):
    """The outlines of a path made of M, l and z, as lists of points."""
    rings = []
    for ring in path.split("z")[:-1]:
        numbers = [int(number) for number in re.findall(r"-?\d+", ring)]
        points = [complex(*numbers[:2])]
        for x, y in zip(numbers[2::2], numbers[3::2], strict=True):
            points.append(points[-1] + complex(x, y))
        rings.append(points)
    return rings


def is_inland(rings, at):
    """Whether a point is filled: whether outlines go around it, by the rule "nonzero"."""
    turns = 0
    for ring in rings:
        for p, q in zip(ring, ring[1:] + ring[:1], strict=True):
            left = ((q - p).conjugate() * (at - p)).imag > 0
            if p.imag <= at.imag < q.imag and left:
                turns += 1
            elif q.imag <= at.imag < p.imag and not left:
                turns -= 1
    return turns != 0


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_the_boards_that_we_ship_have_the_land_of_their_place_under_every_location(board):
    """If the layout has moved: ``python -m tools.generators.land FOLDER``."""
    plan = layout(board)
    assert 0 < len(plan.land) <= MOST_BYTES
    rings = outlines(plan.land)
    near = [0, *(10 * turn for turn in (1, -1, 1j, -1j))]  # a place may stand at the water's edge
    assert not [
        place
        for place, at in plan.spots.items()
        if not any(is_inland(rings, at + off) for off in near)
    ]


@pytest.mark.parametrize(
    ("board", "wet", "dry"),
    [
        (
            "europe",
            ["london dieppe", "constantinople sevastopol", "palermo athina"],
            ["zurich munchen venezia", "berlin danzig warszawa"],
        ),
        (
            "usa",
            ["new-orleans miami", "charleston miami", "duluth sault-st-marie toronto"],
            ["denver kansas-city", "montreal boston"],
        ),
        ("london", ["trafalgar-square waterloo"], ["hyde-park piccadilly-circus"]),
        (
            "paris",
            ["champs-elysees invalides", "bastille quartier-latin"],
            ["opera louvre", "montparnasse quartier-latin"],
        ),
    ],
)
def test_seas_lakes_and_rivers_lie_between_the_right_locations(board, wet, dry):
    plan = layout(BOARDS[board])
    rings = outlines(plan.land)
    inland = {
        places: is_inland(
            rings, sum(plan.spots[each] for each in places.split()) / len(places.split())
        )
        for places in (*wet, *dry)
    }
    assert inland == dict.fromkeys(wet, False) | dict.fromkeys(dry, True)


def test_a_board_of_ones_own_has_the_land_of_its_routes():
    london = BOARDS["london"]
    first, *others = london.locations
    own = dataclasses.replace(
        london, locations=(dataclasses.replace(first, name="Elsewhere"), *others)
    )
    assert layout(own).land == ""
    assert land(own, layout(own)).coast == COAST
    assert land(london, layout(london)).lines == ""
