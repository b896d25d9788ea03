"""How much of the tables' margins is chance, once everybody's strength is taken out.

An entrant's margins differ since its opponents do: to have met a weak one and a strong one says
nothing against its mean. So strengths are fitted to all margins at once (least squares: a margin is
one's own strength less the mean of the strengths at the table), and what they do not explain is
chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

MOST = 1000  # tables that are looked at, the latest
NEGLIGIBLE = 1e-18  # of the squares, what is left to explain
# how many standard errors hold 95 % of Student's t, by degrees of freedom from 1
T95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
       2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
       2.052, 2.048, 2.045, 2.042)
Margins = Mapping[str, float]  # of a table, by entrant; they add up to nothing
Vector = dict[str, float]


@dataclass(frozen=True)
class Noise:
    """The variance of one entrant's part in a table, as well as ``freedom`` degrees tell."""

    variance: float
    freedom: int

    def half_interval(self, sizes: Sequence[int]) -> float:
        """Return how far the mean margin of an entrant over tables of such sizes may be from what
        it would be without chance, 95 times of 100."""
        factor = (T95[self.freedom - 1] if self.freedom <= len(T95)
                  else 1.96 + 2.4 / self.freedom)
        return factor * sqrt(self.variance * sum(1 - 1 / size for size in sizes)) / len(sizes)


def noise(tables: Sequence[Margins]) -> Noise | None:
    """Return how much chance there is in the margins of these tables; None where strengths could
    explain whatever they are."""
    tables = tables[-MOST:]
    met = Counter(tuple(sorted(table)) for table in tables)
    own: Counter[str] = Counter()
    for table in tables:
        own.update(table)
    freedom = sum(len(table) - 1 for table in tables) - _rank(met)
    if freedom < 1:
        return None
    explained = _along(_strengths(met, own), own)
    squares = sum(margin * margin for table in tables for margin in table.values())
    return Noise(max(0.0, squares - explained) / freedom, freedom)


def _rank(met: Counter[tuple[str, ...]]) -> int:
    """Return how many strengths there are to be fitted: of those who are joined by tables one is
    free."""
    group: dict[str, set[str]] = {}
    for table in met:
        joined = set(table).union(*(group.get(entrant, ()) for entrant in table))
        group |= dict.fromkeys(joined, joined)
    return len(group) - len({id(joined) for joined in group.values()})


def _strengths(met: Counter[tuple[str, ...]], own: Mapping[str, float]) -> Vector:
    """Return the strengths that explain the sums of margins best (conjugate gradients)."""
    found = dict.fromkeys(own, 0.0)
    rest = step = dict(own)
    size = first = _along(rest, rest)
    for _ in own:
        if size <= NEGLIGIBLE * first or not (bend := _along(step, change := _margins(met, step))):
            break
        far, was = size / bend, size
        found = {entrant: found[entrant] + far * step[entrant] for entrant in own}
        rest = {entrant: rest[entrant] - far * change[entrant] for entrant in own}
        size = _along(rest, rest)
        step = {entrant: rest[entrant] + size / was * step[entrant] for entrant in own}
    return found


def _margins(met: Counter[tuple[str, ...]], strengths: Mapping[str, float]) -> Vector:
    """Return the sum of margins that each would have with such strengths and no chance."""
    sums = dict.fromkeys(strengths, 0.0)
    for table, times in met.items():
        middle = sum(strengths[entrant] for entrant in table) / len(table)
        for entrant in table:
            sums[entrant] += times * (strengths[entrant] - middle)
    return sums


def _along(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return sum(value * other[entrant] for entrant, value in one.items())
