"""Round robins for two by the circle method: pure functions from a round's number to its pairs.

Inside, entrants are numbers from 0; a pair has its first seat first, or the lower number.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import chain, product
from math import gcd

from domain.chance import Chance

Pair = tuple[int, int]
Orders = Collection[Pair]  # the pairs of a cycle, each with its first seat first
Place = tuple[Pair, int]  # a pair in one of the parts: cycles 0 and 1, or 2 and 3
# how much more often first than second: an entrant, on a board, after a cycle, or, with None in
# place of the board, an entrant in a cycle
Sum = tuple[int, int | None, int]
PARTS = 2
MOST_ENTRANTS = 32  # more do not play several cycles
WORK = 200_000  # of a search, steps times entrants times boards: half a second
AT_RANDOM = 3  # of ten steps, so that the walk does not run in circles


def circle(entrants: Sequence[str], number: int, boards: int = 8) -> list[tuple[str, str]]:
    """Return the pairs of a round of a round robin, counted from 0, with so many boards in
    turn. (Eight are nearly as even for up to four.)

    In a cycle of ``circle_length`` rounds every two entrants meet once, and all sit first equally
    often, in all and on each board, as nearly as possible. The next cycle has the same pairs in the
    other order. After ``period`` cycles a pair is back on a board, in the other order.
    """
    count, length = len(entrants), circle_length(len(entrants))
    cycle, turn = divmod(number, length)
    period = _period(count, boards)
    is_swapped = (cycle % period + cycle // period) % 2 == 1
    by_part = _orders(count, boards)
    orders = by_part[cycle % period // 2 % len(by_part)]
    pairs = []
    for pair in _turn(count, turn):
        stays = (pair in orders) != is_swapped
        first, second = pair if stays else pair[::-1]
        pairs.append((entrants[first], entrants[second]))
    return pairs


def circle_length(entrants: int) -> int:
    return entrants - 1 + entrants % 2


def _period(count: int, boards: int) -> int:
    """Return after how many cycles a pair is back on a board."""
    return boards // gcd(boards, circle_length(count))


def _turn(count: int, turn: int) -> list[Pair]:
    """Return the pairs of a round of a cycle, the lower number first. One number stays in place
    while the others rotate. If ``count`` is odd there is an empty chair; its opponent has a bye."""
    going = [*range(1, count + count % 2)]
    ring = [0, *going[turn:], *going[:turn]]
    pairs = zip(ring[: len(ring) // 2], reversed(ring), strict=False)
    return [(min(pair), max(pair)) for pair in pairs if max(pair) < count]


@lru_cache(8)
def _orders(count: int, boards: int) -> list[Orders]:
    """Return the orders of the even cycles of a period; the cycle after each has the others. The
    last cycle of an odd period is as the first. Only four and five boards need different ones."""
    period, orders = _period(count, boards), _of_a_cycle(count, boards)
    if period not in (4, 5) or count > MOST_ENTRANTS:
        return [orders]
    return _evened(count, boards, orders) or [orders]


def _evened(count: int, boards: int, orders: Orders) -> list[Orders] | None:
    """Return orders for the cycles 0 and 1, and 2 and 3, with no entrant more often first than
    second on a board by more than 1 after the first cycle, and by more than 2 later; None if the
    search finds none. In each cycle, first and second differ by 1 at most for everybody.

    This is a random walk, as for satisfiability, from the same orders for all cycles: a pair that
    adds to a difference that is too large is turned round, mostly the one that does least harm.
    """
    shares = _shares(count, boards)
    sides = {place: 1 if place[0] in orders else -1 for place in shares}
    difference: dict[Sum, int] = defaultdict(int)
    for place, mine in shares.items():
        for key, sign in mine.items():
            difference[key] += sign * sides[place]

    def excess(key: Sum, change: int = 0) -> int:
        _, board, cycle = key
        most = 1 if board is None or cycle == 0 else 2
        return max(0, abs(difference[key] + change) - most) ** 2

    def harm(place: Place) -> int:
        return sum(
            excess(key, -2 * sign * sides[place]) - excess(key)
            for key, sign in shares[place].items()
        )

    below = Chance(b"", ()).draws(f"{count} on {boards}")  # the same in every process
    for _ in range(WORK // (count * boards)):
        above = [key for key in difference if excess(key)]
        if not above:
            return [_of_part(sides, part) for part in range(PARTS)]
        key = above[below(len(above))]
        adding = [
            place
            for place, mine in shares.items()
            if mine.get(key, 0) * sides[place] * difference[key] > 0
        ]
        first = below(len(adding))
        around = adding[first:] + adding[:first]
        turned = around[0] if below(10) < AT_RANDOM else min(around, key=harm)
        for key, sign in shares[turned].items():
            difference[key] -= 2 * sign * sides[turned]
        sides[turned] *= -1
    return None


def _of_part(sides: Mapping[Place, int], part: int) -> Orders:
    """Return the orders of a part; a pair's side is above 0 if the lower number sits first."""
    orders = set()
    for (pair, its_part), side in sides.items():
        if its_part == part:
            orders.add(pair if side > 0 else pair[::-1])
    return orders


def _shares(count: int, boards: int) -> dict[Place, dict[Sum, int]]:
    """Return what each pair adds to which differences if the lower number sits first."""
    shares: dict[Place, dict[Sum, int]] = defaultdict(dict)
    length, cycles = circle_length(count), range(2 * PARTS)
    for cycle, turn in product(cycles, range(length)):
        board = (cycle * length + turn) % boards
        for pair in _turn(count, turn):
            for one, sign in zip(pair, (-1, 1) if cycle % 2 else (1, -1), strict=True):
                mine = shares[pair, cycle // 2]
                mine |= {(one, board, later): sign for later in cycles[cycle:]}
                if cycle % 2 == 0:
                    mine |= {(one, None, cycle): sign}
    return shares


def _of_a_cycle(count: int, boards: int) -> Orders:
    """Return the orders of one cycle.

    For each number, its pairs are joined two by two: those that follow each other on a board, then
    the boards' odd ones. Joined pairs form trails. Along a trail, the second of a pair is the first
    of the next pair. So of two joined pairs, each number is first in one.
    """
    played: list[list[list[Pair]]] = [[[] for _ in range(boards)] for _ in range(count)]
    ends = [
        (one, pair, turn % boards)
        for turn in range(circle_length(count))
        for pair in _turn(count, turn)
        for one in pair
    ]
    for one, pair, board in ends:
        played[one][board].append(pair)
    joined: dict[tuple[int, Pair], Pair] = {}
    for one, by_board in enumerate(played):
        odd = [pairs.pop() for pairs in by_board if len(pairs) % 2]
        row = [*chain(*by_board), *odd]
        for before, after in zip(row[::2], row[1::2], strict=False):
            joined[one, before], joined[one, after] = after, before
    orders: set[Pair] = set()
    for one, pair, _ in sorted(ends, key=lambda end: end[:2] in joined):  # open ends first
        while pair not in orders and pair[::-1] not in orders:
            other = sum(pair) - one
            orders.add((one, other))
            one, pair = other, joined.get((other, pair), pair)
    return orders
