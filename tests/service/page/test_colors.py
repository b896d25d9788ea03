"""Colours of cards, tracks and seats stay apart for colour-blind people, before symbols, patterns
and numbers help."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from domain.drawing.marks import INK, PAPER, SEATS, SOFT

PAGE = Path(__file__).parents[3] / "service" / "page"
# How colours look without one kind of cone (Machado, Oliveira and Fernandes 2009, table 1, severity
# 1), in linear RGB.
SIGHTS = {
    "all cones": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = TO_XYZ.sum(axis=1)
LEAST = 14  # distance in CIELAB; 2.3 can just be seen
LEAST_MIXED = 9  # of tracks in the dark, which are mixed with the colour of the land
MARKS = (PAGE / "marks.mjs").read_text(encoding="utf-8")
STYLES = "".join((PAGE / name).read_text(encoding="utf-8") for name in ("base.css", "map/map.css"))


def rgb(color):
    """A colour's parts, 0 to 1."""
    return np.array([int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)])


def linear(parts):
    """The same, proportional to light."""
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(light):
    """A colour in CIELAB."""
    x, y, z = TO_XYZ @ np.clip(light, 0, 1) / WHITE
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return np.array([116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)])


def close(colors, least):
    """The pairs of colours, as parts by name, that lie closer together than ``least``."""
    return {
        (sight, *pair): round(distance, 1)
        for sight, matrix in SIGHTS.items()
        for pair in combinations(colors, 2)
        if (
            distance := float(
                np.linalg.norm(np.subtract(*(lab(matrix @ linear(colors[name])) for name in pair)))
            )
        )
        < least
    }


def contrast(one, other):
    """WCAG's contrast of two colours."""
    low, high = sorted(float(TO_XYZ[1] @ linear(rgb(color))) for color in (one, other))
    return (high + 0.05) / (low + 0.05)


def variables(scheme, name="seat-."):
    """The colours that the page's styles declare, in the light or in the dark."""
    blocks = re.split(
        r"@media \(prefers-color-scheme: dark\) \{\s*:root \{(.*?)\}", STYLES, flags=re.DOTALL
    )
    text = "".join(blocks[1::2] if scheme == "dark" else blocks[::2])
    return dict(re.findall(rf"--({name}): (#\w{{6}})", text))


CARDS = {name: color for name, color in SOFT.items() if name != "violet"}  # the same as purple


def test_cards_and_tracks_have_distinct_colors():
    assert close({name: rgb(color) for name, color in CARDS.items()}, LEAST) == {}
    assert min(contrast(color, INK) for name, color in CARDS.items() if name != "black") > 3
    assert contrast(CARDS["black"], "#ffffff") > 3


def test_free_tracks_have_distinct_colors_in_the_dark():
    share = min(map(int, re.findall(r"--free: (\d+)%", STYLES))) / 100
    assert share < 1
    land = rgb(variables("dark", "land")["land"])
    assert (
        close(
            {name: rgb(color) * share + land * (1 - share) for name, color in CARDS.items()},
            LEAST_MIXED,
        )
        == {}
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_seats_have_distinct_colors(scheme):
    seats, paper = variables(scheme), variables(scheme, "paper")["paper"]
    assert len(seats) == len(SEATS)
    assert close({name: rgb(color) for name, color in seats.items()}, LEAST) == {}
    assert min(contrast(color, paper) for color in seats.values()) >= 4.5


def test_the_page_and_pictures_have_the_same_colours():
    assert [*variables("light").values()] == [*SEATS]
    assert variables("light", "paper")["paper"] == PAPER
    cards = dict(re.findall(r'(\w+)\]?: \["(#\w+)", "\w+"\]', MARKS))
    del cards["WILD"]  # of all colours
    assert {name.lower(): color for name, color in cards.items()} == SOFT
