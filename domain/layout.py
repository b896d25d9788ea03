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
from itertools import pairwise

from domain.board import Board, Location, Route

SPOT = 8  # radius of a location
FONT, LINE = 15, 17  # of a location's name: size, and height of a line
SHEET = 350_000  # square pixels to share out among the spaces,
SMALLEST, LARGEST = 34, 58  # within these lengths of a space
MARGIN = 40  # between whatever is drawn and the edge
ROUNDS = 72  # of the springs before names are placed, and half as many each time after

Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True)
class Space:
    """One space of a track: its middle, its direction in degrees, its size."""

    at: complex
    angle: float
    length: float
    width: float


@dataclass(frozen=True)
class Label:
    """A location's name in one or two lines; no two labels' boxes overlap."""

    lines: tuple[str, ...]
    box: Box


@dataclass(frozen=True)
class Layout:
    """All the positions of a board's picture, which is ``width`` by ``height``."""

    width: float
    height: float
    spots: dict[str, complex]  # by location id
    labels: dict[str, Label]  # by location id
    spaces: dict[str, tuple[Space, ...]]  # by route id, from end a to end b
    coast: list[complex]  # the polygon around all routes


def layout(board: Board) -> Layout:
    """Return the layout of a board, computed once for the same locations and routes."""
    return _layout(board.locations, board.routes)


