"""The spring layout of a board's picture.

The locations start at their real positions. Springs then move them as little as is necessary to
give each route room for its spaces and to separate routes, locations and names. A route bends if a
straight line does not fit. Points are complex numbers, x + yj with y downwards, in pixels.
"""

import cmath
import math
from bisect import bisect
from itertools import permutations
from statistics import median_high
from typing import NamedTuple

from domain.board.parts import Location, Route
from domain.drawing.labels import LINE, SPOT, Label, Space, apart, move, place

RAIL = 11_000  # total length of all spaces,
SMALLEST, LARGEST = 34, 64  # unless a space would be shorter or longer than this
NAMES = 0.5  # how hard names push
MARGIN = 52  # from any element to the picture's edge
SOON = 14  # bodies nearer than this may touch before the next search for neighbours
REACH = 2 * (SPOT + 5) + SOON  # from the centre of the largest body to that of another
LAST = 12
# rounds of the springs before each placement of the names; the last one repeats until nothing
# overlaps
ROUNDS = (72, 36, 36, 36) + (LAST,) * 20


class Settled(NamedTuple):
    """The result of the springs, in the order of the board's locations and links."""

    width: float
    height: float
    at: list[complex]
    bend: list[float]
    gaps: list[list[float]]
    labels: list[Label]


def settle(locations: tuple[Location, ...], routes: tuple[Route, ...]) -> Settled:
    """Return the final positions; takes up to a second."""
    springs, labels = Springs(locations, routes), list[Label]()
    for rounds in ROUNDS:
        springs.relax(rounds, labels)
        spaces = springs.all_spaces()
        labels, free = place(springs.at, spaces, [location.name for location in locations])
        if rounds == LAST and free and apart(spaces):
            break
    boxes = [move(label.box, at) for label, at in zip(labels, springs.at, strict=True)]
    boxes += [move((-12, -12, 12, 12), point) for point in springs.points()]
    left, top = (min(box[i] for box in boxes) - MARGIN for i in (0, 1))
    right, bottom = (max(box[i] for box in boxes) + MARGIN for i in (2, 3))
    at = [point - complex(left, top) for point in springs.at]
    labels = [Label(label.lines, move(label.box, p)) for label, p in zip(labels, at, strict=True)]
    return Settled(right - left, bottom - top, at, springs.bend, springs.gaps, labels)


class _Body(NamedTuple):
    """A circle that needs room: a part of a track, a location, or a part of a name."""

    a: int
    b: int  # another location for a part of a track, else the same one
    t: float  # its position between the two, 0 to 1
    link: int  # -1 for none
    sway: float  # its share of the link's bend, 0 to 1
    aside: float  # distance from the centre line of its link
    offset: complex  # distance of a part of a name from its location
    radius: float


