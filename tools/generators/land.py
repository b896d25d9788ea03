"""domain/drawing/land.json: the coasts, lakes and rivers on the maps of the shipped boards.

``python -m tools.generators.land FOLDER`` writes it; run it after ``tools.generators.layouts`` has
moved locations. FOLDER has the npm package ``world-atlas`` (``npm install --prefix FOLDER
world-atlas``), whose coasts are those of Natural Earth, in the public domain. The springs move
locations away from their real positions, so the land is warped by a thin plate spline that takes
each location from its real position to the one on the map.

``waters.json`` has lakes from Natural Earth's smallest scale, and the rivers of the two cities,
for which Natural Earth is too coarse: they were drawn between the bridges. The islands of Paris
are larger than in reality, or the circle of a location would cover them.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np

from domain.board.board import Board
from domain.boards import load_folder
from domain.drawing.layout import LAND_FILE, Layout, land_key, layout

Points = np.ndarray  # of shape (n, 2): degrees east and north, or pixels right and down
WATERS = json.loads(Path(__file__).with_name("waters.json").read_text(encoding="utf-8"))
COASTS = "node_modules/world-atlas/land-50m.json"
BEYOND = 0.6  # land beyond the map on each side, as a share of its size: windows have other shapes
EDGE = 0.1  # of that, what is as exact as on the map
FINE, ROUGH = 1.2, 4.5  # pixels: how far a line may be off, on the map and beyond it
LEAST = 80  # square pixels: the smallest island
SMOOTH = 3  # rounds of cutting the corners of a river


class Warp:
    """A smooth map of the plane that takes some real points exactly to those of a drawing."""

    def __init__(self, real: Points, drawn: Points) -> None:
        shrink = math.cos(math.radians(float(real[:, 1].min() + real[:, 1].max()) / 2))
        self.scale = np.array([shrink, -1.0])
        flat = np.c_[real * self.scale, np.ones(len(real))]
        self.affine = np.linalg.lstsq(flat, drawn, rcond=None)[0]
        self.knots = flat @ self.affine
        plane = np.c_[np.ones(len(real)), self.knots]
        system = np.block([[self._bend(self.knots), plane], [plane.T, np.zeros((3, 3))]])
        self.weights = np.linalg.solve(system, np.r_[drawn, np.zeros((3, 2))])

    def _bend(self, points: Points) -> Points:
        """Return the kernel of the spline, from each point to each knot."""
        far = np.linalg.norm(points[:, None] - self.knots[None], axis=2)
        return far**2 * np.log(np.maximum(far, 1e-9))

    def __call__(self, real: Points) -> Points:
        flat = np.c_[real * self.scale, np.ones(len(real))] @ self.affine
        return np.c_[self._bend(flat), np.ones(len(flat)), flat] @ self.weights

    def back(self, drawn: Points) -> Points:
        """Return about where points of the drawing are in reality."""
        return (drawn - self.affine[2]) @ np.linalg.inv(self.affine[:2]) / self.scale


def coasts(folder: Path) -> list[Points]:
    """Return the outlines of all land, from TopoJSON, and of lakes, the other way round."""
    atlas = json.loads((folder / COASTS).read_text(encoding="utf-8"))
    scale, shift = (np.array(atlas["transform"][each]) for each in ("scale", "translate"))
    arcs = [np.cumsum(arc, axis=0) * scale + shift for arc in atlas["arcs"]]
    rings = [
        ring
        for shape in atlas["objects"]["land"]["geometries"]
        for rings in shape["arcs"]
        for ring in rings
    ]
    land = [np.concatenate([arcs[i] if i >= 0 else arcs[~i][::-1] for i in ring]) for ring in rings]
    # Around land it goes clockwise, so around water it has to go counterclockwise.
    return land + [wound(np.array(lake), 1) for lake in WATERS["lakes"].values()]


def made(board: Board, outlines: list[Points]) -> str:
    """Return the land of a board as one SVG path."""
    plan = layout(board)
    real = np.array([[place.lon, place.lat] for place in board.locations])
    drawn = np.array([[at.real, at.imag] for at in plan.spots.values()])
    warp, frame = Warp(real, drawn), around(plan)
    if river := WATERS["rivers"].get(board.id):
        land = [frame, *water(river, warp)]
    else:
        west, south, east, north = bounds(warp.back(frame))
        cut = [clipped(ring, (west - 3, south - 3, east + 3, north + 3)) for ring in outlines]
        land = [warp(ring) for ring in cut if len(ring)]
    box = bounds(frame)
    shown = [clipped(thinned(ring, plan), box) for ring in land]
    return "".join(path(ring) for ring in shown if len(ring) > 2 and abs(area(ring)) > LEAST)


def around(plan: Layout) -> Points:
    left, top = -BEYOND * plan.width, -BEYOND * plan.height
    right, bottom = plan.width - left, plan.height - top
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


def bounds(points: Points) -> tuple[float, float, float, float]:
    """Return the least and the greatest coordinates: left, top, right, bottom."""
    return (*points.min(axis=0), *points.max(axis=0))


def clipped(ring: Points, box: tuple[float, float, float, float]) -> Points:
    """Return the part of an outline within a box (Sutherland and Hodgman)."""
    for axis, edge, sign in ((0, box[0], 1), (1, box[1], 1), (0, box[2], -1), (1, box[3], -1)):
        kept = []
        for one, other in zip(ring, np.roll(ring, -1, axis=0), strict=True):
            inside, next_inside = (sign * (point[axis] - edge) >= 0 for point in (one, other))
            if inside:
                kept.append(one)
            if inside != next_inside:
                kept.append(one + (other - one) * (edge - one[axis]) / (other[axis] - one[axis]))
        ring = np.array(kept)
        if not len(ring):
            break
    return ring


def thinned(ring: Points, plan: Layout) -> Points:
    """Return an outline without points that hardly change it (Douglas and Peucker)."""
    keep, parts = {0, len(ring) - 1}, [(0, len(ring) - 1)]
    while parts:
        first, last = parts.pop()
        inner = ring[first + 1 : last]
        if not len(inner):
            continue
        along = ring[last] - ring[first]
        span = np.hypot(*along)
        off = inner - ring[first]
        far = (
            abs(off @ np.array([along[1], -along[0]])) / span
            if span
            else np.hypot(off[:, 0], off[:, 1])
        )
        at = int(far.argmax())
        if far[at] > (FINE if is_on(inner[at], plan) else ROUGH):
            keep.add(first + 1 + at)
            parts += [(first, first + 1 + at), (first + 1 + at, last)]
    return ring[sorted(keep)]


def is_on(point: Points, plan: Layout) -> bool:
    """Return whether a point is on the map or near it."""
    x, y = point[0] / plan.width, point[1] / plan.height
    return bool(-EDGE <= x <= 1 + EDGE and -EDGE <= y <= 1 + EDGE)


def water(river: dict[str, Any], warp: Warp) -> list[Points]:
    """Return the outlines of a river, counterclockwise, and of its islands, clockwise. ``width`` is
    in pixels, ``wider`` has other widths by the index of a point."""
    middle = np.array(river["middle"])
    widths = np.array([river["wider"].get(str(i), river["width"]) for i in range(len(middle))])
    line = smooth(np.c_[warp(middle), widths])
    along = np.gradient(line[:, :2], axis=0)
    across = np.c_[along[:, 1], -along[:, 0]] / np.hypot(*along.T)[:, None] * line[:, 2:] / 2
    banks = np.r_[line[:, :2] + across, (line[:, :2] - across)[::-1]]
    islands = [smooth(warp(np.array([*island, island[0]]))) for island in river["islands"]]
    return [wound(banks, -1), *(wound(island, 1) for island in islands)]


def smooth(line: Points) -> Points:
    """Return a line with its corners cut (Chaikin)."""
    for _ in range(SMOOTH):
        one, other = line[:-1], line[1:]
        cut = np.stack([one * 0.75 + other * 0.25, one * 0.25 + other * 0.75], axis=1)
        line = np.r_[line[:1], cut.reshape(-1, line.shape[1]), line[-1:]]
    return line


def area(ring: Points) -> float:
    """Return the area of an outline, negative if it goes the other way round."""
    return float(
        np.sum(ring[:, 0] * np.roll(ring[:, 1], -1) - np.roll(ring[:, 0], -1) * ring[:, 1]) / 2
    )


def wound(ring: Points, sign: int) -> Points:
    """Return an outline whose area has a sign."""
    return ring if area(ring) * sign > 0 else ring[::-1]


def path(ring: Points) -> str:
    """Return an outline as an SVG path: the first point, then steps, in whole pixels."""
    points = ring.round().astype(int)
    steps = [step for step in np.diff(points, axis=0) if step.any()]
    return (
        f"M{points[0][0]} {points[0][1]}l"
        + " ".join(f"{x} {y}" for x, y in steps).replace(" -", "-")
        + "z"
    )


def main(folder: Path) -> None:
    """Write the file, a line for each map."""
    outlines, lines = coasts(folder), {}
    for board in load_folder().values():
        lines[land_key(layout(board).spots.values())] = made(board, outlines)
    LAND_FILE.write_text(
        "{\n" + ",\n".join(f'"{name}": "{land}"' for name, land in sorted(lines.items())) + "\n}\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
