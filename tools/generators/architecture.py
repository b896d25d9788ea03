"""docs/architecture.svg: the rooms of the code and what they import, drawn from the code.

``python -m tools.generators.architecture`` writes it. A room's purpose is the first sentence of its
package's docstring. An arrow points at the imported room; it is left out if other arrows lead
there.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from statistics import mean

import networkx as nx

from tools.generators.rooms import (
    ONE_ROOM,
    PARTS,
    ROOT,
    modules,
    part_of,
    reduced,
    room_of,
    rooms,
)

PICTURE = ROOT / "docs" / "architecture.svg"
WRAP, WIDE_WRAP = 30, 44  # characters of a line in a box, and in a part that is one room
BOX, WIDE, PASSAGE, GAP, STEP = 212, 290, 10, 18, 34  # widths of boxes and of an arrow's way; gaps
BETWEEN = 90  # between neighbouring parts
TITLE, LINE, MARGIN, HEADING = 24, 15, 18, 34  # heights; what a frame leaves around its rooms

STYLE = """text{font:12px sans-serif;fill:#333}.t{font:bold 13px sans-serif;fill:#111}
.h{font:bold 15px sans-serif;fill:#111}.f{fill:#f4f6f8;stroke:#9aa7b4}.b{fill:#fff;stroke:#5b6b7b}
.a{fill:none;stroke:#34618f;stroke-width:1.5}.w{stroke-width:3}.d{stroke-dasharray:6 5}"""


# where it lies


@dataclass
class Box:
    """A room, or where an arrow passes a layer: its centre at the top, its size and its text."""

    title: str = ""
    lines: list[str] = field(default_factory=list)
    width: int = PASSAGE
    x: float = 0
    y: float = 0

    @property
    def height(self) -> int:
        return TITLE * bool(self.title) + LINE * len(self.lines) + 12 if self.lines else 0


@dataclass
class Frame:
    name: str
    boxes: list[Box]
    arrows: list[list[tuple[float, float]]]
    width: float
    height: float
    x: float = 0
    y: float = 0


def box(room: str) -> Box:
    """Return a room with what its package says that it holds, or with the names of its files."""
    if "." not in room and room not in ONE_ROOM:
        files = [
            f"{name.rpartition('.')[2]}.py"
            for name in sorted(modules())
            if name not in PARTS and room_of(name) == room
        ]
        return Box("", textwrap.wrap(", ".join(files), WRAP), BOX)
    # a folder of the service that is still to be made has no docstring
    text = modules()[room].read_text() if room in modules() else ""
    said = ast.get_docstring(ast.parse(text)) or ""
    first = said.replace("``", "").replace("\n", " ").split(". ")[0].split("  ")[0].rstrip(".")
    if room in ONE_ROOM:
        return Box("", textwrap.wrap(first, WIDE_WRAP), WIDE)
    return Box(f"{room.partition('.')[2]}/", textwrap.wrap(first, WRAP), BOX)


def frame(graph: nx.DiGraph, part: str) -> Frame:
    """Return a part of the code, every room above those that it imports."""
    inside = reduced(graph.subgraph([room for room in graph if part_of(room) == part]))
    boxes = {room: box(room) for room in inside}
    rows, ways = _rows(inside, boxes)
    _order(rows, ways)
    width = max(sum(boxes[name].width + GAP for name in row) - GAP for row in rows)
    y = HEADING
    for row in rows:
        x = MARGIN + (width - sum(boxes[name].width + GAP for name in row) + GAP) / 2
        for name in row:
            boxes[name].x, boxes[name].y = x + boxes[name].width / 2, y
            x += boxes[name].width + GAP
        y += max(boxes[name].height for name in row) + STEP
    return Frame(
        part,
        list(boxes.values()),
        [_line(way, boxes) for way in ways],
        width + 2 * MARGIN,
        y - STEP + MARGIN,
    )


def _rows(graph: nx.DiGraph, boxes: dict[object, Box]) -> tuple[list[list], list[list]]:
    """Return the rooms in rows, and every arrow as the boxes it goes by; where it passes a row
    there is a box without text."""
    groups, depth = nx.condensation(graph), {}
    for group in reversed(list(nx.topological_sort(groups))):
        below = [
            depth[room]
            for other in groups.successors(group)
            for room in groups.nodes[other]["members"]
        ]
        depth |= dict.fromkeys(groups.nodes[group]["members"], max(below, default=-1) + 1)
    rows = [
        sorted(room for room in graph if depth[room] == row)
        for row in range(max(depth.values()), -1, -1)
    ]
    ways = []
    for a, b in graph.edges:
        passed = [(a, b, row) for row in range(depth[a] - 1, depth[b], -1)]
        for way in passed:
            boxes[way] = Box()
            rows[len(rows) - 1 - way[2]].append(way)
        ways.append([a, *passed, b])
    return rows, ways


def _order(rows: list[list], ways: list[list]) -> None:
    """Order every row so that few arrows cross: each box near those that it is joined to."""
    steps = [pair for way in ways for pair in pairwise(way)]
    for _ in range(8):
        for direction in (1, -1):
            place = {name: (i + 0.5) / len(row) for row in rows for i, name in enumerate(row)}
            for row in rows[::direction]:
                near = {
                    name: [
                        place[pair[direction < 0]] for pair in steps if pair[direction > 0] == name
                    ]
                    for name in row
                }
                row.sort(key=lambda name, near=near: mean(near[name] or [place[name]]))
                place |= {name: (i + 0.5) / len(row) for i, name in enumerate(row)}


def _line(way: list, boxes: dict[object, Box]) -> list[tuple[float, float]]:
    """Return the points that an arrow goes by, from the foot of one box to the head of another."""
    start, *passed, end = [boxes[name] for name in way]
    if start.y == end.y:  # side by side: a circle
        side = BOX / 2 if start.x < end.x else -BOX / 2
        return [(start.x + side, start.y + 20), (end.x - side, end.y + 20)]
    aim, came = (passed or [end])[0], (passed or [start])[-1]
    return [
        (start.x + _lean(aim.x - start.x), start.y + start.height),
        *[(box.x, box.y + 20) for box in passed],
        (end.x + _lean(came.x - end.x), end.y),
    ]


def _lean(distance: float) -> float:
    """Return how far from the middle of a box an arrow begins that goes so far to the side."""
    return max(-BOX / 2 + 20, min(BOX / 2 - 20, distance / 4))


# how it looks


def picture() -> str:
    graph = rooms()
    frames = {part: frame(graph, part) for part in PARTS}
    cli, service, workers, client, simulator, domain = (frames[part] for part in PARTS)
    column = (workers, client, simulator, domain)
    y = service.y = cli.height + STEP
    for one in column:
        one.x, one.y, one.width = service.width + BETWEEN, y, max(f.width for f in column)
        y += one.height + STEP
    cli.width = total = service.width + BETWEEN + domain.width
    service.height = max(service.height, y - STEP - service.y)
    domain.height += service.y + service.height - domain.y - domain.height
    for one in (workers, domain):
        _centre(one)
    joined = reduced(
        nx.DiGraph((part_of(a), part_of(b)) for a, b in graph.edges if part_of(a) != part_of(b))
    )
    height = service.y + service.height
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 {total + 20:.0f} '
            f'{height + 20:.0f}" width="{total + 20:.0f}" height="{height + 20:.0f}">',
            "<title>The rooms of Fogg, and what they import</title>",
            f"<style>{STYLE}</style>",
            '<defs><marker id="m" markerWidth="9" markerHeight="9" refX="8" refY="4.5" '
            'orient="auto" markerUnits="userSpaceOnUse">'
            '<path d="M0 0L9 4.5L0 9z" fill="#34618f"/></marker></defs>',
            '<rect x="-10" y="-10" width="100%" height="100%" fill="#fff"/>',
            *[line for one in frames.values() for line in _drawn(one)],
            *[_joint(frames[a], frames[b]) for a, b in joined.edges],
            *_over_http(client, service),
            "</svg>",
            "",
        ]
    )


def _centre(one: Frame) -> None:
    """Move what a frame holds into its middle, once it has been widened."""
    held = [b for b in one.boxes if b.lines]
    shift = one.width / 2 - (min(b.x for b in held) + max(b.x for b in held)) / 2
    for moved in one.boxes:
        moved.x += shift
    one.arrows = [[(x + shift, y) for x, y in points] for points in one.arrows]


def _drawn(one: Frame) -> Iterator[str]:
    folder = PARTS[one.name]
    yield f'<g transform="translate({one.x:.0f} {one.y:.0f})">'
    yield f'<rect class="f" width="{one.width:.0f}" height="{one.height:.0f}" rx="8"/>'
    yield f'<text class="h" x="14" y="23">{folder}/</text>'
    yield from (_arrow(points) for points in one.arrows)
    for b in one.boxes:
        if b.lines:
            left = b.x - b.width / 2
            if one.name in ONE_ROOM:
                left = 4
            else:
                yield (
                    f'<rect class="b" x="{left:.0f}" y="{b.y:.0f}" width="{b.width}" '
                    f'height="{b.height}" rx="5"/>'
                )
            lines = [("t", b.title, 18)] if b.title else []
            lines += [
                ("", text, (TITLE if b.title else 4) + LINE * (i + 1) - 2)
                for i, text in enumerate(b.lines)
            ]
            yield from (
                f'<text class="{style}" x="{left + 10:.0f}" y="{b.y + down:.0f}">'
                f"{escape(text)}</text>"
                for style, text, down in lines
            )
    yield "</g>"


def _arrow(points: list[tuple[float, float]], style: str = "a") -> str:
    """Return a line through points, upright where it begins and ends."""
    (x, y), *others = points
    drawn = f"M{x:.0f} {y:.0f}"
    for u, v in others:
        middle = (y + v) / 2
        drawn += f"C{x:.0f} {middle:.0f} {u:.0f} {middle:.0f} {u:.0f} {v:.0f}"
        x, y = u, v
    return f'<path class="{style}" d="{drawn}" marker-end="url(#m)"/>'


def _joint(a: Frame, b: Frame) -> str:
    """Return the arrow from one part to another below or next to it."""
    sideways = '<path class="a w" d="M{:.0f} {:.0f}H{:.0f}" marker-end="url(#m)"/>'
    if b.x > a.x + a.width:
        return sideways.format(a.x + a.width, b.y + b.height / 2, b.x)
    if a.x > b.x + b.width:
        return sideways.format(a.x, a.y + a.height / 2, b.x + b.width)
    x = (max(a.x, b.x) + min(a.x + a.width, b.x + b.width)) / 2
    return _arrow([(x, a.y + a.height), (x, b.y)], "a w")


def _over_http(client: Frame, service: Frame) -> list[str]:
    y = client.y + client.height / 2
    x = service.x + service.width
    return [
        f'<path class="a w d" d="M{client.x:.0f} {y:.0f}H{x:.0f}" marker-end="url(#m)"/>',
        f'<text x="{(x + client.x) / 2:.0f}" y="{y - 8:.0f}" text-anchor="middle">HTTP</text>',
    ]


if __name__ == "__main__":
    PICTURE.write_text(picture())
