"""Signs of collusion in games. For each (giver, taker) that shared at least two tables: the effect
of the giver's presence, and how often chance alone has as large an effect (docs/tournaments.md).

Each number compares the two with themselves at other tables, never with an average player, so that
a weak player is not suspected for being weak. A table counts once, for any number of games in its
deal.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from math import comb, erfc, sqrt
from statistics import mean, pstdev

from domain.chance import Chance
from domain.codec import Json
from domain.game.commands import Player
from domain.game.state import State
from domain.tournament.events import SeatResult
from domain.tournament.standings import scores
from domain.tournament.state import Table

MIN_TABLES = 2  # tables that two must have shared
SAMPLES = 500  # honest tournaments to compare with
SUSPECT = 0.01
MAX_TABLES = 1000  # tables to use, the latest
MAX_SUSPECTS = 10
SEED = b"collusion"  # the same games always give the same numbers
DECIMALS = 4
Pair = tuple[str, str]  # giver, taker
Statistic = dict[str, float]
Statistics = dict[str, Statistic]  # by name


@dataclass(frozen=True)
class Played:
    """A finished game with a result: its accounts in the order of seats, and their results."""

    game: str
    table: tuple[Hashable, ...]  # games with the same value are one table
    accounts: dict[str, Player]
    results: tuple[SeatResult, ...]


def played(state: State) -> Played | None:
    """Return a game; None if it has no result, or one account had two of its seats."""
    players = {_account(player): player for player in state.players if player}
    if not state.results or len(players) < max(2, len(state.players)):
        return None
    terms = state.terms
    table: tuple[Hashable, ...] = (*terms.deal, frozenset(players)) if terms.deal else (state.id,)
    if place := terms.tournament:
        table = place["id"], place["round"], place["table"]
    rows: list[SeatResult] = []
    for result, left in zip(state.results, state.left, strict=True):
        row: SeatResult = {"total": result["total"], "rank": result["rank"]}
        rows.append(row | {"left": left} if left else row)  # type: ignore[arg-type]
    return Played(state.id, table, players, tuple(rows))


def _account(player: Player) -> str:
    """Return the id of a player's account; a built-in bot's name for any of its accounts."""
    return str(player.bot) if player.is_built_in else player.id


def pairs(games: Iterable[Played], player: str | None = None) -> list[Json]:
    """Return a row for each pair of accounts in games, as ``compared`` has it, with the accounts'
    names. ``same_owner`` marks pairs with one owner. With ``player``, only that account's pairs,
    compared at its tables and at those of the accounts that it met."""
    games = [*games]
    tables, accounts = tables_of(games), {i: p for game in games for i, p in game.accounts.items()}
    if player:
        near = {one for table in tables if player in table.entrants for one in table.entrants}
        tables = [table for table in tables if near & {*table.entrants}]
    chance = Chance(SEED, [game for table in tables[-1:] for game in table.games])
    rows = compared(tables, chance, lambda pair: player is None or player in pair)
    return [_named(row, accounts) for row in rows]


def tables_of(games: Iterable[Played]) -> list[Table]:
    """Return the tables of games, in the order of their first games."""
    by_table: dict[tuple[Hashable, ...], list[Played]] = {}
    for game in games:
        by_table.setdefault(game.table, []).append(game)
    made = []
    for some in by_table.values():
        entrants = tuple(some[0].accounts)
        empty = Table(1, entrants, tuple(game.game for game in some))
        made.append(
            replace(
                empty,
                results=tuple(
                    tuple(
                        game.results[[*game.accounts].index(one)] for one in empty.seated(rotation)
                    )
                    for rotation, game in enumerate(some)
                ),
            )
        )
    return made


def _named(row: Json, accounts: Mapping[str, Player]) -> Json:
    giver, taker = (accounts[row[role]] for role in ("giver", "taker"))
    named = row | {"giver_name": giver.name, "taker_name": taker.name}
    owners = {player.owner or _account(player) for player in (giver, taker)}
    return named | ({"same_owner": True} if len(owners) == 1 else {})


def compared(
    tables: list[Table], chance: Chance, is_asked: Callable[[Pair], bool] = lambda _: True
) -> list[Json]:
    """Return a row for each pair that shared tables, the most suspicious first.

    A row's ``wins`` (two at a table), ``others_beaten`` (more at a table) and ``giver_left`` hold
    the count, ``of`` how many chances, the expected count, and ``p``: the probability, 0 to 1, that
    any pair of an honest tournament reaches as much. ``is_asked`` selects pairs.

    A colluding pair distorts the others' numbers, too. So once a pair is suspect, the rest are
    compared without the tables of that pair.
    """
    tables = tables[-MAX_TABLES:]
    together = Counter(pair for table in tables for pair in permutations(table.entrants, 2))
    asked = sorted(
        pair for pair, count in together.items() if count >= MIN_TABLES and is_asked(pair)
    )
    suspects: dict[Pair, Statistics] = {}
    while True:
        rest = [pair for pair in asked if pair not in suspects]
        others = _statistics(tables, rest, chance)
        worst = min(rest, key=lambda pair: _least(others[pair]), default=None)
        if worst is None or _least(others[worst]) > SUSPECT or len(suspects) == MAX_SUSPECTS:
            break
        suspects[worst] = others[worst]
        tables = [table for table in tables if not set(worst) <= set(table.entrants)]
    rows = []
    for giver, taker in [*suspects, *sorted(rest, key=lambda pair: _least(others[pair]))]:
        row: Json = {"giver": giver, "taker": taker, "tables": together[giver, taker]}
        is_suspect = (giver, taker) in suspects
        row["suspect"] = is_suspect
        rows.append(row | (suspects if is_suspect else others)[giver, taker])
    return rows


def _statistics(tables: list[Table], asked: list[Pair], chance: Chance) -> dict[Pair, Statistics]:
    twos = [table for table in tables if len(table.entrants) == 2]
    larger = [table for table in tables if len(table.entrants) > 2]
    statistics = {
        "wins": _by_wins(twos, asked, chance.draws("wins")),
        "others_beaten": _by_others(larger, asked, chance.draws("others")),
        "giver_left": _by_leaving(tables, asked),
    }
    return {
        pair: {name: by_pair[pair] for name, by_pair in statistics.items() if pair in by_pair}
        for pair in asked
    }


def _least(row: Statistics) -> float:
    return min((statistic["p"] for statistic in row.values()), default=1.0)


# Two at a table: how often the taker won against the giver


def _by_wins(
    tables: list[Table], asked: list[Pair], below: Callable[[int], int]
) -> dict[Pair, Statistic]:
    """Compare wins with random tournaments in which each entrant has the same number of wins. If
    only strength decides, the real tournament is as likely as each of them, for any strengths (a
    Bradley-Terry model, given the scores).

    The samples are steps of a random walk in both directions from the real one, so that it is
    exchangeable with them, even if the walk moves slowly (Besag and Clifford, 1989).
    """
    wins = [
        (winner, loser)
        for table in tables
        for winner, loser in permutations(table.entrants)
        if scores(table)[winner].points > scores(table)[loser].points
    ]
    asked = [
        (giver, taker) for giver, taker in asked if (giver, taker) in wins or (taker, giver) in wins
    ]
    if not asked:
        return {}
    draws, before = [_wins_of(wins, asked)], below(SAMPLES)
    for count in (before, SAMPLES - 1 - before):
        draws += _walk(wins, asked, count, below)
    rows = list(zip(*draws, strict=True))
    middle, spread = [mean(row) for row in rows], [pstdev(row) for row in rows]
    far = [
        [(seen - at) / by if by else 0.0 for seen in row]
        for row, at, by in zip(rows, middle, spread, strict=True)
    ]
    farthest = [max(column) for column in zip(*far, strict=True)]  # of any pair, in each sample
    met = Counter(frozenset(win) for win in wins)
    return {
        pair: _statistic(
            rows[i][0],
            met[frozenset(pair)],
            middle[i],
            mean(other >= far[i][0] for other in farthest) if spread[i] else 1.0,
        )
        for i, pair in enumerate(asked)
    }


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


def _turn_a_circle(beaten: dict[str, list[str]], here: str, below: Callable[[int], int]) -> None:
    """Walk from each entrant to one that they have beaten, until an entrant repeats; reverse all
    wins on this cycle. Nobody's number of wins changes, so the step back has the same probability.
    """
    way: dict[str, int] = {}  # the beaten entrant that the walk went to
    while here not in way:
        if not beaten[here]:
            return
        way[here] = below(len(beaten[here]))
        here = beaten[here][way[here]]
    steps = list(way.items())
    circle = steps[[entrant for entrant, _ in steps].index(here) :]
    losers = [beaten[entrant].pop(i) for entrant, i in circle]
    for (entrant, _), loser in zip(circle, losers, strict=True):
        beaten[loser].append(entrant)


# More at a table: how many of the rest the taker left behind


def _by_others(
    tables: list[Table], asked: list[Pair], below: Callable[[int], int]
) -> dict[Pair, Statistic]:
    """Compare how many of the others the taker beat at tables with the giver and at tables without.
    The giver's own result does not count.

    A table's value is reduced by the taker's mean against the same opponents everywhere, so that
    the pairings do not matter. At tables without the giver, a random other entrant is left out
    instead. If there is no collusion, the tables with the giver are then a random sample: their sum
    has the mean and the variance of sampling without replacement, and is assumed to be normal.
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

    sums = {}
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
        if min(len(here), len(there)) >= MIN_TABLES:
            sums[giver, taker] = count, times, expected, _above(here, there)
    return {
        pair: _statistic(round(times, 2), count, expected, min(1.0, len(sums) * p))
        for pair, (count, times, expected, p) in sums.items()
    }


