"""How strong players are: the Plackett-Luce model of openskill, where a game counts as much as its
opponents are proven, and the less the more often they have met. Pure arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

PROVEN = 10.0  # games against proven players, after which one is proven
FRESH = 0.05  # of a game counts where nothing is proven of the opponent
REPEATED = 3  # games of two in a month, after which the next one counts half
MOVES = 10  # actions of its own that a seat has posted, or it has not played


class Skill(NamedTuple):
    """How strong a player probably is (mu), how uncertain that is (sigma), and how many games
    against proven players have shown it."""

    mu: float = 25.0  # openskill's own
    sigma: float = 25.0 / 3
    shown: float = 0.0

    @property
    def proven(self) -> float:
        """How far the player is proven, 0 to 1."""
        return min(1.0, self.shown / PROVEN)


def rate(
    before: Sequence[Skill], ranks: Sequence[int], played: Sequence[bool],
    met: Sequence[Sequence[int]],
) -> list[tuple[Skill, float]]:
    """Return each player's skill after a game, and how much the game counted for them, 0 to 1; all
    in the order of the seats, which is that of the sums within.

    The lowest rank is the best; ``played`` tells which seats have made MOVES, ``met[i][j]`` how
    many games of the month i and j have played before, 0 with a built-in bot.
    """
    return [_rate(before, ranks, played, met[seat], seat) for seat in range(len(before))]


def _rate(
    before: Sequence[Skill], ranks: Sequence[int], played: Sequence[bool], met: Sequence[int],
    seat: int,
) -> tuple[Skill, float]:
    """Return a player's skill after a game, and how much that counted."""
    was = before[seat]
    # who has not played may have won, but nobody has won against them
    counting = [other for other in range(len(before))
                if other == seat or played[other] or ranks[other] < ranks[seat]]
    if len(counting) == 1:
        return was, 0.0
    shares = [(before[other].proven, REPEATED / (REPEATED + met[other]))
              for other in counting if other != seat]
    weight = sum(max(FRESH, proven) * new for proven, new in shares) / len(shares)
    shown = sum(proven * new for proven, new in shares) / len(shares)
    after = plain([before[other][:2] for other in counting], [ranks[other] for other in counting])
    mu, sigma = after[counting.index(seat)]
    return Skill(was.mu + weight * (mu - was.mu), was.sigma + weight * (sigma - was.sigma),
                 was.shown + shown * played[seat]), weight


Rating = tuple[float, float]  # mu, sigma


def plain(ratings: Sequence[Rating], ranks: Sequence[float]) -> list[Rating]:
    """Return the ratings of a game's players after it as openskill has them."""
    model = _model()
    teams = [[model.rating(mu, sigma)] for mu, sigma in ratings]
    rows = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [(row[0].mu, row[0].sigma) for row in rows]


def predicted(ratings: Sequence[Rating]) -> list[float]:
    """Return how likely each player of a game is to win it: as the model has it that ``plain`` goes
    by, which comes true (docs/ratings.md). openskill's ``predict_win`` has another curve, and is
    too sure."""
    beta = _model().beta
    c = math.sqrt(sum(sigma * sigma + beta * beta for _, sigma in ratings))
    strengths = [math.exp(mu / c) for mu, _ in ratings]
    return [strength / sum(strengths) for strength in strengths]


def rated(games: Iterable[Mapping[str, float]]) -> dict[str, Rating]:
    """Return the rating of each player after games given in order as player -> rank, in which all
    are known to have done their best: openskill's alone."""
    ratings: dict[str, Rating] = {}
    for ranks in games:
        after = plain([ratings.get(name) or Skill()[:2] for name in ranks], [*ranks.values()])
        ratings |= zip(ranks, after, strict=True)
    return ratings


@cache
def _model() -> PlackettLuce:
    from openskill.models import PlackettLuce  # not at once: most who import this rate nothing

    return PlackettLuce()
