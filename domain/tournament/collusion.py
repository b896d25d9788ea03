"""Who fed whom: for each (giver, taker) that sat together at two tables or more, what the giver's
presence came to, and how often chance alone comes to as much (docs/tournaments.md).

Each number compares the two with themselves at other tables, never with what is usual, so that a
weak player is not suspected of being weak. A table counts once, however many games its deal has.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import permutations
from math import comb, erfc, sqrt
from statistics import mean, pstdev

from domain.chance import Chance
from domain.codec import Json
from domain.tournament.standings import scores
from domain.tournament.state import Table, Tournament, once_each

LEAST = 2  # tables that two must have shared
DRAWS = 500  # honest tournaments that the one there was is compared with
SUSPECT = 0.01
MOST = 1000  # tables that are looked at, the latest
MOST_SUSPECTS = 10
PLACES = 4
Pair = tuple[str, str]  # giver, taker
Statistic = dict[str, float]
Statistics = dict[str, Statistic]  # by name


@once_each
def pairs(state: Tournament) -> list[Json]:
    """Return a row for each pair, the most suspicious first.

    A row's ``won`` (two at a table), ``beside`` (more at a table) and ``left`` tell how often
    something happened, of how often, how often it would be expected, and ``p``: how often any pair
    at all of an honest tournament comes to as much, 0 to 1.

    One that feeds another makes the others' numbers odd too. So once a pair is suspect, the rest
    are compared without the tables of that pair.
    """
    tables = [table for paired in state.rounds for table in paired.tables if table.is_over][-MOST:]
    together = Counter(pair for table in tables for pair in permutations(table.entrants, 2))
    asked = sorted(pair for pair, count in together.items() if count >= LEAST)
    chance = Chance((state.settings.lots or "").encode(), [str(state.version)])
    suspects: dict[Pair, Statistics] = {}
    while True:
        rest = [pair for pair in asked if pair not in suspects]
        found = _statistics(tables, rest, chance)
        worst = min(rest, key=lambda pair: _least(found[pair]), default=None)
        if worst is None or _least(found[worst]) > SUSPECT or len(suspects) == MOST_SUSPECTS:
            break
        suspects[worst] = found[worst]
        tables = [table for table in tables if not set(worst) <= set(table.entrants)]
    rows = []
    for giver, taker in [*suspects, *sorted(rest, key=lambda pair: _least(found[pair]))]:
        row: Json = {"giver": giver, "taker": taker, "tables": together[giver, taker]}
        if state.entrants[giver].responsible == state.entrants[taker].responsible:
            row["same_owner"] = True
        is_suspect = (giver, taker) in suspects
        row["suspect"] = is_suspect
        rows.append(row | (suspects if is_suspect else found)[giver, taker])
    return rows


def _statistics(
    tables: list[Table], asked: list[Pair], chance: Chance
) -> dict[Pair, Statistics]:
    """Return the statistics of each pair by name, those that there are."""
    twos = [table for table in tables if len(table.entrants) == 2]
    larger = [table for table in tables if len(table.entrants) > 2]
    found = {"won": _by_wins(twos, asked, chance.draws("collusion/won")),
             "beside": _by_others(larger, asked, chance.draws("collusion/beside")),
             "left": _by_leaving(tables, asked)}
    return {pair: {name: by_pair[pair] for name, by_pair in found.items() if pair in by_pair}
            for pair in asked}


def _least(row: Statistics) -> float:
    return min((statistic["p"] for statistic in row.values()), default=1.0)


# Two at a table: how often the taker won against the giver


def _by_wins(
    tables: list[Table], asked: list[Pair], below: Callable[[int], int]
) -> dict[Pair, Statistic]:
    """Compare wins with those of tournaments in which everybody wins as many tables as here, drawn
    evenly from all: whatever the strengths of the players are, if nothing but strength decides, the
    one there was is as likely as each of them (a Bradley-Terry model, given the scores).

    The draws are steps of a random walk that goes both ways from the one there was, so that it is
    one of them like any other, however slowly the walk moves (Besag and Clifford, 1989).
    """
    wins = [(winner, loser) for table in tables for winner, loser in permutations(table.entrants)
            if scores(table)[winner].points > scores(table)[loser].points]
    asked = [(giver, taker) for giver, taker in asked
             if (giver, taker) in wins or (taker, giver) in wins]
    if not asked:
        return {}
    draws, before = [_wins_of(wins, asked)], below(DRAWS)
    for count in (before, DRAWS - 1 - before):
        draws += _walk(wins, asked, count, below)
    rows = list(zip(*draws, strict=True))
    middle, spread = [mean(row) for row in rows], [pstdev(row) for row in rows]
    far = [[(seen - at) / by if by else 0.0 for seen in row]
           for row, at, by in zip(rows, middle, spread, strict=True)]
    farthest = [max(column) for column in zip(*far, strict=True)]  # of any pair, in each draw
    met = Counter(frozenset(win) for win in wins)
    return {pair: _statistic(rows[i][0], met[frozenset(pair)], middle[i],
                        mean(other >= far[i][0] for other in farthest) if spread[i] else 1.0)
            for i, pair in enumerate(asked)}


def _wins_of(wins: Iterable[Pair], asked: list[Pair]) -> list[int]:
    count = Counter(wins)
    return [count[taker, giver] for giver, taker in asked]


def _walk(
    wins: list[Pair], asked: list[Pair], count: int, below: Callable[[int], int]
) -> Iterator[list[int]]:
    """Yield the wins of so many tournaments with the same scores, one after the other."""
    beaten: dict[str, list[str]] = defaultdict(list)
    for winner, loser in wins:
        beaten[winner].append(loser)
    everybody = sorted({entrant for win in wins for entrant in win})
    for _ in range(count):
        for _ in range(min(100, 1 + len(wins) // 4)):
            _turn_a_circle(beaten, everybody[below(len(everybody))], below)
        yield _wins_of(((one, other) for one, rest in beaten.items() for other in rest), asked)


def _turn_a_circle(
    beaten: dict[str, list[str]], here: str, below: Callable[[int], int]
) -> None:
    """Go from one to somebody whom that one has beaten until somebody comes again; let all on
    this circle have lost where they won. Nobody's number of wins changes, so the way back is as
    likely as the way here."""
    way: dict[str, int] = {}  # which of those beaten was gone to
    while here not in way:
        if not beaten[here]:
            return
        way[here] = below(len(beaten[here]))
        here = beaten[here][way[here]]
    steps = list(way.items())
    circle = steps[[entrant for entrant, _ in steps].index(here):]
    losers = [beaten[entrant].pop(i) for entrant, i in circle]
    for (entrant, _), loser in zip(circle, losers, strict=True):
        beaten[loser].append(entrant)


# More at a table: how many of the rest the taker left behind


def _by_others(
    tables: list[Table], asked: list[Pair], below: Callable[[int], int]
) -> dict[Pair, Statistic]:
    """Compare how many of the rest the taker left behind at tables with the giver and at those
    without; the giver itself, strong or weak, counts for nothing.

    What a table was worth is less what the taker comes to against the same others everywhere, so
    that it does not matter whom the pairing brought together. Where the giver was not, one of the
    others drawn by lot is left out in its place. Which of the taker's tables have the giver would
    then be chance: the sum over them has the mean and the spread of a sample without putting back,
    and is taken to be normal.
    """
    met: dict[Pair, list[float]] = defaultdict(list)
    beaten: dict[int, dict[Pair, float]] = {}
    for i, table in enumerate(tables):
        beaten[i] = {pair: _share_beaten(table, *pair) for pair in permutations(table.entrants, 2)}
        for pair, share in beaten[i].items():
            met[pair].append(share)
    usual = {pair: mean(shares) for pair, shares in met.items()}
    of = defaultdict(list)
    for i, table in enumerate(tables):
        for entrant in table.entrants:
            others = [other for other in table.entrants if other != entrant]
            of[entrant].append((i, others, others[below(len(others))]))

    found = {}
    for giver, taker in asked:
        here: list[float] = []
        there: list[float] = []
        count, times, expected = 0, 0.0, 0.0
        for i, others, drawn in of[taker]:
            is_here = giver in others
            rest = [(taker, other) for other in others if other != (giver if is_here else drawn)]
            came, usually = (sum(by[pair] for pair in rest) for by in (beaten[i], usual))
            (here if is_here else there).append((came - usually) / len(rest))
            if is_here:
                count, times, expected = count + len(rest), times + came, expected + usually
        if min(len(here), len(there)) >= LEAST:
            found[giver, taker] = count, times, expected, _above(here, there)
    return {pair: _statistic(round(times, 2), count, expected, min(1.0, len(found) * p))
            for pair, (count, times, expected, p) in found.items()}


def _share_beaten(table: Table, one: str, other: str) -> float:
    """Return the share of a table's games in which one came before another, a tie being half."""
    pairs = zip(table.results_of(one), table.results_of(other), strict=True)
    return mean((a["rank"] < b["rank"]) + (a["rank"] == b["rank"]) / 2 for a, b in pairs)


