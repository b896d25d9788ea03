"""How strong players are, by the Plackett-Luce model of openskill: pure arithmetic.

A rating is (mu, sigma): how strong a player probably is, and how uncertain that is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

Rating = tuple[float, float]
START: Rating = (25.0, 25.0 / 3)  # of whoever has not played yet; openskill's own


def rate(ratings: Sequence[Rating], ranks: Sequence[float]) -> list[Rating]:
    """Return the ratings of a game's players after it, the lowest rank being the best. The order
    of the players is that of the sums within, so a game is always to be given in the same one."""
    model = _model()
    teams = [[model.rating(mu, sigma)] for mu, sigma in ratings]
    rows = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [(row[0].mu, row[0].sigma) for row in rows]


def rated(games: Iterable[Mapping[str, float]]) -> dict[str, Rating]:
    """Return the rating of each player after games given in order as player -> rank."""
    ratings: dict[str, Rating] = {}
    for ranks in games:
        after = rate([ratings.get(name, START) for name in ranks], [*ranks.values()])
        ratings |= zip(ranks, after, strict=True)
    return ratings


@cache
def _model() -> PlackettLuce:
    from openskill.models import PlackettLuce  # not at once: most who import this rate nothing

    return PlackettLuce()
