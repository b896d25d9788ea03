"""Places for the names on a board's picture: next to their locations, without overlaps.

Obstacles are rectangles, straight or turned. Points are complex numbers, in pixels.
"""

import cmath
import math
from bisect import bisect
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple
from unicodedata import category, east_asian_width, normalize

SPOT = 8  # radius of a location
FONT, LINE = 15, 17  # font size and line height of a location's name
CLEAR = 2.0  # distance between a name and a space
STRAY = 1.5  # penalty per pixel for a name near another location
# how far a name may slide from its place, the shortest distance first
SLIDES = sorted((complex(x, y) for x in range(-20, 21, 2) for y in range(-20, 21, 2)), key=abs)

Box = tuple[float, float, float, float]  # left, top, right, bottom
_Bar = tuple[float, ...]  # see _bar


class Space(NamedTuple):
    """One space of a track: its centre, its direction in degrees, its size."""

    at: complex
    angle: float
    length: float
    width: float


class Label(NamedTuple):
    """A location's name in one or two lines; no two labels' boxes overlap."""

    lines: tuple[str, ...]
    box: Box


def width(text: str, size: float) -> float:
    total = 0.0
    for letter in normalize("NFD", text):
        if letter in " fijlrtI.,:;'!|()[]":
            total += 0.32
        elif letter in "mwMWOQG@%&":
            total += 0.83
        elif letter.isascii():
            total += 0.71 if letter.isupper() else 0.575
        elif category(letter)[0] != "M":  # combining marks have no width
            total += 1.0 if east_asian_width(letter) in "WF" else 0.7
    return total * size


def apart(spaces: list[Space]) -> bool:
    order = sorted(spaces, key=lambda space: space.at.real)
    across = [space.at.real for space in order]
    long = max(space.length + space.width for space in spaces)
    for i, one in enumerate(order):
        turn = cmath.rect(1, -math.radians(one.angle))  # turned so that this one is straight
        box = (-one.length / 2, -one.width / 2, one.length / 2, one.width / 2)
        reach = (one.length + one.width) / 2
        far = one.at.real + reach + long
        for other in order[i + 1 : bisect(across, far)]:
            by = (other.at - one.at) * turn
            if abs(by) < reach + (other.length + other.width) / 2:
                angle = other.angle - one.angle
                if _depth(box, _bar(by, other.length / 2, other.width / 2, angle)) > 0:
                    return False
    return True


def place(at: list[complex], spaces: list[Space], names: list[str]) -> tuple[list[Label], bool]:
    """Return the labels, relative to their locations, and whether all are free of overlaps.

    Greedy: the longest names choose first, then all choose again given the others, and finally each
    may slide a little.
    """
    bars = [_bar(s.at, s.length / 2 + CLEAR, s.width / 2 + CLEAR, s.angle) for s in spaces]
    bars += [_bar(p, SPOT + 4.0, SPOT + 4.0, 0.0) for p in at]
    order = sorted(range(len(names)), key=lambda v: (-len(names[v]), v))
    around = [_Around(at[v], width(names[v], FONT) + 5 * SPOT, bars, at) for v in order]
    chosen: dict[int, Label] = {}
    free = True
    for slide in (False, False, True):
        for v, near in zip(order, around, strict=True):
            boxes = [move(label.box, at[u] - at[v]) for u, label in chosen.items() if u != v]
            if slide:
                lines, box = chosen[v]
                chosen[v], hidden = near.best(
                    ((abs(by) / 4, Label(lines, move(box, by))) for by in SLIDES), boxes
                )
                free = free and not hidden
            elif v not in chosen or not near.is_still_best(chosen[v], boxes):
                chosen[v], _ = near.best(_options(names[v]), boxes)
    return [chosen[v] for v in range(len(names))], free


