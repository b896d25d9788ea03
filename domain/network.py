"""What a player's own routes make together: connections (rules 5.3, 7.3), the longest trail (7.2).

The longest trail is found by what it leaves out. The routes of a trail hang together, and all
locations but its two ends (none, if it comes back to its start) touch an even number of them; any
set of routes like that can be travelled in one go (Euler). So we sweep over the routes once,
keep or leave each, and look for the way that leaves the least length out. Three things make it
quick:

- Of the routes already swept, only the locations that still have a route to come matter (the open
  ones): which touch an odd number of kept routes, and which hang together. `_sweep` chooses an
  order in which few locations are open at a time.
- Asking for the even number alone, not that the routes hang together, is an easy question, and
  its answer is never more than what must be left out. It is the estimate of an A* search, which
  therefore hardly ever looks at anything but its way to the answer.
- Of two ways to the same situation, only the one that left less out goes on.
"""
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from functools import cache, reduce
from heapq import heappop, heappush
from math import inf
from operator import xor
from typing import NamedTuple

import networkx as nx

Route = tuple[Hashable, Hashable, int]  # its two ends and its length in trains


def connections(pairs: Iterable[tuple[Hashable, Hashable]]) -> nx.utils.UnionFind:
    """The locations, grouped by the routes between the given pairs (rules 5.3, 7.3).

    Locations x and y are connected when `connections(pairs)[x] == connections(pairs)[y]`; one
    that no pair names is connected to itself only. Build it once, ask it for every ticket.
    """
    groups = nx.utils.UnionFind()
    for a, b in pairs:
        groups.union(a, b)
    return groups


def longest_trail(routes: Sequence[Route]) -> tuple[int, tuple[int, ...]]:
    """The longest trail over one player's routes (rule 7.2): locations may repeat, routes may not.

    Returns its length in trains and the indices in `routes` of the routes it takes, in the order
    travelled; (0, ()) without routes. Parallel routes, loops and separate pieces are all right.
    Of several longest trails it is always the same one for the same sequence. It recurses as
    deep as there are routes, which is meant for boards: some hundreds at most.
    """
    def total(indices):
        return sum(routes[i][2] for i in indices)

    trail = ()
    for piece in sorted(_pieces(routes), key=total, reverse=True):
        if total(piece) <= total(trail):
            break
        trail = max(trail, _most_in_one_go(_sweep(routes, piece)), key=total)
    return total(trail), _travelled(routes, trail)


def _pieces(routes):
    """The indices of the routes, in one list for each connected piece of the network."""
    group = connections((a, b) for a, b, _ in routes)
    pieces = defaultdict(list)
    for i, (a, _, _) in enumerate(routes):
        pieces[group[a]].append(i)
    return pieces.values()


class _Step(NamedTuple):
    """One route's turn in a sweep. Each location is one bit, a set of them an int."""
    route: int   # its index
    length: int
    ends: int    # the locations it touches
    turns: int   # those that leaving it out turns from even to odd or back: none for a loop
    closes: int  # those that no later step touches
    rest: int    # the length of all later routes


def _sweep(routes, piece):
    """The piece's routes as a list of steps, in an order that keeps few locations open.

    One location after the other has its remaining routes swept, and so closes: each time the one
    that opens the fewest others, and of those the one with the most open neighbours.
    """
    near = defaultdict(set)
    for i in piece:
        a, b, _ = routes[i]
        near[a] |= {a, b}
        near[b] |= {a, b}
    bit, opened = {}, set()
    while near:
        x = min(near, key=lambda x: (len(near[x] - opened), -len(near[x] & opened)))
        bit[x] = 1 << len(bit)
        opened |= near.pop(x)

    steps, later, rest = [], 0, 0
    for i in sorted(piece, key=lambda i: sorted(bit[x] for x in routes[i][:2]), reverse=True):
        a, b, length = bit[routes[i][0]], bit[routes[i][1]], routes[i][2]
        steps.append(_Step(i, length, a | b, a ^ b, (a | b) & ~later, rest))
        later |= a | b
        rest += length
    return steps[::-1]


def _most_in_one_go(steps):
    """The indices of the routes of greatest total length that one trail can take, in any order.

    A situation is `at`, the number of steps done, and two things about the routes not left out:
    `odd`, the open locations with an odd number of them, those of later steps included, plus `end`
    for each such location that is closed; `groups`, sets of open locations that hang together by
    the routes kept so far.
    """
    last = len(steps)
    end = 1 << max(step.ends for step in steps).bit_length()
    shortest = min(step.length for step in steps)

    def close(odd, closes):
        return (odd & ~closes) + end * (odd & closes).bit_count()

    @cache
    def estimate(at, odd):
        """The least length to be left out from here on, whether or not the rest hangs together."""
        ends, still_odd = divmod(odd, end)
        if ends > 2:
            return inf
        least = shortest * (ends + still_odd.bit_count() - 2) // 2  # each route mends two at most
        if least <= 0:
            return 0
        _, length, _, turns, closes, _ = steps[at]
        best = estimate(at + 1, close(odd, closes))
        if best > max(least, length):  # otherwise leaving this route out cannot do better
            best = min(best, length + estimate(at + 1, close(odd ^ turns, closes)))
        return best

    odd = reduce(xor, (step.turns for step in steps))
    # The length left out at least, the steps done (negative, so that among equals the furthest
    # comes first), the routes kept, the length left out so far, odd, groups.
    ways = [(estimate(0, odd), 0, (), 0, odd, frozenset())]
    seen = set()
    while True:
        _, at, kept, left, odd, groups = heappop(ways)
        at = -at
        if at == last:
            return kept
        if (at, odd, groups) in seen:
            continue
        seen.add((at, odd, groups))
        route, length, ends, turns, closes, rest = steps[at]
        for kept, left, odd, groups in (
            (kept + (route,), left, odd, _joined(groups, ends)),
            (kept, left + length, odd ^ turns, groups),
        ):
            after, odd = at + 1, close(odd, closes)
            open_groups = frozenset(group & ~closes for group in groups if group & ~closes)
            if len(open_groups) < len(groups):  # one closes: it is the whole trail, or no part of it
                if len(groups) > 1:
                    continue
                after, left, odd = last, left + rest, odd & -end
            bound = left + estimate(after, odd)
            if bound < inf:
                heappush(ways, (bound, -after, kept, left, odd, open_groups))


def _joined(groups, ends):
    """The groups once a route between the ends is kept: all that it touches become one."""
    touched = [group for group in groups if group & ends]
    for group in touched:
        ends |= group
    return groups.difference(touched) | {ends}


def _travelled(routes, trail):
    """The routes of the trail, given in any order, in an order in which they can be travelled."""
    if not trail:
        return ()
    graph = nx.MultiGraph((*routes[i][:2], i) for i in trail)
    return tuple(i for *_, i in nx.eulerian_path(graph, keys=True))