def _above(here: list[float], there: list[float]) -> float:
    """Return how likely a sum like that of these is, or a larger, were they drawn by lot."""
    values, n = here + there, len(here)
    spread = pstdev(values) * sqrt(n * len(there) / (len(values) - 1))
    far = (sum(here) - n * mean(values)) / spread if spread > 1e-9 else 0.0
    return erfc(far / sqrt(2)) / 2


# How often the giver left


def _by_leaving(tables: list[Table], asked: list[Pair]) -> dict[Pair, Statistic]:
    """Compare how often the giver resigned or ran out of time, of the tables that it lost with the
    taker there, with those that it lost without: to resign when lost is no offence."""
    of = _by_entrant(tables)
    lost = {entrant: [(set(table.entrants), any("left" in row for row in table.results_of(entrant)))
                      for table in rows if scores(table)[entrant].points < 0.5]
            for entrant, rows in of.items()}
    found = {}
    for giver, taker in asked:
        here = [has_left for there, has_left in lost[giver] if taker in there]
        elsewhere = [has_left for there, has_left in lost[giver] if taker not in there]
        if here and elsewhere and any(here + elsewhere):
            found[giver, taker] = here, elsewhere
    return _more_often_here(found)


# What they share


def _by_entrant(tables: list[Table]) -> dict[str, list[Table]]:
    found: dict[str, list[Table]] = defaultdict(list)
    for table in tables:
        for entrant in table.entrants:
            found[entrant].append(table)
    return found


def _more_often_here(found: dict[Pair, tuple[list[bool], list[bool]]]) -> dict[Pair, Statistic]:
    """Return what happened here more often than there; the chance of each pair is multiplied by how
    many pairs there are (Bonferroni)."""
    return {pair: _statistic(sum(here), len(here),
                        len(here) * sum(here + there) / len(here + there),
                        min(1.0, len(found) * fisher(here, there)))
            for pair, (here, there) in found.items()}


def fisher(here: list[bool], there: list[bool]) -> float:
    """Return how likely it is that so many of those that are true, or more, lie here, were they
    dealt out by lot (Fisher's exact test, one-sided)."""
    true, total = sum(here) + sum(there), len(here) + len(there)
    return sum(comb(true, k) * comb(total - true, len(here) - k)
               for k in range(sum(here), min(true, len(here)) + 1)) / comb(total, len(here))


def _statistic(times: float, of: int, expected: float, p: float) -> Statistic:
    return {"times": times, "of": of, "expected": round(expected, 2), "p": round(p, PLACES)}