@lru_cache(maxsize=32)
def _layout(locations: tuple[Location, ...], routes: tuple[Route, ...]) -> Layout:
    springs = _Springs(locations, routes)
    springs.relax(ROUNDS)
    for _ in range(3):
        springs.write(_place(springs, locations))
        springs.relax(ROUNDS // 2)
    labels = _place(springs, locations)
    return _measure(springs, locations, labels)


def width(text: str, size: float) -> float:
    """Return about how wide a text is in bold sans-serif letters of a size."""
    total = 0.0
    for letter in unicodedata.normalize("NFD", text):
        if letter in " fijlrtI.,:;'!|()[]":
            total += 0.32
        elif letter in "mwMWOQG@%&":
            total += 0.83
        elif letter.isascii():
            total += 0.71 if letter.isupper() else 0.575
        elif unicodedata.category(letter)[0] != "M":  # marks sit on the letter before
            total += 1.0 if unicodedata.east_asian_width(letter) in "WF" else 0.7
    return total * size


class _Springs:
    """The locations and routes as points, springs between them, and bodies that take up room.

    A link is a single or a double route. Bodies are circles: a row for each track, one for each
    location, a row for each line of a name. The circles that belong to locations are the pins.
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
        self.gaps = [[SPOT + 4.0, SPOT + 4.0] for _ in self.links]  # locations to first spaces
        self.home = self._real(locations)
        self.at = list(self.home)
        self.bend = [self._uncrossed(a, b) for a, b in self.links]  # how far middles are off
        self.bodies: list[tuple[int, int, int, float, float, float]] = []
        self.pins = [(v, 0j, SPOT + 4.0) for v in range(len(locations))]

    def _real(self, locations: tuple[Location, ...]) -> list[complex]:
        """Return the real positions at the scale where the middling route just fits."""
        lats = [location.lat for location in locations]
        shrink = math.cos(math.radians((min(lats) + max(lats)) / 2))
        real = [complex(place.lon * shrink, -place.lat) for place in locations]
        scales = sorted(self.room(j) / abs(real[a] - real[b]) for j, (a, b) in enumerate(self.links))
        return [point * scales[len(scales) // 2] * 1.05 for point in real]

    def _uncrossed(self, a: int, b: int) -> float:
        """Return how little a link has to bend to cross the fewest others, taken as straight."""
        start, along = self.at[a], self.at[b] - self.at[a]
        others = [(self.at[c], self.at[d]) for c, d in self.links if not {a, b} & {c, d}]

        def crossed(bend: float) -> int:
            n = 8 if bend else 1
            curve = [start + along * (i + 4j * bend * i * (1 - i / n)) / n for i in range(n + 1)]
            return sum(_cross(p, q, r, s) for p, q in pairwise(curve) for r, s in others)

        bends = (0, 0.15, -0.15, 0.3, -0.3, 0.45, -0.45) if crossed(0) else (0,)
        return abs(along) * min(bends, key=crossed)

    def room(self, j: int) -> float:
        """Return how long a link has to be for its spaces and the gaps at its ends."""
        return self.tracks[j][0].length * self.cell + sum(self.gaps[j])

    def arc(self, j: int) -> tuple[complex, float, float]:
        """Return from end to end, the angle of half the arc that a link is, its length."""
        a, b = self.links[j]
        along = self.at[b] - self.at[a]
        half = 2 * math.atan(2 * self.bend[j] / abs(along)) or 1e-9
        return along, half, abs(along) * half / math.sin(half)

    def aside(self, j: int, track: int) -> float:
        """Return how far a track is off the middle line of its link."""
        return (track - (len(self.tracks[j]) - 1) / 2) * self.gauge

    def depart(self) -> None:
        """Set the gaps, and the bodies of the tracks between them.

        Where two links leave a location side by side, the longer one waits until it is clear.
        """
        leaving: list[list[tuple[float, int, int]]] = [[] for _ in self.at]
        for j, (a, b) in enumerate(self.links):
            along, half, _ = self.arc(j)
            leaving[a].append(((cmath.phase(along) + half) % math.tau, j, 0))
            leaving[b].append(((cmath.phase(-along) - half) % math.tau, j, 1))
        self.gaps = [[SPOT + 4.0, SPOT + 4.0] for _ in self.links]
        for ways in leaving:
            ways.sort()
            pairs = pairwise(ways + ways[:1])
            for angle, one, two in sorted(((b[0] - a[0]) % math.tau, a[1:], b[1:]) for a, b in pairs):
                if one != two and angle < 2:
                    self._wait(max(angle, 0.05), one, two)
        self.bodies = [body for j in range(len(self.links)) for body in self._row(j)]

    def _wait(self, angle: float, one: tuple[int, int], two: tuple[int, int]) -> None:
        """Keep two ends of links, which leave a location at an angle to each other, apart."""
        (k, other), (j, end) = sorted((one, two), key=lambda e: self.arc(e[0])[2] - self.room(e[0]))
        h, i = (len(self.tracks[link]) * self.gauge / 2 for link in (j, k))
        need = (i + h * math.cos(angle)) / math.sin(angle)
        if self.gaps[j][end] < need and self.gaps[k][other] < need:
            self.gaps[j][end] = min(need, 3 * self.gauge)
        if need > 2.2 * self.gauge:  # too long a wait: bend both apart as well
            for (link, which), way in ((one, -0.02), (two, 0.02)):
                self.bend[link] += abs(self.arc(link)[0]) * (-way if which else way)

    def _row(self, j: int) -> list[tuple[int, int, int, float, float, float]]:
        """Return a link's bodies: link, ends, where between them (0 to 1), how much the bend
        shows there, how far aside."""
        (a, b), room, tracks = self.links[j], self.room(j), self.tracks[j]
        n = round(tracks[0].length * self.cell / self.gauge)
        length = tracks[0].length * self.cell
        where = [(self.gaps[j][0] + length * (i + 0.5) / n) / room for i in range(n)]
        asides = [self.aside(j, i) for i in range(len(tracks))]
        return [(j, a, b, t, 4 * t * (1 - t), aside) for t in where for aside in asides]

    def points(self) -> tuple[list[complex], list[complex]]:
        """Return the points of the bodies, then of the pins; and each link's way sideways."""
        at, bend = self.at, self.bend
        across = [1j * (at[b] - at[a]) / abs(at[b] - at[a]) for a, b in self.links]
        points = [
            at[a] + (at[b] - at[a]) * t + across[j] * (bend[j] * u + aside)
            for j, a, b, t, u, aside in self.bodies
        ]
        return points + [at[v] + offset for v, offset, _ in self.pins], across

    def write(self, labels: list[Label]) -> None:
        """Let names take up room: labels relative to the locations, in their order."""
        del self.pins[len(self.at) :]
        radius = LINE / 2 + 1
        for v, label in enumerate(labels):
            left, top, right, _ = label.box
            n = math.ceil((right - left) / LINE)
            for row in range(len(label.lines)):
                for i in range(n):
                    x = left + radius + (right - left - 2 * radius) * i / max(1, n - 1)
                    self.pins.append((v, complex(x, top + (row + 0.5) * LINE), radius))

    def relax(self, rounds: int) -> None:
        """Move the locations and bend the routes, a little each round."""
        for i in range(rounds):
            if i % 8 == 0:
                self.depart()
            points, across = self.points()
            if i % 8 == 0:
                near = self._near(points)
            push = [(home - at) * 0.01 for home, at in zip(self.home, self.at, strict=True)]
            self._part(points, across, near, push)
            self._stretch(push)
            for v, force in enumerate(push):
                self.at[v] += force if abs(force) < 12 else force * 12 / abs(force)

    def _near(self, points: list[complex]) -> list[tuple[int, int, float]]:
        """Return the pairs of bodies that may come to touch, with the distance where they do."""
        reach = 2 * self.gauge + 14
        grid: dict[tuple[int, int], list[int]] = {}
        for i, point in enumerate(points):
            grid.setdefault((int(point.real // reach), int(point.imag // reach)), []).append(i)
        near = []
        for (x, y), here in grid.items():
            cells = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
            around = [k for cell in cells for k in grid.get(cell, ())]
            for i in here:
                at = points[i]
                for k in around:
                    if k > i and abs(points[k] - at) < reach and (touch := self._touch(i, k)):
                        near.append((i, k, touch))
        return near

    def _touch(self, i: int, k: int) -> float:
        """Return the distance where body i and a later one touch, 0 if they belong together."""
        bodies, n = self.bodies, len(self.bodies)
        if k < n:
            return 0 if bodies[i][0] == bodies[k][0] else self.gauge
        v, offset, radius = self.pins[k - n]
        if i < n:  # a route goes to its location, but not over the name
            return 0 if not offset and v in bodies[i][1:3] else self.gauge / 2 + radius
        return 0 if v == self.pins[i - n][0] else self.pins[i - n][2] + radius

    def _part(self, points: list, across: list, near: list, push: list) -> None:
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
                stiff = 0.15 if k < n + len(self.at) else 0.3  # names are hard to find room for
                force = gap * (stiff * (touch - distance) / (distance or 1))
                shove(i, -force)
                shove(k, force)

    def _stretch(self, push: list[complex]) -> None:
        """Push the ends of short links apart, draw those of long ones together, keep to the real
        direction, and let bends straighten."""
        for j, (a, b) in enumerate(self.links):
            along, real = self.at[b] - self.at[a], self.home[b] - self.home[a]
            chord, room = abs(along), self.room(j)
            bend = max(-0.4 * chord, min(0.4 * chord, self.bend[j] * 0.98))
            self.bend[j] = bend
            length = chord + 8 / 3 * bend * bend / chord  # of an arc, nearly
            short = max(0.0, room - length) * 0.25 + min(0.0, room * 1.25 - length) * 0.05
            force = along / chord * short + (real * chord / abs(real) - along) * 0.025
            push[a] -= force
            push[b] += force


def _cross(p: complex, q: complex, r: complex, s: complex) -> bool:
    """Return whether the line from p to q crosses the one from r to s."""

    def side(a: complex, b: complex, c: complex) -> bool:
        return ((b - a).conjugate() * (c - a)).imag > 0

    return side(p, q, r) != side(p, q, s) and side(r, s, p) != side(r, s, q)


def _place(springs: _Springs, locations: tuple[Location, ...]) -> list[Label]:
    """Return the labels, relative to their locations.

    Greedy: the longest names choose first, then all choose once more knowing the others.
    """
    points, _ = springs.points()
    n, at = len(springs.bodies), springs.at
    solid = [(p, springs.gauge / 2 - 1) for p in points[:n]] + [(p, SPOT + 8.0) for p in at]
    names = [location.name for location in locations]
    chosen: dict[int, Label] = {}
    for v in sorted(range(len(names)), key=lambda v: (-len(names[v]), v)) * 2:
        reach = width(names[v], FONT) + 4 * SPOT
        things = [(p - at[v], r) for p, r in solid if p != at[v] and abs(p - at[v]) < reach + r]
        others = [_move(label.box, at[u] - at[v]) for u, label in chosen.items() if u != v]
        others = [box for box in others if overlap(box, (-reach, -reach, reach, reach))]
        least = math.inf
        for cost, label in _options(names[v]):
            cost += _cost(label.box, things, others, least)
            if cost < least:
                chosen[v], least = label, cost
    return [chosen[v] for v in range(len(names))]


@lru_cache(maxsize=1024)
def _options(name: str) -> list[tuple[float, Label]]:
    """Return the ways to write a name around its location: how much worse than best, the label."""
    words = name.split(" ")
    cuts = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    shapes = [(name,)]
    if len(name) > 8 and cuts:
        shapes.append(min(cuts, key=lambda lines: max(map(len, lines))))
    options = []
    for far in (4, 9, 15):
        for lines in shapes:
            w, h = max(width(line, FONT) for line in lines) / 2 + 2, LINE * len(lines) / 2
            for turn in range(24):
                way = cmath.rect(1, turn * math.tau / 24)
                worse = (far - 4) / 2 + len(lines) * 1.5 + abs(way.imag) + (way.real < 0) / 2
                way /= max(abs(way.real), abs(way.imag))
                x, y = way.real * (w + SPOT + far), way.imag * (h + SPOT + far)
                options.append((worse, Label(lines, (x - w, y - h, x + w, y + h))))
    return sorted(options, key=lambda option: option[0])


def _cost(box: Box, things: list, others: list[Box], most: float) -> float:
    """Return how much a box gets in the way of circles and, far worse, of other boxes.

    Whatever is over ``most`` need not be exact.
    """
    left, top, right, bottom = box
    cost = 1000.0 * sum(overlap(box, other) for other in others)
    for point, radius in things:
        x, y = point.real, point.imag
        if left - radius < x < right + radius and top - radius < y < bottom + radius:
            across, down = max(left - x, x - right), max(top - y, y - bottom)
            inside = min(0.0, max(across, down))
            cost += max(0.0, radius - inside - math.hypot(max(0, across), max(0, down)))
            if cost > most:
                break
    return cost


def overlap(one: Box, other: Box) -> bool:
    """Return whether two boxes have a point in common."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _move(box: Box, by: complex) -> Box:
    return (box[0] + by.real, box[1] + by.imag, box[2] + by.real, box[3] + by.imag)


def _spaces(springs: _Springs, j: int, track: int) -> tuple[Space, ...]:
    """Return the spaces of one track of a link, which is an arc."""
    along, half, arc = springs.arc(j)
    n, aside = springs.tracks[j][0].length, springs.aside(j, track)
    before, after = springs.gaps[j]
    used = min(arc - before - after, 1.4 * n * springs.cell)
    first = before + (arc - before - after - used) / 2
    length = used / n * (1 + aside * 2 * half / arc) - 3  # more on the outer side of the arc
    end, spaces = cmath.rect(1, half), []
    for i in range(n):
        here = cmath.rect(1, half * (1 - 2 * (first + used * (i + 0.5) / n) / arc))
        ahead = along / abs(along) * here
        at = along * (here - end) / (end.conjugate() - end) + 1j * ahead * aside
        at += springs.at[springs.links[j][0]]
        spaces.append(Space(at, math.degrees(cmath.phase(ahead)), length, springs.gauge - 3))
    return tuple(spaces)


def _coast(springs: _Springs) -> list[complex]:
    """Return the polygon around all routes: from the leftmost location on, turn left and left.

    If the routes are in several pieces, it goes around the piece of the leftmost location.
    """
    at = springs.at
    ways: dict[int, list[int]] = {}
    for a, b in springs.links:
        ways.setdefault(a, []).append(b)
        ways.setdefault(b, []).append(a)
    here = first = min(ways, key=lambda v: (at[v].real, v))
    last, back, walk = -1, complex(-1, 0), []
    while len(walk) < 2 * len(springs.links) and (here != first or not walk):
        walk.append(at[here])
        turns = [(v == last, cmath.phase((at[v] - at[here]) / back) % math.tau, v) for v in ways[here]]
        last, here = here, min(turns)[2]
        back = at[last] - at[here]
    return walk


def _measure(springs: _Springs, locations: tuple, labels: list[Label]) -> Layout:
    """Return the final layout, moved so that everything fits on a sheet."""
    springs.depart()
    points, _ = springs.points()
    boxes = [_move(label.box, at) for label, at in zip(labels, springs.at, strict=True)]
    boxes += [(p.real - 12, p.imag - 12, p.real + 12, p.imag + 12) for p in points]
    left, top = (min(box[i] for box in boxes) - MARGIN for i in (0, 1))
    right, bottom = (max(box[i] for box in boxes) + MARGIN for i in (2, 3))
    springs.at = [at - complex(left, top) for at in springs.at]
    places = list(zip(locations, springs.at, labels, strict=True))
    return Layout(
        width=right - left,
        height=bottom - top,
        spots={place.id: at for place, at, _ in places},
        labels={place.id: Label(label.lines, _move(label.box, at)) for place, at, label in places},
        spaces={
            route.id: _spaces(springs, j, i)
            for j, tracks in enumerate(springs.tracks)
            for i, route in enumerate(tracks)
        },
        coast=_coast(springs),
    )