class Springs:
    """The locations and routes as points, springs between them, and bodies that repel each other.

    A link is a single or a double route: an arc whose centre is ``bend`` off the straight line.
    """

    def __init__(
        self,
        locations: tuple[Location, ...],
        routes: tuple[Route, ...],
        settled: Settled | None = None,
    ):
        number = {location.id: i for i, location in enumerate(locations)}
        tracks: dict[tuple[int, int], list[Route]] = {}
        for route in routes:
            tracks.setdefault((number[route.a], number[route.b]), []).append(route)
        self.cell = max(SMALLEST, min(LARGEST, RAIL / sum(r.length for r in routes)))
        self.gauge = 9 + self.cell / 6  # between the tracks of a double route
        self.links, self.tracks = list(tracks), list(tracks.values())
        if settled:
            self.at, self.bend, self.gaps = settled.at, settled.bend, settled.gaps
            return
        self.gaps = [[SPOT + 4.0, SPOT + 4.0] for _ in self.links]  # locations to first spaces
        self.home = self._real(locations)
        self.at = list(self.home)
        self.bend = [self._around(a, b) for a, b in self.links]
        self.rows: list[list[_Body]] = []  # the bodies of each link
        self.bodies: list[_Body] = []  # these, and then all others

    def _real(self, locations: tuple[Location, ...]) -> list[complex]:
        """Return the real positions, scaled so that the median route just fits."""
        lats = [location.lat for location in locations]
        shrink = math.cos(math.radians((min(lats) + max(lats)) / 2))
        real = [  # never two at exactly the same point
            complex(place.lon * shrink, i * 1e-7 - place.lat) for i, place in enumerate(locations)
        ]
        lengths = [abs(real[a] - real[b]) for a, b in self.links]
        scale = median_high(self.room(j) / length for j, length in enumerate(lengths))
        return [point * scale * 1.05 for point in real]

    def _around(self, a: int, b: int) -> float:
        """Return the initial bend of a link: around a location that it would cross."""
        along, middle = self.at[b] - self.at[a], sum(self.at) / len(self.at)
        for at in self.at:
            where = (at - self.at[a]) / along
            if 0.1 < where.real < 0.9 and abs(where.imag) < 0.04:
                return math.copysign(0.15 * abs(along), ((at - middle) / along).imag)
        return 0.0

    def room(self, j: int) -> float:
        """Return the length that a link needs for its spaces and the gaps at its ends."""
        return self.tracks[j][0].length * self.cell + sum(self.gaps[j])

    def arc(self, j: int) -> tuple[complex, float, float]:
        a, b = self.links[j]
        along = self.at[b] - self.at[a]
        half = 2 * math.atan(2 * self.bend[j] / abs(along)) or 1e-9
        return along, half, abs(along) * half / math.sin(half)

    def aside(self, j: int, track: int) -> float:
        return (track - (len(self.tracks[j]) - 1) / 2) * self.gauge

    def points(self) -> list[complex]:
        return self._points(self._across())

    def _across(self) -> list[complex]:
        alongs = [self.at[b] - self.at[a] for a, b in self.links]
        return [1j * along / abs(along) for along in alongs]

    def _points(self, across: list[complex]) -> list[complex]:
        at, points = self.at, []
        for (a, b), bend, side, row in zip(self.links, self.bend, across, self.rows, strict=True):
            start, along = at[a], at[b] - at[a]
            points += [
                start + along * t + side * (bend * sway + aside)
                for _, _, t, _, sway, aside, _, _ in row
            ]
        return points + [at[body.a] + body.offset for body in self.bodies[len(points) :]]

    def relax(self, rounds: int, labels: list[Label]) -> None:
        for i in range(rounds):
            if i % 12 == 0:
                self._set_up(labels)
                near = self._near()
            push = [(home - at) * 0.01 for home, at in zip(self.home, self.at, strict=True)]
            self._part(near, push)
            self._stretch(push)
            for v, force in enumerate(push):
                self.at[v] += force if abs(force) < 12 else force * 12 / abs(force)
        self._set_up(labels)

    def _set_up(self, labels: list[Label]) -> None:
        """Create the bodies. Tracks that leave a location side by side begin where none overlap."""
        leaving: list[list[tuple[float, int, int]]] = [[] for _ in self.at]
        arcs = [self.arc(j) for j in range(len(self.links))]
        for j, (a, b) in enumerate(self.links):
            along, half, _ = arcs[j]
            leaving[a].append(((cmath.phase(along) + half) % math.tau, j, 0))
            leaving[b].append(((cmath.phase(-along) - half) % math.tau, j, 1))
        self.gaps = [[SPOT + 4.0, SPOT + 4.0] for _ in self.links]
        for ways in leaving:
            turns = [((q[0] - p[0]) % math.tau, p[1:], q[1:]) for p, q in permutations(ways, 2)]
            for angle, one, two in sorted(turns):
                if angle < 2:
                    self._wait(max(angle, 0.05), one, two, arcs)
        self.rows = [self._row(j) for j in range(len(self.links))]
        self.bodies = [body for row in self.rows for body in row]
        self.bodies += [_Body(v, v, 0, -1, 0, 0, 0j, SPOT + 5) for v in range(len(self.at))]
        self.bodies += [body for v, label in enumerate(labels) for body in _written(v, label)]

    def _wait(
        self,
        angle: float,
        one: tuple[int, int],
        two: tuple[int, int],
        arcs: list[tuple[complex, float, float]],
    ) -> None:
        """Begin one of two tracks that leave a location further out, where they are apart."""
        (k, other), (j, end) = sorted((one, two), key=lambda e: arcs[e[0]][2] / self.room(e[0]))
        h, i = (len(self.tracks[link]) * self.gauge / 2 for link in (j, k))
        clear = min(4 * self.gauge, (i + h * math.cos(angle)) / math.sin(angle) + 1.5)
        if self.gaps[k][other] < clear:
            self.gaps[j][end] = max(self.gaps[j][end], clear)

    def _row(self, j: int) -> list[_Body]:
        (a, b), tracks = self.links[j], self.tracks[j]
        room, least = self.room(j), SPOT + 4
        n = round((room - 2 * least) / self.gauge)
        where = [(least + (room - 2 * least) * (i + 0.5) / n) / room for i in range(n)]
        return [
            _Body(a, b, t, j, 4 * t * (1 - t), self.aside(j, i), 0j, self.gauge / 2 + 1)
            for t in where
            for i in range(len(tracks))
        ]

    def _near(self) -> list[tuple[int, int, float, float]]:
        """Return the pairs of bodies that may touch, at which distance, and how hard they push."""
        points, bodies, near = self.points(), self.bodies, []
        order = sorted(range(len(points)), key=lambda i: points[i].real)
        across = [points[i].real for i in order]
        down = [points[i].imag for i in order]
        for n, i in enumerate(order):
            at, p = points[i], bodies[i]
            least, most = at.imag - REACH, at.imag + REACH
            ahead = range(n + 1, bisect(across, at.real + REACH, n))
            for k in [order[m] for m in ahead if least < down[m] < most]:
                q = bodies[k]
                touch = p.radius + q.radius
                if abs(points[k] - at) < touch + SOON and not _belong(p, q):
                    near.append((i, k, touch, NAMES if p.offset or q.offset else 0.15))
        return near

    def _part(self, near: list[tuple[int, int, float, float]], push: list[complex]) -> None:
        across, bodies = self._across(), self.bodies
        points = self._points(across)
        for i, k, touch, stiff in near:
            gap = points[k] - points[i]
            distance = abs(gap)
            if distance < touch:
                force = gap * (stiff * (touch - distance) / (distance or 1))
                for body, shove in ((bodies[i], -force), (bodies[k], force)):
                    push[body.a] += shove * (1 - body.t)
                    push[body.b] += shove * body.t
                    sideways = (shove * across[body.link].conjugate()).real
                    self.bend[body.link] += sideways * body.sway * 0.6

    def _stretch(self, push: list[complex]) -> None:
        """Correct lengths, directions and bends: push the ends of short links apart, pull those of
        long ones together, turn links to the real direction, and straighten bends."""
        for j, (a, b) in enumerate(self.links):
            along, real = self.at[b] - self.at[a], self.home[b] - self.home[a]
            chord, room = abs(along), self.room(j)
            self.bend[j] = bend = max(-0.25 * chord, min(0.25 * chord, self.bend[j] * 0.985))
            length = chord + 8 / 3 * bend * bend / chord  # an arc's length, approximately
            short = max(0.0, room - length) * 0.25 + min(0.0, room * 1.25 - length) * 0.05
            force = along / chord * short + (real * chord / abs(real) - along) * 0.025
            push[a] -= force
            push[b] += force

    def all_spaces(self) -> list[Space]:
        return [
            space
            for j, tracks in enumerate(self.tracks)
            for i in range(len(tracks))
            for space in self.spaces(j, self.aside(j, i))
        ]

    def spaces(self, j: int, aside: float) -> tuple[Space, ...]:
        along, half, arc = self.arc(j)
        n, (before, after) = self.tracks[j][0].length, self.gaps[j]
        used = max(n * SPOT, min(arc - before - after, 1.4 * n * self.cell))
        first = before + (arc - before - after - used) / 2
        length = used / n * (1 + aside * 2 * half / arc) - 3  # longer on the outer side of the arc
        start, end, spaces = self.at[self.links[j][0]], cmath.rect(1, half), []
        for i in range(n):
            here = cmath.rect(1, half * (1 - 2 * (first + used * (i + 0.5) / n) / arc))
            ahead = along / abs(along) * here
            at = start + along * (here - end) / (end.conjugate() - end) + 1j * ahead * aside
            spaces.append(Space(at, math.degrees(cmath.phase(ahead)), length, self.gauge - 3))
        return tuple(spaces)


def _belong(p: _Body, q: _Body) -> bool:
    if p.link == q.link:
        return p.a == q.a
    ends = {p.a, p.b} & {q.a, q.b}
    return bool(ends) and min(p.link, q.link) < 0 and not (p.offset or q.offset)


def _written(v: int, label: Label) -> list[_Body]:
    left, top, right, _ = label.box
    radius, n = LINE / 2 + 3, math.ceil((right - left) / LINE)
    step = (right - left - 2 * radius) / max(1, n - 1)
    lines = [top + (row + 0.5) * LINE for row in range(len(label.lines))]
    offsets = [complex(left + radius + step * i, y) for y in lines for i in range(n)]
    return [_Body(v, v, 0, -1, 0, 0, offset, radius) for offset in offsets]
