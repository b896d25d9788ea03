"""Where everything on the picture of a board goes: locations, spaces, names, the coast.

The locations start at their real positions. Springs then move them as little as will give each
route room for its spaces and keep routes, locations and names off one another; a route bends where
going straight would not do. Points are complex numbers, x + yj with y downwards, in pixels.
"""

from __future__ import annotations

import cmath
import math
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from domain.board import Board, Location, Route

SPOT = 8  # radius of a location
FONT, LINE = 15, 17  # of a location's name: size, and height of a line
SHEET = 350_000  # square pixels to share out among the spaces
SMALLEST, LARGEST = 34, 58  # lengths of a space
MARGIN = 34  # between whatever is drawn and the edge
ROUNDS = 70  # of the springs before names are placed, and half as many each time after
CANDIDATES = (0, 180, -45, 45, -135, 135, -90, 90, -22, 22, -158, 158, -68, 68, -112, 112)

# Widths of letters in a bold sans serif, in thousandths of the size
WIDTHS = {
    278: "',.Iijl/ ",
    333: "-()[]!|:;`tfr\"",
    389: "rz*",
    556: "acekszy0123456789$#?JvxL+=_",
    611: "bdghnopquFTZ",
    667: "EPSVXY",
    722: "ABCDHKNRU",
    778: "GOQw",
    889: "mM%&",
    944: "W@",
}
_WIDTH = {letter: thousandths for thousandths, letters in WIDTHS.items() for letter in letters}


def width(text: str, size: float) -> float:
    """Return about how wide a text is in bold letters of a size."""
    total = 0
    for letter in unicodedata.normalize("NFD", text):
        if letter in _WIDTH:
            total += _WIDTH[letter]
        elif unicodedata.category(letter)[0] != "M":  # marks sit on the letter before
            total += 1000 if unicodedata.east_asian_width(letter) in "WF" else 667
    return total * size / 1000


@dataclass(frozen=True)
class Space:
    """One space of a track: its middle, its direction in degrees, its size."""

    x: float
    y: float
    angle: float
    length: float
    width: float


@dataclass(frozen=True)
class Label:
    """A location's name in one or two lines, in a box that no other label's box overlaps."""

    lines: tuple[str, ...]
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, eq=False)
class Layout:
    """All the positions of a board's picture, which is ``width`` by ``height``."""

    width: float
    height: float
    spots: dict[str, complex]  # location id -> its point
    labels: dict[str, Label]  # by location id
    spaces: dict[str, tuple[Space, ...]]  # by route id, from end a to end b
    curves: tuple[tuple[complex, complex, float], ...]  # from, to, how far the middle is off
    coast: tuple[complex, ...]  # the polygon around all routes


def layout(board: Board) -> Layout:
    """Return the layout of a board; computed once for the same locations and routes."""
    return _layout(board.locations, board.routes)


