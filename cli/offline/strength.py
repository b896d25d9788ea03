"""Strength estimates from seatings and results; pure arithmetic.

Games on the same deal are not independent, so uncertainty is computed by deal. Values are keyed by
(board, deal). Boards are not drawn at random, so differences between boards are not uncertainty.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

Z = NormalDist().inv_cdf(0.975)  # 95 % of the normal distribution lie within +-Z
Values = Mapping[tuple, Sequence[float]]
STUDENT = (12.706, 4.303, 3.182)  # Student's t instead, for 1, 2 and 3 degrees of freedom


@dataclass(frozen=True)
class Mean:
    """A mean with its 95 % confidence interval. A single deal has no interval, as it shows no
    variance between deals."""

    value: float
    low: float | None
    high: float | None

    @property
    def is_not_zero(self) -> bool:
        return self.low is not None and (self.low > 0 or self.high < 0)

    def bounds(self, places: int) -> list[float] | None:
        """Return the interval, rounded; None if there is none."""
        return None if self.low is None else [round(self.low, places), round(self.high, places)]


def student(degrees: int) -> float:
    """Return the two-sided 95 % quantile of Student's t, to two decimal places."""
    if degrees <= len(STUDENT):
        return STUDENT[degrees - 1]
    z, v = Z, degrees  # the expansion around the normal distribution
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + ((3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3))
    )


def clustered_mean(values: Values) -> Mean:
    """Return the mean of all values; only values of different deals count as independent."""
    middle, spread, degrees = _estimate(values)
    if not degrees:
        return Mean(middle, None, None)
    reach = student(degrees) * math.sqrt(spread)
    return Mean(middle, middle - reach, middle + reach)


def share(values: Values) -> Mean:
    """Return the mean of shares of a victory, 0 to 1, with Wilson's bounds for the effective number
    of independent games. It is computed from the deals, and at most the number of games played."""
    middle, spread, degrees = _estimate(values)
    games: float = sum(map(len, values.values()))
    if not (0 < middle < 1 and degrees):
        games = min(games, len(values))
    elif spread:
        games = min(games, middle * (1 - middle) / spread)
    return Mean(middle, *wilson(middle * games, games))


def wilson(wins: float, games: float) -> tuple[float, float]:
    """Return Wilson's 95 % interval for the true share of wins."""
    part, spread = wins / games, Z * Z / games
    middle = (part + spread / 2) / (1 + spread)
    reach = Z * math.sqrt(part * (1 - part) / games + spread / games / 4) / (1 + spread)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def _estimate(values: Values) -> tuple[float, float, int]:
    """Return the mean of all values, its variance and its degrees of freedom: 0 if some board has a
    single deal, which shows no variance between deals."""
    boards: dict[object, list[Sequence[float]]] = {}
    for (board, *_), row in values.items():
        boards.setdefault(board, []).append(row)
    count, spread = sum(map(len, values.values())), 0.0
    for rows in boards.values():
        middle = sum(map(sum, rows)) / sum(map(len, rows))
        off = sum((sum(row) - middle * len(row)) ** 2 for row in rows)
        spread += off / count**2 * len(rows) / max(1, len(rows) - 1)
    degrees = min(map(len, boards.values())) - 1 and len(values) - len(boards)
    return sum(map(sum, values.values())) / count, spread, degrees