class _Around:
    """The obstacles around a location within reach of its name, relative to it."""

    def __init__(self, here: complex, reach: float, bars: list[_Bar], at: list[complex]):
        seen = [
            (x - here.real, y - here.imag, *bar)
            for x, y, *bar in bars
            if math.hypot(x - here.real, y - here.imag) < reach + bar[4]
        ]
        seen.sort(key=lambda bar: math.hypot(*bar[:2]) - bar[6])  # the nearest obstacles first
        self.bars = [
            ((x - right, y - down, x + right, y + down), bar)
            for bar in seen
            for x, y, right, down in (bar[:4],)
        ]
        self.spots = [p - here for p in at if 0 < abs(p - here) < 2 * reach]
        self.box = (-reach, -reach, reach, reach)
        self.others: list[Box] = []  # the other labels when the best place was chosen

    def best(self, ways: Iterable[tuple[float, Label]], boxes: list[Box]) -> tuple[Label, bool]:
        """Return the best of some places, best first, and whether it overlaps anything."""
        others = self.others = self._seen(boxes)
        chosen, least, hidden = None, math.inf, False
        for worse, label in ways:
            if worse >= least:
                break
            in_way = self._cost(label.box, others, worse, least)
            if worse + in_way < least:
                cost = worse + in_way + STRAY * self._astray(label.box)
                if cost < least:
                    chosen, least, hidden = label, cost, in_way > 0
        assert chosen
        return chosen, hidden

    def is_still_best(self, label: Label, boxes: list[Box]) -> bool:
        """Return whether the best place stays: no box has moved, and new ones are elsewhere."""
        others = self._seen(boxes)
        return not (set(self.others) - set(others)) and not any(
            overlap(label.box, box) for box in set(others) - set(self.others)
        )

    def _seen(self, boxes: list[Box]) -> list[Box]:
        return [box for box in boxes if overlap(box, self.box)]

    def _cost(self, box: Box, others: list[Box], worse: float, least: float) -> float:
        """Return a box's overlap cost with spaces, locations and, weighted most, other boxes. The
        result need not be exact once it reaches ``least``; ``worse`` is the cost so far."""
        left, top, right, bottom = box
        cost = 0.0
        for one in others:
            if one[0] < right and left < one[2] and one[1] < bottom and top < one[3]:
                cost += 1000.0
        if worse + cost >= least:
            return cost
        for (west, north, east, south), bar in self.bars:
            if west < right and left < east and north < bottom and top < south:
                depth = _depth(box, bar)
                if depth > 0:
                    cost += 10 + 2 * depth
                    if worse + cost >= least:
                        break
        return cost

    def _astray(self, box: Box) -> float:
        """Return by how much a name is nearer to another location than to its own, at 0."""
        left, top, right, bottom = box
        own = _gap(box, 0j) + 8
        least = own
        for p in self.spots:
            x, y = p.real, p.imag
            if left - own < x < right + own and top - own < y < bottom + own:
                least = min(least, _gap(box, p))
        return own - least


def _bar(at: complex, long: float, wide: float, angle: float) -> _Bar:
    """Return an obstacle as precomputed numbers: its centre, its extent to the right and down, its
    direction, and its half sizes. It is given by its centre, half its length and width, and
    direction."""
    way = cmath.rect(1, math.radians(angle))
    x, y = abs(way.real), abs(way.imag)
    return (
        at.real,
        at.imag,
        long * x + wide * y,
        long * y + wide * x,
        way.real,
        way.imag,
        long,
        wide,
    )


def _depth(box: Box, bar: _Bar) -> float:
    """Return how far a box and a turned rectangle overlap; zero or less if they do not.

    They are apart if the projections on one of their sides are apart.
    """
    x, y, reach_x, reach_y, along, across, long, wide = bar
    left, top, right, bottom = box
    half, high = (right - left) / 2, (bottom - top) / 2
    dx, dy = x - (left + right) / 2, y - (top + bottom) / 2
    depth = min(half + reach_x - abs(dx), high + reach_y - abs(dy))
    if depth <= 0:
        return depth
    ax, ay = abs(along), abs(across)
    return min(
        depth,
        long + half * ax + high * ay - abs(dx * along + dy * across),
        wide + half * ay + high * ax - abs(dy * along - dx * across),
    )


@lru_cache(maxsize=1024)
def _options(name: str) -> list[tuple[float, Label]]:
    """Return the places for a name around its location, as (penalty, label)."""
    words, options = name.split(" "), []
    shapes: list[tuple[str, ...]] = [(name,)]
    if len(name) > 8 and len(words) > 1:
        cuts = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
        shapes.append(min(cuts, key=lambda lines: max(map(len, lines))))
    for far in (4, 9, 15, 22):
        for lines in shapes:
            w, h = max(width(line, FONT) for line in lines) / 2 + 2, LINE * len(lines) / 2
            for turn in range(24):
                way = cmath.rect(1, turn * math.tau / 24)
                worse = (far - 4) / 2 + len(lines) * 1.5 + abs(way.imag) + (way.real < 0) / 2
                way /= max(abs(way.real), abs(way.imag))
                middle = complex(way.real * (w + SPOT + far), way.imag * (h + SPOT + far))
                options.append((worse, Label(lines, move((-w, -h, w, h), middle))))
    return sorted(options, key=lambda option: option[0])


def _gap(box: Box, point: complex) -> float:
    left, top, right, bottom = box
    x, y = point.real, point.imag
    return math.hypot(max(0.0, left - x, x - right), max(0.0, top - y, y - bottom))


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def move(box: Box, by: complex) -> Box:
    return (box[0] + by.real, box[1] + by.imag, box[2] + by.real, box[3] + by.imag)
