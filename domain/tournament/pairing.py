"""Pairing: pure functions from the past rounds to the tables of the next round.

Entrants are ids, a table is a tuple of them in the order of seats; seat 0 plays first.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations, product

from domain.chance import Chance

Tables = list[tuple[str, ...]]
Costs = Mapping[tuple[str, str], int]  # of the meeting of two entrants, by both orders
MOST_STARTS = 50
SEARCH = 60_000  # starts times the square of entrants: a second at most, two in a swiss
STEPS = 120  # of a point: the points of tables of two to five are whole numbers of these
BITS = 44  # of a term of a cost: enough for the sum of this term over all tables


@dataclass
class Past:
    """The past rounds: how often two entrants have met, how often each has had each seat, in all
    and on the next round's board (``here``), how late each has sat (0 is even, higher is later),
    the seats of their last two tables, and their byes."""

    met: Counter[tuple[str, str]] = field(default_factory=Counter)  # by both orders of a pair
    sat: Counter[tuple[str, int]] = field(default_factory=Counter)
    here: Counter[tuple[str, int]] = field(default_factory=Counter)
    lateness: Counter[str] = field(default_factory=Counter)
    last: dict[str, tuple[int, ...]] = field(default_factory=dict)
    byes: Counter[str] = field(default_factory=Counter)

    def add(self, tables: Iterable[Sequence[str]], byes: Iterable[str], here: int = 0) -> None:
        for table in tables:
            self.met.update(permutations(table, 2))
            for seat, entrant in enumerate(table):
                self.sat[entrant, seat] += 1
                self.here[entrant, seat] += here
                self.lateness[entrant] += 2 * seat - (len(table) - 1)
                self.last[entrant] = (*self.last.get(entrant, ()), seat)[-2:]
        self.byes.update(byes)

    def burden(self, entrant: str, seat: int) -> int:
        """Return how badly a seat suits an entrant. A third table in a row on this seat counts
        most; then how often it had the seat and how late it sat; then how often it had the seat on
        this board; then the seat of its last table."""
        last, often = self.last.get(entrant, ()), self.sat[entrant, seat]
        return (
            1000 * (last == (seat, seat))
            + 20 * (often + self.lateness[entrant] * seat)
            + 6 * self.here[entrant, seat]
            + (last[-1:] == (seat,))
        )

    def burdens(self, table: Sequence[str]) -> list[int]:
        return [self.burden(entrant, seat) for seat, entrant in enumerate(table)]


def set_aside(
    order: Sequence[str], seats: int, least: int, past: Past, *, first: bool = False
) -> tuple[list[str], list[str]]:
    """Return (the entrants at tables, the byes). Entrants who fill no whole table play at a smaller
    one if there are enough of them. Else they have a bye: those with the fewest byes so far, and of
    equals the last in the order, or the ``first``."""
    over = len(order) % seats
    if not over or over >= least:
        return list(order), []
    candidates = list(order) if first else list(reversed(order))
    out = sorted(candidates, key=lambda entrant: past.byes[entrant])[:over]
    return [entrant for entrant in order if entrant not in out], out


def grouped(
    order: Sequence[str],
    seats: int,
    past: Past,
    points: Mapping[str, float] | None = None,
    floated: Collection[str] = (),
) -> Tables:
    """Return tables whose members are close to each other in the order, at a low sum of the costs
    of all meetings: for two seats at the lowest one. ``floated`` have met fewer points in the last
    round."""
    costs = _costs(order, seats, past, points or {}, floated)
    groups = _matched(order, costs) if seats == 2 else _searched(order, seats, costs, past)
    by_rank = sorted(sorted(order.index(one) for one in group) for group in groups)
    return [seated([order[place] for place in group], past) for group in by_rank]


def balanced(order: Sequence[str], seats: int, past: Past) -> Tables:
    """Return tables with few repeated meetings, whatever the order."""
    return _searched(order, seats, past.met, past)


def neighbours(order: Sequence[str], seats: int, past: Past) -> Tables:
    """Return tables by the order alone, even if entrants meet again."""
    groups = [tuple(order[i : i + seats]) for i in range(0, len(order), seats)]
    return [seated(group, past) for group in groups]


def seated(group: Iterable[str], past: Past) -> tuple[str, ...]:
    return min(permutations(group), key=lambda order: sum(past.burdens(order)))


def _costs(
    order: Sequence[str],
    seats: int,
    past: Past,
    points: Mapping[str, float],
    floated: Collection[str],
) -> Costs:
    """Return the cost of each meeting. A lower sum of costs means fewer pairs who have met before;
    with as many, fewer earlier meetings; then smaller squares of the differences in points; then
    fewer entrants who meet fewer points again; then, at tables of two, better seats; then smaller
    squares of the distances in the order."""
    burdens = {one: [past.burden(one, seat) for seat in (0, 1)] for one in order}
    costs = {}
    for (i, one), (j, other) in combinations(enumerate(order), 2):
        met, gap = past.met[one, other], round(STEPS * (points.get(one, 0) - points.get(other, 0)))
        (here, late), (there, its_late) = burdens[one], burdens[other]
        conflict = min(here + its_late, late + there) - min(here, late) - min(there, its_late)
        cost = 0
        for term in (
            met > 0,
            met,
            gap**2,
            gap > 0 and one in floated,
            conflict if seats == 2 else 0,
            (j - i) ** 2,
        ):
            cost = (cost << BITS) + term
        costs[one, other] = costs[other, one] = cost
    return costs


def _matched(order: Sequence[str], costs: Costs) -> list[tuple[str, str]]:
    import networkx as nx  # imported late: only a child of a web process needs it

    graph = nx.Graph()  # of numbers, as the order in a set of texts differs between processes
    graph.add_weighted_edges_from(
        (i, j, costs[order[i], order[j]]) for i, j in combinations(range(len(order)), 2)
    )
    return [(order[i], order[j]) for i, j in nx.min_weight_matching(graph)]


def _searched(order: Sequence[str], seats: int, costs: Costs, past: Past) -> Tables:
    """Return tables at a low sum of costs: filled in turn, then improved by exchanges. Of several
    starts, the first in the order and the others in random ones, the best is taken: of equally good
    ones, that in which the worst seat is best."""
    chance = Chance(b"", order)  # the same in every process
    more = min(MOST_STARTS, SEARCH // len(order) ** 2)
    ways = []
    for start in [order, *(chance.shuffled(str(number), order) for number in range(more))]:
        groups = _exchanged(_filled(start, seats, costs), costs)
        cost = sum(costs[pair] for group in groups for pair in combinations(group, 2))
        tables = [seated(group, past) for group in groups]
        ways.append((cost, max(max(past.burdens(table)) for table in tables), tables))
    return min(ways, key=lambda way: way[:2])[-1]


def _sum(costs: Costs, entrant: str, others: Iterable[str]) -> int:
    return sum([costs[entrant, other] for other in others])


def _filled(order: Sequence[str], seats: int, costs: Costs) -> list[list[str]]:
    """Return groups, filled one after the other with the entrant who costs least there."""
    rest, groups = list(order), []
    while rest:
        group = [rest.pop(0)]
        while rest and len(group) < seats:
            chosen = min(rest, key=lambda entrant: _sum(costs, entrant, group))
            rest.remove(chosen)
            group.append(chosen)
        groups.append(group)
    return groups


def _exchanged(groups: list[list[str]], costs: Costs) -> list[list[str]]:
    pairs = list(combinations(groups, 2))
    while sum(_exchange(one, other, costs) for one, other in pairs):
        pass
    return groups


def _exchange(one: list[str], other: list[str], costs: Costs) -> bool:
    for (i, here), (j, there) in product(enumerate(one), enumerate(other)):
        stay, remain = one[:i] + one[i + 1 :], other[:j] + other[j + 1 :]
        now = _sum(costs, here, stay) + _sum(costs, there, remain)
        if _sum(costs, there, stay) + _sum(costs, here, remain) < now:
            one[i], other[j] = there, here
            return True
    return False
