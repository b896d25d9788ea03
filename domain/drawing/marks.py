"""The elements of pictures: colours, text, spaces; and the additions of rules."""

import math
from cmath import rect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from unicodedata import category

from domain.board.board import Board
from domain.board.parts import GREY, Location, Route
from domain.codec import Json
from domain.drawing.labels import Space, width
from domain.drawing.layout import Layout

INK, PAPER, FAINT = "#2b2a28", "#fffdf7", "#6f6a60"
SEA, LAND, SHORE, RAIL = "#d3e1e4", "#f5efdf", "#c2d3d4", "#bdb199"

# Routes and cards have soft colours, so that the trains stand out. A test holds that colour-blind
# people can tell them apart.
SOFT = {"red": "#d35b46", "orange": "#e29746", "yellow": "#f1d360", "green": "#66ae68",
        "blue": "#88b4f5", "purple": "#a27bbd", "violet": "#a27bbd", "pink": "#f0acd4",
        "white": "#ffffff", "black": "#55534f", GREY: "#c4beb2"}  # fmt: skip
OTHER = "#a8c6b8"  # any other colour of a table

# Trains have strong colours, by seat, with dark edges, and numbers.
SEATS = (
    "#088192", "#a3005a", "#332ca4", "#9d6943", "#3c6012", "#1c1c1c", "#b3010d", "#115b86",
)  # fmt: skip

Mark = tuple[str, float, str]  # an entry of the key: its SVG around 0, its width, its words


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """A rule's additions to pictures, as SVG, where the board has them."""

    key: Callable[[Board], Iterable[Mark]] | None = None  # entries of the key under the map
    under: Callable[[Board, Layout], Iterable[str]] | None = None  # drawn on the ground
    over_water: Callable[[Route], bool] | None = None  # whether a route needs no land
    edge: Callable[[Route], str] | None = None  # attributes of a route's free spaces
    on_spaces: Callable[[Route, Sequence[Space]], Iterable[str]] | None = None  # while it is free
    says: Callable[[Route], str] | None = None  # text about a route, after its length and colour
    location: Callable[[Location, complex], str] | None = None  # its SVG, "" for a plain one
    over: Callable[[Json, Layout], Iterable[str]] | None = None  # drawn over the map, from a view
    seat_says: Callable[[Json], Iterable[str]] | None = None  # text next to the map
    seat_mark: Callable[[Json, int], Iterable[str]] | None = None  # SVG at a panel's end


def sample(x: float, edge: str = "") -> str:
    space = free_space(Space(complex(x), 0, 25, 12), edge).replace(' class="space"', "")
    return f'<g fill="{SOFT[GREY]}" stroke="#000" stroke-opacity=".35">{space}</g>'


def path(points: Iterable[complex]) -> str:
    return "M" + "L".join(f"{p.real:.1f} {p.imag:.1f}" for p in points)


def free_space(space: Space, edge: str = "") -> str:
    return f'<rect class="space" rx="3" {size_of(space)} {turned(space)}{edge}/>'


def star(space: Space) -> str:
    outer, inner = space.width * 0.42, space.width * 0.18
    points = (
        rect(inner if i % 2 else outer, math.pi * (i / 5 - 0.5)) + space.at for i in range(10)
    )
    return f'<path d="{path(points)}Z" fill="#fff" stroke="{INK}" stroke-width="1"/>'


def size_of(space: Space) -> str:
    long, wide = space.length, space.width
    return f'x="{-long / 2:.1f}" y="{-wide / 2:.1f}" width="{long:.1f}" height="{wide:.1f}"'


def turned(space: Space) -> str:
    at = space.at
    return f'transform="translate({at.real:.1f} {at.imag:.1f}) rotate({space.angle:.1f})"'


def badge(at: complex, seat: int, radius: float) -> str:
    """Return a seat's mark: its number in its colour. People count from 1."""
    x, y, size = at.real, at.imag, radius * 1.5
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{PAPER}" stroke="{paint(seat)}" '
        f'stroke-width="{radius / 4}"/>' + text(x, y + size * 0.36, seat + 1, size, anchor="middle")
    )


def paint(seat: int) -> str:
    return SEATS[seat % len(SEATS)]


def text(
    x: float,
    y: float,
    said: object,
    size: float,
    *,
    fill: str = INK,
    anchor: str = "start",
    room: float = math.inf,
) -> str:
    shown = str(said)
    if width(shown, size) > room:
        while shown and width(shown + "…", size) > room:
            shown = shown[:-1]
        shown += "…"
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" fill="{fill}" '
        f'text-anchor="{anchor}">{clean(shown)}</text>'
    )


def clean(said: str) -> str:
    """Return a text as XML, without characters that XML forbids or that change its direction."""
    return escape("".join(c for c in said if category(c)[0] != "C" or c == "\u200d"))
