"""How the entrants of a tournament stand: points first, then tie-breaks (docs/tournaments.md).

A table is worth one point, whatever its size and however many games its deal is played in, so that
rounds count alike. Points and margins are rounded to four places.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from math import inf, sqrt
from statistics import mean, stdev
from typing import NotRequired, TypedDict

from domain.tournament.state import Table, Tournament, once_each

BYE = 0.5  # points
PLACES = 4
# how many standard errors hold 95 % of Student's t, by degrees of freedom from 1
T95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
       2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
       2.052, 2.048, 2.045, 2.042)


@dataclass(frozen=True)
class Score:
    """What a table was worth to an entrant: ``points`` of 1, its ``margin`` over the table's mean
    total, the totals and the games won."""

    points: float
    margin: float
    totals: tuple[int, ...]
    wins: int


class Standing(TypedDict):
    """How an entrant stands, as the API shows it; the last once there are so many tables."""

    rank: int
    entrant: str
    points: float
    opponents: float  # the points of those met
    byes: int
    tables: int
    games: int
    wins: int
    margin: NotRequired[float]
    mean_total: NotRequired[float]
    margin_interval: NotRequired[list[float]]


@once_each
def scores(table: Table) -> dict[str, Score]:
    """Return what a table whose games are over was worth to each of its entrants."""
    points: dict[str, list[float]] = defaultdict(list)
    totals: dict[str, list[int]] = defaultdict(list)
    wins: Counter[str] = Counter()
    for rotation, results in enumerate(table.results):
        ranks = [row["rank"] for row in results]
        for entrant, row in zip(table.seated(rotation), results, strict=True):
            below = sum(rank > row["rank"] for rank in ranks)
            equal = ranks.count(row["rank"]) - 1
            points[entrant].append((below + equal / 2) / (len(ranks) - 1))
            totals[entrant].append(row["total"])
            wins[entrant] += row["rank"] == 1
    middle = mean(total for row in totals.values() for total in row)
    return {entrant: Score(mean(points[entrant]), mean(totals[entrant]) - middle,
                           tuple(totals[entrant]), wins[entrant])
            for entrant in table.entrants}


def winner(table: Table) -> str:
    """Return who has won a table: by points, then margin, then lot."""
    found = scores(table)
    best = max((_rounded(s.points), _rounded(s.margin)) for s in found.values())
    return next(entrant for entrant in sorted(table.entrants, key=table.lots.__getitem__)
                if (_rounded(found[entrant].points), _rounded(found[entrant].margin)) == best)


@once_each
def standings(state: Tournament) -> list[Standing]:
    """Return a row for each entrant, the best first, as the API shows it; only tables whose games
    are all over count."""
    by_entrant: dict[str, list[Score]] = {entrant: [] for entrant in state.drawn}
    met: dict[str, list[str]] = {entrant: [] for entrant in state.drawn}
    byes: Counter[str] = Counter()
    fell: dict[str, int] = {}  # in a knockout: in which round
    for paired in state.rounds:
        byes.update(paired.byes)
        for table in paired.tables:
            if not table.results:
                continue
            if absent := _no_shows(state, table):
                byes.update(entrant for entrant in table.entrants if entrant not in absent)
                continue
            for entrant, score in scores(table).items():
                by_entrant[entrant].append(score)
                met[entrant] += [other for other in table.entrants if other != entrant]
            if state.settings.format == "knockout":
                best = winner(table)
                fell |= {entrant: paired.number for entrant in table.entrants if entrant != best}
    points = {entrant: _rounded(sum(s.points for s in found) + BYE * byes[entrant])
              for entrant, found in by_entrant.items()}
    rows = [_standing(entrant, points[entrant], sum(points[other] for other in met[entrant]), found,
                      byes[entrant]) for entrant, found in by_entrant.items()]

    def order(row: Standing) -> tuple[float, ...]:
        return (-fell.get(row["entrant"], inf), -row["points"], -row["opponents"],
                -row.get("margin", 0))

    rows.sort(key=order)  # stable: of equals the lower lot first
    places = [order(row) for row in rows]
    for place, row in zip(places, rows, strict=True):
        row["rank"] = places.index(place) + 1
    return rows


def _no_shows(state: Tournament, table: Table) -> set[str]:
    """Return who did not show up at a table of a round robin for two, and was withdrawn for it:
    whoever was to meet him has a bye, be it before he was withdrawn or after."""
    if state.settings.format != "round_robin" or len(table.entrants) != 2:
        return set()
    return {entrant for entrant in table.absent if state.entrants[entrant].is_absent}


def _standing(
    entrant: str, points: float, opponents: float, found: list[Score], byes: int
) -> Standing:
    """Return how an entrant stands, with no rank yet."""
    totals = [total for score in found for total in score.totals]
    row: Standing = {
        "rank": 0, "entrant": entrant, "points": points, "opponents": _rounded(opponents),
        "byes": byes, "tables": len(found), "games": len(totals),
        "wins": sum(score.wins for score in found)}
    margins = [score.margin for score in found]
    if margins:
        row |= {"margin": _rounded(mean(margins)), "mean_total": _rounded(mean(totals))}
    if len(margins) > 1:
        least, most = interval(margins)
        row["margin_interval"] = [_rounded(least), _rounded(most)]
    return row


def interval(values: list[float]) -> tuple[float, float]:
    """Return the 95 % confidence interval of the mean of two or more independent values. The games
    of one deal are not independent, so a table is one value."""
    freedom = len(values) - 1
    factor = T95[freedom - 1] if freedom <= len(T95) else 1.96 + 2.4 / freedom
    half = factor * stdev(values) / sqrt(len(values))
    return mean(values) - half, mean(values) + half


def _rounded(value: float) -> float:
    return round(value, PLACES) + 0.0  # never -0.0
