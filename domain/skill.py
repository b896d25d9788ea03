"""Strength of players: openskill's Plackett-Luce model, with weighted games. A game counts more if
its opponents are proven, and less if they have met often. Pure arithmetic."""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

RATING_RULES = 5  # of new games; a game without a number is rated by version 1
PROVEN = 10.0  # games against proven players until a player is proven
MIN_WEIGHT = 0.05  # minimum weight of a game against unproven opponents
REPEATED = 3  # games of two players in a month after which the next one counts half
FREE = 10  # games with a built-in bot in a month before they count less (version 2)
COMPANIONS = 20  # games of two accounts in a month after which they are not rated at one table
# with others (version 2)
FORESEEN = 0.95  # a game is not rated if a player is expected to win this often (version 2)
OWNERS = 4  # who must have entered a tournament for its games of two to be rated
MOVES = 10  # posted actions after which a seat counts as having played


class Skill(NamedTuple):
    """A player's probable strength (mu), its uncertainty (sigma), and the number of games against
    proven players."""

    mu: float = 25.0  # openskill's default
    sigma: float = 25.0 / 3
    shown: float = 0.0

    @property
    def proven(self) -> float:
        """The share, 0 to 1, of a player's strength that games against proven players show."""
        return min(1.0, self.shown / PROVEN)


def newness(met: int) -> float:
    """Return the weight, 0 to 1, of the next game of two players who met so often this month."""
    return REPEATED / (REPEATED + met)


def is_foreseen(before: Sequence[Skill]) -> bool:
    """Return whether the result of a game is foreseen, so that it shows nothing."""
    return max(predicted([skill[:2] for skill in before])) > FORESEEN


def rate(
    before: Sequence[Skill],
    ranks: Sequence[int],
    played: Sequence[bool],
    new: Sequence[Sequence[float]],
) -> list[tuple[Skill, float]]:
    """Return (skill after a game, weight of the game from 0 to 1) for each seat, in order. Sums are
    formed in this order, too.

    The lowest rank is the best. ``played`` says of each seat whether it made MOVES. ``new[i][j]``
    is the ``newness`` of seats i and j to each other."""
    return [_rate(before, ranks, played, new[seat], seat) for seat in range(len(before))]


def _rate(
    before: Sequence[Skill],
    ranks: Sequence[int],
    played: Sequence[bool],
    new: Sequence[float],
    seat: int,
) -> tuple[Skill, float]:
    was = before[seat]
    # a seat that has not played may have won, but its opponents have not lost
    counting = [
        other
        for other in range(len(before))
        if other == seat or played[other] or ranks[other] < ranks[seat]
    ]
    if len(counting) == 1:
        return was, 0.0
    shares = [(before[other].proven, new[other]) for other in counting if other != seat]
    weight = sum(max(MIN_WEIGHT, proven) * fresh for proven, fresh in shares) / len(shares)
    shown = sum(proven * fresh for proven, fresh in shares) / len(shares)
    after = plain([before[other][:2] for other in counting], [ranks[other] for other in counting])
    mu, sigma = after[counting.index(seat)]
    return Skill(
        was.mu + weight * (mu - was.mu),
        was.sigma + weight * (sigma - was.sigma),
        was.shown + shown * played[seat],
    ), weight


Rating = tuple[float, float]  # mu, sigma


def plain(ratings: Sequence[Rating], ranks: Sequence[float]) -> list[Rating]:
    """Return the ratings of a game's players after it, by openskill alone."""
    model = _model()
    teams = [[model.rating(mu, sigma)] for mu, sigma in ratings]
    rows = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [(row[0].mu, row[0].sigma) for row in rows]


def predicted(ratings: Sequence[Rating]) -> list[float]:
    """Return each player's probability to win, by the model of ``plain``, which is well calibrated
    (docs/ratings.md). openskill's ``predict_win`` uses another curve and is overconfident."""
    beta = _model().beta
    c = math.sqrt(sum(sigma * sigma + beta * beta for _, sigma in ratings))
    strengths = [math.exp(mu / c) for mu, _ in ratings]
    return [strength / sum(strengths) for strength in strengths]


def rated(games: Iterable[Mapping[str, float]]) -> dict[str, Rating]:
    """Return the ratings after serious games (each: player -> rank), by openskill alone."""
    ratings: dict[str, Rating] = {}
    for ranks in games:
        after = plain([ratings.get(name) or Skill()[:2] for name in ranks], [*ranks.values()])
        ratings |= zip(ranks, after, strict=True)
    return ratings


@cache
def _model() -> "PlackettLuce":
    from openskill.models import PlackettLuce  # imported late: rarely needed

    return PlackettLuce()
