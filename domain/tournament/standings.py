"""The standings of a tournament: points first, then tie-breaks (docs/tournaments.md).

A table is worth one point for any size and number of games, so that rounds count alike. An entrant
who leaves a game loses it, and gets no margin from it; the same holds if only one player stays.
Points and margins are rounded to four places.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from statistics import fmean
from typing import Annotated, NotRequired, TypedDict

from domain.described import Positive
from domain.tournament.circle import circle
from domain.tournament.events import KNOCKOUT, ROUND_ROBIN
from domain.tournament.noise import noise
from domain.tournament.state import Round, Table, Tournament, once_each

BYE = 0.5  # points
DECIMALS = 4


@dataclass(frozen=True)
class Score:
    """A table's value to an entrant: ``points`` of 1, and the games played, won and left
    (``forfeits``).
    ``margin`` is the mean lead in the deals that the entrant played to the end, over the mean total
    of all who did so; ``totals`` are its totals there. ``margin`` is None without such a deal."""

    points: float
    games: int
    wins: int
    forfeits: int
    totals: tuple[int, ...]
    margin: float | None


class Standing(TypedDict):
    """An entrant's standing. Only tables whose games are all over count."""

    rank: Annotated[Positive, "The rank; 1 is the best, and equal standings share a rank."]
    entrant: Annotated[str, "The entrant's id."]
    points: Annotated[
        float,
        "Points: a table is worth 1 to the entrant who beats all others there, a bye one half.",
    ]
    opponents_points: Annotated[float, "The first tie-break: the points of all opponents."]
    forfeits: Annotated[
        int,
        "The second tie-break: the number of games that the entrant left by resigning or on "
        "time; fewer is better.",
    ]
    margin: NotRequired[
        Annotated[
            float,
            "The third tie-break: how far the entrant's totals were above the mean of their "
            "table, in deals that were played to the end.",
        ]
    ]
    margin_interval: NotRequired[
        Annotated[
            list[float],
            "The 95 % confidence interval of `margin` against these opponents, once "
            "there are enough deals.",
        ]
    ]
    mean_total: NotRequired[
        Annotated[float, "The mean of the final points in the deals that count for `margin`."]
    ]
    wins: Annotated[int, "Games won, including shared wins."]
    games: Annotated[int, "Games played."]
    tables: Annotated[int, "Tables played."]
    byes: Annotated[
        int, "Rounds without a table (byes), and tables against entrants who are `annulled`."
    ]
    walkovers: NotRequired[
        Annotated[
            Positive,
            "Byes that count as wins, since the opponent withdrew after half of their tables.",
        ]
    ]


@once_each
def scores(table: Table) -> dict[str, Score]:
    points: dict[str, list[float]] = defaultdict(list)
    for rotation, results in enumerate(table.results):
        ranks = [row["rank"] for row in results]
        for entrant, rank in zip(table.seated(rotation), ranks, strict=True):
            below, equal = sum(other > rank for other in ranks), ranks.count(rank) - 1
            points[entrant].append((below + equal / 2) / (len(ranks) - 1))
    by_entrant, finished = {}, finished_deals(table)
    for entrant in table.entrants:
        rows = table.results_of(entrant)
        mine = [deal for deal in finished if entrant in deal]
        margins = [
            fmean(deal[entrant]) - fmean(total for of in deal.values() for total in of)
            for deal in mine
        ]
        by_entrant[entrant] = Score(
            fmean(points[entrant]),
            len(rows),
            sum(row["rank"] == 1 for row in rows),
            sum("left" in row for row in rows),
            tuple(t for deal in mine for t in deal[entrant]),
            fmean(margins) if margins else None,
        )
    return by_entrant


def finished_deals(table: Table) -> list[dict[str, list[int]]]:
    """Return, by deal, the totals of those who played all its games, if two or more did."""
    deals = []
    rows = {entrant: table.results_of(entrant) for entrant in table.entrants}
    for deal in table.by_deal:
        totals = {
            entrant: [row["total"] for row in of[deal]]
            for entrant, of in rows.items()
            if not any("left" in row for row in of[deal])
        }
        if len(totals) > 1:
            deals.append(totals)
    return deals


@once_each
def leaders(table: Table) -> list[str]:
    """Return the entrants who are first at a finished table: by points, then totals of the deals
    that all of these played to the end, then fewer games left, then the lower lot."""
    by_entrant = scores(table)
    most = max(_rounded(score.points) for score in by_entrant.values())
    tied = {entrant for entrant, score in by_entrant.items() if _rounded(score.points) == most}
    shared = [deal for deal in finished_deals(table) if tied <= deal.keys()]
    totals = {entrant: sum(sum(deal[entrant]) for deal in shared) for entrant in tied}
    best = [entrant for entrant in tied if totals[entrant] == max(totals.values())]
    return sorted(best, key=lambda one: (by_entrant[one].forfeits, table.lots[one]))