@lru_cache(maxsize=32)
def _layout(locations: tuple[Location, ...], routes: tuple[Route, ...]) -> Layout:
    springs = _Springs(locations, routes)
    springs.uncross()
    springs.relax(ROUNDS)
    names = [location.name for location in locations]
    for _ in range(3):
        springs.write(_place(springs, names))
        springs.relax(ROUNDS // 2)
    return _measure(springs, locations, routes)


class _Springs:
    """The locations and routes as points, springs between them, and bodies that take up room.

    A link is a single or a double route. Bodies are circles: two for each space of a link, one for
    each location, a row for each name.
    """

    def __init__(self, locations: tuple[Location, ...], routes: tuple[Route, ...]):
        number = {location.id: i for i, location in enumerate(locations)}
        tracks: dict[tuple[int, int], list[Route]] = {}
        for route in routes:
            tracks.setdefault((number[route.a], number[route.b]), []).append(route)
        self.cell = min(LARGEST, max(SMALLEST, math.sqrt(SHEET / sum(r.length for r in routes))))
        self.gauge = 9 + self.cell / 6  # from one track of a double route to the other
        self.tracks = list(tracks.values())
        self.links = list(tracks)
        self.gaps = [(SPOT + 6.0, SPOT + 6.0)] * len(self.links)  # locations to first spaces
        self.home = self._real(locations)
        self.at = list(self.home)
        self.bend = [0.0] * len(self.links)  # how far the middle is off the straight line
        self.bodies: list[tuple[int, int, int, float, float, float]] = []
        self.pins = [(v, 0j, SPOT + 4.0, True) for v in range(len(locations))]

    def _real(self, locations: tuple[Location, ...]) -> list[complex]:
        """Return the real positions at the scale where the middling route just fits."""
        lats = [location.lat for location in locations]
        shrink = math.cos(math.radians((min(lats) + max(lats)) / 2))
        real = [complex(place.lon * shrink, -place.lat) for place in locations]
        scales = sorted(
            self.room(j) / abs(real[a] - real[b]) for j, (a, b) in enumerate(self.links)
        )
        return [point * scales[len(scales) // 2] * 1.05 for point in real]

    def room(self, j: int) -> float:
        """Return how long a link has to be for its spaces and the gaps at its ends."""
        return self.tracks[j][0].length * self.cell + sum(self.gaps[j])

    def arc(self, j: int) -> tuple[complex, float, float]:
        """Return from end to end, the angle of half the arc that a link is, its length."""
        a, b = self.links[j]
        along = self.at[b] - self.at[a]
        half = 2 * math.atan(2 * self.bend[j] / abs(along)) or 1e-9
        return along, half, abs(along) * half / math.sin(half)

    def part(self) -> None:
        """Widen the gaps where routes leave a location side by side, and set up the bodies."""
        leaving: list[list[tuple[float, float, int, int]]] = [[] for _ in self.at]
        for j, ends in enumerate(self.links):
            along, half, _ = self.arc(j)
            thick = len(self.tracks[j]) * self.gauge / 2
            ways = cmath.phase(along) + half, cmath.phase(-along) - half
            for end, (v, way) in enumerate(zip(ends, ways, strict=True)):
                leaving[v].append((way % math.tau, thick, j, end))
        least = SPOT + 4.0
        gaps = [[least, least] for _ in self.links]
        for ways in leaving:
            ways.sort()
            for (one, h, j, end), (two, i, k, other) in zip(ways, ways[1:] + ways[:1], strict=True):
                angle = (two - one) % math.tau
                if (j, end) != (k, other) and angle < math.pi / 2:
                    gap = min((h + i) / 2 / math.tan(max(angle, 0.1) / 2), 2.6 * self.gauge)
                    gaps[j][end] = max(gaps[j][end], gap)
                    gaps[k][other] = max(gaps[k][other], gap)
        self.gaps = [(a, b) for a, b in gaps]
        self._set_bodies()

    def _set_bodies(self) -> None:
        """Note link, ends, where between them (0 to 1), how much the bend shows, radius."""
        self.bodies.clear()
        for j, ((a, b), tracks) in enumerate(zip(self.links, self.tracks, strict=True)):
            room, n = self.room(j), tracks[0].length
            for i in range(2 * n):
                t = (self.gaps[j][0] + self.cell * (i + 0.5) / 2) / room
                self.bodies.append((j, a, b, t, 4 * t * (1 - t), len(tracks) * self.gauge / 2))

    def points(self) -> tuple[list[complex], list[complex]]:
        """Return the bodies' points, then the pins', and each link's direction sideways."""
        at, bend = self.at, self.bend
        across = [1j * (at[b] - at[a]) / abs(at[b] - at[a]) for a, b in self.links]
        points = [
            at[a] + (at[b] - at[a]) * t + across[j] * (bend[j] * u)
            for j, a, b, t, u, _ in self.bodies
        ]
        return points + [at[v] + offset for v, offset, _, _ in self.pins], across

    def uncross(self) -> None:
        """Bend the routes that cross others when straight so that they cross fewer."""
        for j, (a, b) in enumerate(self.links):
            if self._crossings(j, 0.0):
                self.bend[j] = abs(self.at[b] - self.at[a]) * min(
                    (0.0, 0.15, -0.15, 0.3, -0.3, 0.45, -0.45),
                    key=lambda bend: (self._crossings(j, bend), abs(bend)),
                )

    def _crossings(self, j: int, bend: float) -> int:
        """Return how many other links a link crosses when it is bent by a part of its length."""
        a, b = self.links[j]
        start, along = self.at[a], self.at[b] - self.at[a]
        curve = [start + along * (t + 4j * t * (1 - t) * bend) for t in (i / 8 for i in range(9))]
        return sum(
            _cross(p, q, self.at[c], self.at[d])
            for c, d in self.links
            if not {a, b} & {c, d}
            for p, q in zip(curve, curve[1:], strict=False)
        )

    def write(self, labels: list[tuple]) -> None:
        """Let names take up room: (lines, box relative to its location) in their order."""
        del self.pins[len(self.at) :]
        for v, (_, (left, top, right, bottom)) in enumerate(labels):
            radius = LINE / 2 + 1
            rows, columns = round((bottom - top) / LINE), math.ceil((right - left) / LINE)
            for row in range(rows):
                for i in range(columns):
                    x = left + radius + (right - left - 2 * radius) * i / max(1, columns - 1)
                    self.pins.append((v, complex(x, top + (row + 0.5) * LINE), radius, False))

    def relax(self, rounds: int) -> None:
        """Move the locations and bend the routes, a little each round."""
        for i in range(rounds):
            if i % 8 == 0:
                self.part()
            points, across = self.points()
            if i % 8 == 0:
                near = self._near(points)
            push = [(home - at) * 0.01 for home, at in zip(self.home, self.at, strict=True)]
            self._push(points, across, near, push)
            self._stretch(push)
            for v, force in enumerate(push):
                self.at[v] += force if abs(force) < 12 else force * 12 / abs(force)

    def _near(self, points: list[complex]) -> list[tuple[int, int, float]]:
        """Return the pairs of bodies that may come to touch, with the distance where they do."""
        reach = 2.6 * self.gauge + 14
        grid: dict[tuple[int, int], list[int]] = {}
        for i, point in enumerate(points):
            grid.setdefault((int(point.real // reach), int(point.imag // reach)), []).append(i)
        pairs = []
        for (x, y), here in grid.items():
            around = [
                k for dx in (-1, 0, 1) for dy in (-1, 0, 1) for k in grid.get((x + dx, y + dy), ())
            ]
            for i in here:
                pairs += [
                    (i, k, r)
                    for k in around
                    if k > i
                    and (r := self._touch(i, k))
                    and abs(points[k] - points[i]) < r + 12
                ]
        return pairs

    def _touch(self, i: int, k: int) -> float:
        """Return the distance where body i and a later one touch, 0 if they belong together."""
        bodies, n = self.bodies, len(self.bodies)
        if k < n:
            return 0 if bodies[i][0] == bodies[k][0] else bodies[i][5] + bodies[k][5]
        v, _, radius, is_spot = self.pins[k - n]
        if i < n:
            return 0 if is_spot and v in bodies[i][1:3] else bodies[i][5] + radius
        return 0 if v == self.pins[i - n][0] else self.pins[i - n][2] + radius

    def _push(self, points: list, across: list, near: list, push: list) -> None:
        """Push bodies that overlap apart: their locations, and the bends of their routes."""
        bodies, n, bend = self.bodies, len(self.bodies), self.bend

        def shove(i: int, force: complex) -> None:
            if i >= n:
                push[self.pins[i - n][0]] += force
                return
            j, a, b, t, u, _ = bodies[i]
            push[a] += force * (1 - t)
            push[b] += force * t
            bend[j] += (force * across[j].conjugate()).real * u * 0.35

        for i, k, touch in near:
            gap = points[k] - points[i]
            distance = abs(gap)
            if distance < touch:
                force = gap * (0.15 * (touch - distance) / (distance or 1))
                shove(i, -force)
                shove(k, force)

    def _stretch(self, push: list[complex]) -> None:
        """Push the ends of short routes apart, draw those of long ones together, keep to the
        real direction, and let bends straighten."""
        for j, (a, b) in enumerate(self.links):
            along, real = self.at[b] - self.at[a], self.home[b] - self.home[a]
            chord, room = abs(along), self.room(j)
            bend = max(-0.4 * chord, min(0.4 * chord, self.bend[j] * 0.98))
            self.bend[j] = bend
            length = chord + 8 / 3 * bend * bend / chord
            short = max(0.0, room - length) * 0.25 + min(0.0, room * 1.25 - length) * 0.05
            force = along / chord * short + (real * chord / abs(real) - along) * 0.025
            push[a] -= force
            push[b] += force


def _cross(p: complex, q: complex, r: complex, s: complex) -> bool:
    """Return whether the line from p to q crosses the one from r to s."""

    def side(a: complex, b: complex, c: complex) -> float:
        return ((b - a).conjugate() * (c - a)).imag

    return side(p, q, r) * side(p, q, s) < 0 and side(r, s, p) * side(r, s, q) < 0


def _place(springs: _Springs, names: list[str]) -> list[tuple]:
    """Return for each name its lines and its box, relative to its location.

    Greedy: the longest names choose first, then all choose once more knowing the others.
    """
    points, _ = springs.points()
    n = len(springs.bodies)
    solid = [(p, body[5] - 2.5) for p, body in zip(points, springs.bodies, strict=False)]
    solid += [(p, SPOT + 2.0) for p in points[n : n + len(names)]]
    order = sorted(range(len(names)), key=lambda v: (-width(names[v], FONT), v))
    chosen: dict[int, tuple] = {}
    for v in order * 2:
        at = springs.at[v]
        options = _options(names[v])
        reach = max(max(map(abs, box)) for _, box in options) + 2 * SPOT
        things = [t for t in solid if t[0] != at and abs(t[0] - at) < reach + t[1]]
        others = [_move(c[1], springs.at[u]) for u, c in chosen.items() if u != v]
        near = [o for o in others if _overlap(o, _grow(at, reach))]
        chosen[v] = min(
            options, key=lambda o: _cost(_move(o[1], at), things, near) + options.index(o) * 0.3
        )
    return [chosen[v] for v in range(len(names))]


def _options(name: str) -> list[tuple]:
    """Return the ways to write a name: its lines and its box relative to the location."""
    words = name.split(" ")
    cuts = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    shapes = [(name,)]
    if cuts and len(name) > 8:
        shapes.append(min(cuts, key=lambda lines: max(map(len, lines))))
    options = []
    for far in (4, 11, 20):
        for angle in CANDIDATES:
            for lines in shapes:
                w, h = max(width(line, FONT) for line in lines) + 4, LINE * len(lines)
                way = cmath.rect(1, math.radians(angle))
                x = way.real * (SPOT + far) + (way.real > 0.1) * 0 - w / 2
                x += max(-1, min(1, way.real * 1.6)) * w / 2
                y = way.imag * (SPOT + far) + max(-1, min(1, way.imag * 1.2)) * h / 2 - h / 2
                options.append((lines, (x, y, x + w, y + h)))
    return options


def _cost(box: tuple, things: list, labels: list[tuple]) -> float:
    """Return how much a box gets in the way of circles, and, far worse, of other labels."""
    left, top, right, bottom = box
    cost = 0.0
    for point, radius in things:
        x, y = point.real, point.imag
        off = math.hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom))
        if off < radius:
            cost += radius - off
    return cost + 1000 * sum(_overlap(box, label) for label in labels)


def _move(box: tuple, by: complex) -> tuple:
    return (box[0] + by.real, box[1] + by.imag, box[2] + by.real, box[3] + by.imag)


def _grow(at: complex, by: float) -> tuple:
    return (at.real - by, at.imag - by, at.real + by, at.imag + by)


def _overlap(one: tuple, other: tuple) -> bool:
    return (
        one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
    )


def _spaces(springs: _Springs, j: int, side: float) -> tuple[Space, ...]:
    """Return the spaces of one track of a link, ``side`` off its middle line, on an arc."""
    a, n = springs.at[springs.links[j][0]], springs.tracks[j][0].length
    along, half, arc = springs.arc(j)
    before, after = springs.gaps[j]
    used = min(arc - before - after, 1.4 * n * springs.cell)
    first = before + (arc - before - after - used) / 2
    long = used / n * (1 + side * 2 * half / arc) - 3
    spaces = []
    for i in range(n):
        turn = half * (1 - 2 * (first + used * (i + 0.5) / n) / arc)
        rim, end = cmath.rect(1, turn), cmath.rect(1, half)
        middle = a + along * (rim - end) / (end.conjugate() - end)
        ahead = along / abs(along) * rim
        at = middle + 1j * ahead * side
        angle = math.degrees(cmath.phase(ahead))
        spaces.append(Space(at.real, at.imag, angle, long, springs.gauge - 3))
    return tuple(spaces)


def _coast(springs: _Springs) -> list[complex]:
    """Return the polygon around all routes: from the leftmost location, turn left and left again.

    If the routes are in several pieces, it goes around the piece of the leftmost location.
    """
    at = springs.at
    ways: dict[int, list[int]] = {}
    for a, b in springs.links:
        ways.setdefault(a, []).append(b)
        ways.setdefault(b, []).append(a)
    here = first = min(ways, key=lambda v: (at[v].real, v))
    back, walk = complex(-1, 0), []
    for _ in range(4 * len(springs.links)):
        walk.append(at[here])

        def turn(v: int, here: int = here, back: complex = back) -> float:
            return cmath.phase((at[v] - at[here]) / back) % math.tau or math.tau

        there = min(ways[here], key=turn)
        here, back = there, at[here] - at[there]
        if here == first:
            break
    return walk


def _measure(springs: _Springs, locations: tuple, routes: tuple) -> Layout:
    """Return the final layout, moved so that everything fits on a sheet."""
    springs.part()
    labels = _place(springs, [location.name for location in locations])
    boxes = [_move(box, at) for (_, box), at in zip(labels, springs.at, strict=True)]
    points, _ = springs.points()
    room = springs.gauge + MARGIN
    left = min(min(p.real for p in points) - room, min(b[0] for b in boxes) - MARGIN)
    top = min(min(p.imag for p in points) - room, min(b[1] for b in boxes) - MARGIN)
    right = max(max(p.real for p in points) + room, max(b[2] for b in boxes) + MARGIN)
    bottom = max(max(p.imag for p in points) + room, max(b[3] for b in boxes) + MARGIN)
    springs.at = [at - complex(left, top) for at in springs.at]
    spaces = {}
    for j, tracks in enumerate(springs.tracks):
        for i, route in enumerate(tracks):
            side = (i - (len(tracks) - 1) / 2) * springs.gauge
            spaces[route.id] = _spaces(springs, j, side)
    return Layout(
        width=right - left,
        height=bottom - top,
        spots={place.id: at for place, at in zip(locations, springs.at, strict=True)},
        labels={
            place.id: Label(lines, *_move(box, at))
            for place, (lines, box), at in zip(locations, labels, springs.at, strict=True)
        },
        spaces={route.id: spaces[route.id] for route in routes},
        curves=tuple(
            (springs.at[a], springs.at[b], bend)
            for (a, b), bend in zip(springs.links, springs.bend, strict=True)
        ),
        coast=tuple(_coast(springs)),
    )
