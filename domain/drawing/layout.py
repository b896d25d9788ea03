"""The layout of a board's picture: locations, spaces, names.

The spring layout takes about a second. For shipped boards its result is stored in ``settled.json``,
keyed by its inputs; ``land.json`` has the coasts that fit it, keyed by where the locations are.
Points are complex numbers, x + yj with y downwards, in pixels.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path

from domain.board.board import Board
from domain.board.parts import Location, Route
from domain.codec import Json
from domain.drawing.labels import Label, Space
from domain.drawing.springs import Settled, Springs, settle

SETTLED_FILE = Path(__file__).with_name("settled.json")
LAND_FILE = Path(__file__).with_name("land.json")


@dataclass(frozen=True)
class Layout:
    """All positions of a board's picture, which is ``width`` by ``height`` pixels."""

    width: float
    height: float
    spots: dict[str, complex]  # by location id
    labels: dict[str, Label]  # by location id
    spaces: dict[str, tuple[Space, ...]]  # by route id, from end a to end b
    land: str  # the areas of the real land, an SVG path; "" for boards that are not shipped


def layout(board: Board) -> Layout:
    """Return the layout of a board; it is cached for equal locations and routes."""
    return _layout(board.locations, board.routes)


@lru_cache(maxsize=32)
def _layout(locations: tuple[Location, ...], routes: tuple[Route, ...]) -> Layout:
    kept = _stored(SETTLED_FILE).get(key(locations, routes))
    settled = read(kept) if kept else settle(locations, routes)
    springs = Springs(locations, routes, settled)
    ids = [location.id for location in locations]
    return Layout(
        width=settled.width,
        height=settled.height,
        spots=dict(zip(ids, settled.at, strict=True)),
        labels=dict(zip(ids, settled.labels, strict=True)),
        spaces={
            route.id: springs.spaces(j, springs.aside(j, i))
            for j, tracks in enumerate(springs.tracks)
            for i, route in enumerate(tracks)
        },
        land=_stored(LAND_FILE).get(land_key(settled.at), "") if kept else "",
    )


def is_at_hand(board: Board) -> bool:
    return key(board.locations, board.routes) in _stored(SETTLED_FILE)


def keep(board: Board, settled: Json) -> None:
    """Cache a board's spring layout, in its written form, while this process runs."""
    _stored(SETTLED_FILE)[key(board.locations, board.routes)] = settled


def name_of(board: Board) -> str:
    """Return a key for a board's layout by these springs; shipped boards have other keys."""
    shipped = sha256(SETTLED_FILE.read_bytes()).hexdigest()[:16]
    return f"{key(board.locations, board.routes)}-{shipped}"


@cache
def version() -> str:
    """Return a text that changes with stored layouts and coasts, and with the code that draws."""
    files = SETTLED_FILE, LAND_FILE, *sorted(Path(__file__).parent.glob("*.py"))
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:8]


def key(locations: tuple[Location, ...], routes: tuple[Route, ...]) -> str:
    said = (
        [[each.id, each.name, each.lat, each.lon] for each in locations],
        [[route.a, route.b, route.length] for route in routes],
    )
    return sha256(json.dumps(said).encode()).hexdigest()[:16]


def land_key(at: Iterable[complex]) -> str:
    return sha256(json.dumps(_pairs(at)).encode()).hexdigest()[:16]


def written(settled: Settled) -> Json:
    return {
        **settled._asdict(),
        "at": _pairs(settled.at),
        "labels": [[*label] for label in settled.labels],
    }


def _pairs(at: Iterable[complex]) -> list[list[float]]:
    return [[point.real, point.imag] for point in at]


def read(kept: Json) -> Settled:
    labels = [Label(tuple(lines), tuple(box)) for lines, box in kept["labels"]]
    return Settled(**kept | {"at": [complex(*point) for point in kept["at"]], "labels": labels})


@cache
def _stored(file: Path) -> Json:
    stored: Json = json.loads(file.read_text(encoding="utf-8"))
    return stored