def _share_beaten(table: Table, one: str, other: str) -> float:
    """Return the share of a table's games in which one came before another, a tie being half."""
    pairs = zip(table.results_of(one), table.results_of(other), strict=True)
    return mean((a["rank"] < b["rank"]) + (a["rank"] == b["rank"]) / 2 for a, b in pairs)


def _above(here: list[float], there: list[float]) -> float:
    """Return the probability of a sum at least as large as that of ``here``, if values were
    assigned at random."""
    values, n = here + there, len(here)
    spread = pstdev(values) * sqrt(n * len(there) / (len(values) - 1))
    far = (sum(here) - n * mean(values)) / spread if spread > 1e-9 else 0.0
    return erfc(far / sqrt(2)) / 2


# How often the giver left


def _by_leaving(tables: list[Table], asked: list[Pair]) -> dict[Pair, Statistic]:
    """Compare how often the giver resigned or ran out of time, among its losses with the taker and
    its losses without; resigning a lost game is no offence. Multiply each pair's probability by the
    number of pairs (Bonferroni)."""
    lost = defaultdict(list)
    for table in tables:
        for entrant, score in scores(table).items():
            if score.points < 0.5:
                has_left = any("left" in row for row in table.results_of(entrant))
                lost[entrant].append((set(table.entrants), has_left))
    by_pair = {}
    for giver, taker in asked:
        here = [has_left for there, has_left in lost[giver] if taker in there]
        elsewhere = [has_left for there, has_left in lost[giver] if taker not in there]
        if here and elsewhere and any(here + elsewhere):
            by_pair[giver, taker] = here, elsewhere
    return {
        pair: _statistic(
            sum(here),
            len(here),
            len(here) * sum(here + there) / len(here + there),
            min(1.0, len(by_pair) * fisher(here, there)),
        )
        for pair, (here, there) in by_pair.items()
    }


def fisher(here: list[bool], there: list[bool]) -> float:
    """Return the probability of at least as many true values among ``here`` if they were assigned
    at random (Fisher's exact test, one-sided)."""
    true, total = sum(here) + sum(there), len(here) + len(there)
    return sum(
        comb(true, k) * comb(total - true, len(here) - k)
        for k in range(sum(here), min(true, len(here)) + 1)
    ) / comb(total, len(here))


def _statistic(times: float, of: int, expected: float, p: float) -> Statistic:
    return {"count": times, "of": of, "expected": round(expected, 2), "p": round(p, DECIMALS)}