@once_each
def standings(state: Tournament) -> list[Standing]:
    """Return the rows of all entrants by the finished tables, the best first."""
    by_entrant: dict[str, list[Score]] = {entrant: [] for entrant in state.drawn}
    met: dict[str, list[str]] = {entrant: [] for entrant in state.drawn}
    byes: Counter[str] = Counter()
    walkovers: Counter[str] = Counter()
    margins: list[dict[str, float]] = []
    for paired in state.rounds:
        byes.update(paired.byes)
        walkovers.update(_walkovers(state, paired))
        for table in [table for table in paired.tables if table.is_over]:
            if gone := annulled(state).intersection(table.entrants):
                byes.update(entrant for entrant in table.entrants if entrant not in gone)
                continue
            for entrant, score in scores(table).items():
                by_entrant[entrant].append(score)
                met[entrant] += [other for other in table.entrants if other != entrant]
            margins.append(
                {
                    entrant: score.margin
                    for entrant, score in scores(table).items()
                    if score.margin is not None
                }
            )
    points = {
        entrant: _rounded(
            sum(score.points for score in own) + BYE * (byes[entrant] + walkovers[entrant])
        )
        for entrant, own in by_entrant.items()
    }
    rows = [
        _standing(
            entrant,
            points[entrant],
            sum(points[other] for other in met[entrant]),
            own,
            byes[entrant],
        )
        for entrant, own in by_entrant.items()
    ]
    for row in rows:
        if walkovers[row["entrant"]]:
            row["walkovers"] = walkovers[row["entrant"]]
    _add_intervals(rows, [table for table in margins if table])
    return _ranked(state, rows)


def _is_all_play_all(state: Tournament) -> bool:
    """Return whether it is a round robin for two."""
    return state.settings.format == ROUND_ROBIN and state.settings.seats == 2


@once_each
def annulled(state: Tournament) -> frozenset[str]:
    """Return the entrants of a round robin for two who withdrew, for any reason, before they had
    played half of their tables. Their tables count as byes for all opponents. A table that one
    lost on time in every game was not played."""
    if not _is_all_play_all(state):
        return frozenset()
    tables = [table for paired in state.rounds for table in paired.tables if table.is_over]
    played = Counter(
        entrant for table in tables for entrant in table.entrants if entrant not in table.absent
    )
    whole = (len(state.entrants) - 1) * (state.settings.rounds or 1)
    return frozenset(
        entrant.id
        for entrant in state.entrants.values()
        if entrant.withdrawn and 2 * played[entrant.id] < whole
    )


def _walkovers(state: Tournament, paired: Round) -> list[str]:
    """Return the entrants whose opponent withdrew after half of their tables: they have won."""
    if not paired.byes or not _is_all_play_all(state):
        return []
    pairs = circle(state.drawn, paired.number - 1)
    return [
        one
        for pair in pairs
        for one, other in (pair, pair[::-1])
        if one in paired.byes and state.entrants[other].withdrawn and other not in annulled(state)
    ]


def _standing(
    entrant: str, points: float, opponents_points: float, own: list[Score], byes: int
) -> Standing:
    row: Standing = {
        "rank": 0,
        "entrant": entrant,
        "points": points,
        "opponents_points": _rounded(opponents_points),
        "byes": byes,
        "tables": len(own),
        "games": sum(score.games for score in own),
        "wins": sum(score.wins for score in own),
        "forfeits": sum(score.forfeits for score in own),
    }
    margins = [score.margin for score in own if score.margin is not None]
    if margins:
        totals = [total for score in own for total in score.totals]
        row |= {"margin": _rounded(fmean(margins)), "mean_total": _rounded(fmean(totals))}
    return row


def _add_intervals(rows: list[Standing], tables: list[dict[str, float]]) -> None:
    """Add a confidence interval to each margin; a table is one value, as its games depend."""
    chance = noise(tables)
    sizes: dict[str, list[int]] = defaultdict(list)
    for table in tables:
        for entrant in table:
            sizes[entrant].append(len(table))
    for row in rows:
        if chance and "margin" in row:
            middle, half = row["margin"], chance.half_interval(sizes[row["entrant"]])
            row["margin_interval"] = [_rounded(middle - half), _rounded(middle + half)]


def _ranked(state: Tournament, rows: list[Standing]) -> list[Standing]:
    lasted = _lasted(state) if state.settings.format == KNOCKOUT else {}

    def order(row: Standing) -> tuple[float, ...]:
        return (
            row["entrant"] in state.disqualified,
            -lasted.get(row["entrant"], 0),
            -row["points"],
            -row["opponents_points"],
            row["forfeits"],
            -row.get("margin", 0),
        )

    rows = sorted(rows, key=order)  # stable: of equals the lower lot first
    places = [order(row) for row in rows]
    for place, row in zip(places, rows, strict=True):
        row["rank"] = places.index(place) + 1
    return rows


def _lasted(state: Tournament) -> Mapping[str, float]:
    """Return the round in which each entrant of a knockout is eliminated: the next round for one
    who withdrew before it, infinity for one who may still win."""
    last: dict[str, float] = {}
    for paired in state.rounds:
        last |= dict.fromkeys(paired.byes, paired.number + 1)
        for table in paired.tables:
            first = leaders(table)[0] if table.is_over else None
            for entrant in table.entrants:
                last[entrant] = paired.number + (first in (None, entrant))
    return last | {
        entrant: inf for entrant in state.active if last.get(entrant, inf) > len(state.rounds)
    }


def _rounded(value: float) -> float:
    return round(value, DECIMALS) + 0.0  # never -0.0
