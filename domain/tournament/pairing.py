"""Pairing: pure functions from the past rounds to the tables of the next round.

Entrants are ids, a table is a tuple of them in the order of seats; seat 0 plays first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, count, permutations, product

Tables = list[tuple[str, ...]]
FEW = 16  # up to so many entrants, groups are filled from every start
EFFORT = 1000  # pairs to try before one more repeated meeting is allowed


@dataclass
class Past:
    """The past rounds: how often two entrants have met, how often each has had each seat, how late
    each has sat (0 is even, higher is later), and their byes."""

    met: Counter[tuple[str, str]] = field(default_factory=Counter)  # by both orders of a pair
    sat: Counter[tuple[str, int]] = field(default_factory=Counter)
    lateness: Counter[str] = field(default_factory=Counter)
    byes: Counter[str] = field(default_factory=Counter)

    def add(self, tables: Iterable[Sequence[str]], byes: Iterable[str]) -> None:
        for table in tables:
            self.met.update(permutations(table, 2))
            for seat, entrant in enumerate(table):
                self.sat[entrant, seat] += 1
                self.lateness[entrant] += 2 * seat - (len(table) - 1)
        self.byes.update(byes)

    def meetings(self, entrant: str, others: Iterable[str]) -> int:
        """Return how often an entrant has met these others."""
        return sum([self.met[entrant, other] for other in others])


def circle(entrants: Sequence[str], number: int) -> Tables:
    """Return the pairs of a round of a round robin, counted from 0. In ``circle_length`` rounds
    every two entrants meet once, and all sit first equally often, as nearly as possible.

    One entrant stays in place while the others rotate. With an odd number there is an empty chair;
    its opponent has a bye. The next cycle swaps the seats.
    """
    places: list[int | None] = list(range(len(entrants)))
    if len(places) % 2:
        places.append(None)
    length = len(places) - 1
    cycle, turn = divmod(number, length)
    going = places[1:]
    ring = [places[0], *going[turn:], *going[:turn]]
    pairs: Tables = []
    for one, other in zip(ring[: len(ring) // 2], reversed(ring), strict=False):
        if one is None or other is None:
            continue
        early, late = sorted((one, other))
        # the lower number first if one is odd and one even, else the higher: this balances seats
        if (early + late) % 2 == cycle % 2:
            early, late = late, early
        pairs.append((entrants[early], entrants[late]))
    return pairs


def circle_length(entrants: int) -> int:
    """Return how many rounds of two-player tables it takes until all have met."""
    return entrants - 1 + entrants % 2


def set_aside(
    order: Sequence[str], seats: int, least: int, past: Past, *, first: bool = False
) -> tuple[list[str], list[str]]:
    """Return (the entrants at tables, the byes). Entrants who fill no whole table play at a smaller
    one if there are enough of them. Else they have a bye: those with the fewest byes so far, and of
    equals the last in the order, or the ``first``."""
    over = len(order) % seats
    if not over or over >= least:
        return list(order), []
    candidates = list(order) if first else list(reversed(order))
    out = sorted(candidates, key=lambda entrant: past.byes[entrant])[:over]
    return [entrant for entrant in order if entrant not in out], out


def grouped(order: Sequence[str], seats: int, past: Past) -> Tables:
    """Return tables whose members are close to each other in the order. Choose them so that as few
    entrants as possible meet again."""
    groups = _pairs(order, past) if seats == 2 else _filled(order, seats, past)
    return [seated(group, past) for group in groups]


def balanced(order: Sequence[str], seats: int, past: Past) -> Tables:
    """Return tables in which as few entrants as possible meet again, wherever they are in the
    order."""

    def meetings(groups: list[list[str]]) -> int:
        return sum(past.meetings(entrant, group) for group in groups for entrant in group)

    starts = len(order) if len(order) <= FEW else 1
    ways = (_exchanged(_filled([*order[i:], *order[:i]], seats, past), past)
            for i in range(starts))
    return [seated(group, past) for group in min(ways, key=meetings)]


def neighbours(order: Sequence[str], seats: int, past: Past) -> Tables:
    """Return tables that follow the order exactly; entrants may meet again."""
    groups = [tuple(order[i : i + seats]) for i in range(0, len(order), seats)]
    return [seated(group, past) for group in groups]


def seated(group: Iterable[str], past: Past) -> tuple[str, ...]:
    """Return a group in the order of seats. Each entrant gets the seat that it has had least;
    entrants who sat late now sit early."""

    def burden(order: tuple[str, ...]) -> int:
        return sum(past.sat[entrant, seat] + past.lateness[entrant] * seat
                   for seat, entrant in enumerate(order))

    return min(permutations(group), key=burden)


def _filled(order: Sequence[str], seats: int, past: Past) -> list[list[str]]:
    """Return groups. They are filled one entrant after the other, each with the one that its
    members have met least."""
    rest, groups = list(order), []
    while rest:
        group = [rest.pop(0)]
        while rest and len(group) < seats:
            chosen = min(rest, key=lambda entrant: past.meetings(entrant, group))
            rest.remove(chosen)
            group.append(chosen)
        groups.append(group)
    return groups


def _exchanged(groups: list[list[str]], past: Past) -> list[list[str]]:
    """Exchange entrants of different groups while that reduces repeated meetings."""
    pairs = list(combinations(groups, 2))
    while any(_exchange(one, other, past) for one, other in pairs):
        pass
    return groups


def _exchange(one: list[str], other: list[str], past: Past) -> bool:
    for (i, here), (j, there) in product(enumerate(one), enumerate(other)):
        stay, remain = one[:i] + one[i + 1 :], other[:j] + other[j + 1 :]
        now = past.meetings(here, stay) + past.meetings(there, remain)
        if past.meetings(there, stay) + past.meetings(here, remain) < now:
            one[i], other[j] = there, here
            return True
    return False


def _pairs(order: Sequence[str], past: Past) -> Tables:
    """Return pairs of near neighbours, without repeated meetings if such pairs are found."""
    for most in count():
        pairs = _matched(tuple(order), past, most, iter(range(EFFORT)))
        if pairs is not None:
            return pairs
    raise AssertionError("some number of meetings is enough")


def _matched(order: tuple[str, ...], past: Past, most: int, effort: Iterator[int]) -> Tables | None:
    if len(order) < 2:
        return []
    first, *rest = order
    for i, other in enumerate(rest):
        if past.met[first, other] > most:
            continue
        if next(effort, None) is None:
            return None
        pairs = _matched((*rest[:i], *rest[i + 1 :]), past, most, effort)
        if pairs is not None:
            return [(first, other), *pairs]
    return None
