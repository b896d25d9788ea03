"""The chance in the tables' margins, after the entrants' strengths are subtracted.

An entrant's margins depend on its opponents, so a weak and a strong opponent are no sign of chance.
Strengths are therefore fitted to all margins at once (least squares: a margin is an entrant's
strength minus the mean strength at the table). The residuals are chance.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

MAX_TABLES = 1000  # tables to use, the latest
NEGLIGIBLE = 1e-18  # of the squares: the fit ends at this residual
# Student's t: standard errors that hold 95 %, by degrees of freedom from 1
T95 = (
    12.706,
    4.303,
    3.182,
    2.776,
    2.571,
    2.447,
    2.365,
    2.306,
    2.262,
    2.228,
    2.201,
    2.179,
    2.160,
    2.145,
    2.131,
    2.120,
    2.110,
    2.101,
    2.093,
    2.086,
    2.080,
    2.074,
    2.069,
    2.064,
    2.060,
    2.056,
    2.052,
    2.048,
    2.045,
    2.042,
)
Margins = Mapping[str, float]  # of a table, by entrant; their sum is 0
Vector = dict[str, float]


@dataclass(frozen=True)
class Noise:
    """The variance of one entrant's share of a table's margin, with ``freedom`` degrees of
    freedom."""

    variance: float
    freedom: int

    def half_interval(self, sizes: Sequence[int]) -> float:
        """Return half the 95 % interval of an entrant's mean margin over tables of such sizes."""
        factor = T95[self.freedom - 1] if self.freedom <= len(T95) else 1.96 + 2.4 / self.freedom
        return factor * sqrt(self.variance * sum(1 - 1 / size for size in sizes)) / len(sizes)


def noise(tables: Sequence[Margins]) -> Noise | None:
    """Return the chance in these tables' margins; None if strengths could explain any margins."""
    tables = tables[-MAX_TABLES:]
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
    """Return the number of free strengths: one is fixed in each group connected by tables."""
    group: dict[str, set[str]] = {}
    for table in met:
        joined = set(table).union(*(group.get(entrant, ()) for entrant in table))
        group |= dict.fromkeys(joined, joined)
    return len(group) - len({id(joined) for joined in group.values()})


def _strengths(met: Counter[tuple[str, ...]], own: Mapping[str, float]) -> Vector:
    """Return the strengths that fit the sums of margins best (conjugate gradients)."""
    strengths = dict.fromkeys(own, 0.0)
    rest = step = dict(own)
    size = first = _along(rest, rest)
    for _ in own:
        if size <= NEGLIGIBLE * first or not (bend := _along(step, change := _margins(met, step))):
            break
        far, was = size / bend, size
        strengths = {entrant: strengths[entrant] + far * step[entrant] for entrant in own}
        rest = {entrant: rest[entrant] - far * change[entrant] for entrant in own}
        size = _along(rest, rest)
        step = {entrant: rest[entrant] + size / was * step[entrant] for entrant in own}
    return strengths


def _margins(met: Counter[tuple[str, ...]], strengths: Mapping[str, float]) -> Vector:
    sums = dict.fromkeys(strengths, 0.0)
    for table, times in met.items():
        middle = sum(strengths[entrant] for entrant in table) / len(table)
        for entrant in table:
            sums[entrant] += times * (strengths[entrant] - middle)
    return sums


def _along(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return sum(value * other[entrant] for entrant, value in one.items())
