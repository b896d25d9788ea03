"""Connections (5.3, 7.3) and the longest trail (7.2) of a player's own routes.

The longest trail is found by the routes that it leaves out. A trail's routes are connected, and all
locations but its two ends (none, if it is closed) touch an even number of them. Any such set of
routes can be travelled in one go (Euler). So the search sweeps over the routes once, keeps or
leaves each, and minimises the length left out. Four ideas make it fast:

- Only open locations matter, those that a later route touches: which are odd (touch an odd number
  of routes), and which are connected. If two paths lead to the same situation, only the better one
  continues.
- The sweep orders the routes so that few locations are open at a time.
- The relaxation "all but two locations are even", without connectedness, is far easier, and leaves
  out no more. It is the estimate of an A* search, and usually already the answer: the search then
  expands little more than its own path.
- Leaving out one route makes at most two odd locations even. So the number of odd locations bounds
  the estimate itself, and often ends its search early.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache, reduce
from heapq import heappop, heappush
from math import inf
from operator import or_, xor
from typing import NamedTuple

Route = tuple[Hashable, Hashable, int]  # its two ends, its length in trains

# A set of locations is an int with a bit for each. In a set of odd locations, the three lowest bits
# are the number of closed odd locations: the ends that the trail has so far.
ENDS = 0b111
# A path in the search: the steps to come, the routes kept, the length left out, the odd locations,
# the groups of connected open locations.
Way = tuple[int, tuple[int, ...], int, int, frozenset[int]]


class Groups(dict[Hashable, Hashable]):
    """Location -> the representative of its group; a location without entry represents itself."""

    def __missing__(self, location: Hashable) -> Hashable:
        return location


def connections(pairs: Iterable[tuple[Hashable, Hashable]]) -> Groups:
    """Return the locations grouped by the routes between the given pairs (5.3, 7.3).

    Two locations x and y are connected when ``groups[x] == groups[y]``. A location in no pair is
    connected only to itself. Build it once and use it for every ticket.
    """
    groups = Groups()
    members: dict[Hashable, list[Hashable]] = {}
    for a, b in pairs:
        one, other = groups.setdefault(a, a), groups.setdefault(b, b)
        if one == other:
            continue
        kept, joined = members.pop(one, [one]), members.pop(other, [other])
        if len(kept) < len(joined):  # the smaller group is relabelled
            one, kept, joined = other, joined, kept
        members[one] = kept + joined
        for location in joined:
            groups[location] = one
    return groups


def turned(route: str) -> str:
    a, _, rest = route.partition("--")
    b, *track = rest.split("--", 1)
    return "--".join([b, a, *track])


def longest_trail_length(routes: Sequence[Route]) -> int:
    """Return the length in trains of the longest trail over a player's own routes, 0 without routes
    (7.2). Parallel routes, loops and separate pieces are allowed. The recursion is as deep as the
    number of routes: boards are well within Python's limit, many hundreds of routes are not."""

    def total(trail: Iterable[int]) -> int:
        return sum([routes[route][2] for route in trail])

    trail: tuple[int, ...] = ()
    for piece in sorted(_pieces(routes), key=total, reverse=True):
        if total(piece) <= total(trail):
            break
        trail = max(trail, _heaviest(_sweep(routes, piece)), key=total)
    return total(trail)


def _pieces(routes: Sequence[Route]) -> Iterable[list[int]]:
    group = connections([(a, b) for a, b, _ in routes])
    pieces = defaultdict(list)
    for route, (a, _, _) in enumerate(routes):
        pieces[group[a]].append(route)
    return pieces.values()


class _Step(NamedTuple):
    """One route's step in the sweep; ``ends``, ``turns`` and ``closes`` are sets of locations."""

    route: int  # its index
    length: int
    ends: int  # the locations that it touches
    turns: int  # the locations that become odd or even without it: both ends, none for a loop
    closes: int  # the locations that no later step touches
    later: int  # the length of all later steps


def _sweep(routes: Sequence[Route], piece: list[int]) -> list[_Step]:
    """Return the steps of a sweep over one connected piece, the last step first. The sweep goes
    from location to location and takes all routes there. It goes next where the fewest neighbours
    have not been reached yet; of equals, where the most have been."""
    near: dict[Hashable, set[Hashable]] = defaultdict(set)
    for route in piece:
        a, b, _ = routes[route]
        near[a] |= {a, b}
        near[b] |= {a, b}
    bits: dict[Hashable, int] = {}
    opened: set[Hashable] = set()
    while near:
        *_, place = min(
            [
                (len(around - opened), -len(around & opened), order, place)
                for order, (place, around) in enumerate(near.items())
            ]
        )
        bits[place] = (ENDS + 1) << len(bits)
        opened |= near.pop(place)

    ends = {route: sorted([bits[routes[route][0]], bits[routes[route][1]]]) for route in piece}
    steps, touched, later = [], 0, 0
    for route in sorted(piece, key=ends.__getitem__, reverse=True):
        (a, b), length = ends[route], routes[route][2]
        steps.append(_Step(route, length, a | b, a ^ b, (a | b) & ~touched, later))
        touched |= a | b
        later += length
    return steps


def _heaviest(steps: list[_Step]) -> tuple[int, ...]:
    """Return the routes of greatest total length that one trail can take, in any order.

    This is an A* search. A node of it has three parts: how many steps are left; which locations
    have an odd degree if all remaining routes are kept; which open locations the kept routes
    connect.
    """
    estimate = _estimate(steps)
    odd = reduce(xor, [step.turns for step in steps])
    # The minimum to leave out in all; the number of steps to come, so that of equals the one
    # nearest its end comes first; the routes kept; the length left out; the odd locations; the
    # groups.
    ways: list[tuple[float, *Way]] = [
        (estimate(len(steps), odd), len(steps), (), 0, odd, frozenset())
    ]
    seen = set()
    while True:
        _, ahead, kept, left_out, odd, groups = heappop(ways)
        if ahead == 0:
            return kept
        if (ahead, odd, groups) in seen:
            continue
        seen.add((ahead, odd, groups))
        step = steps[ahead - 1]
        both: tuple[Way, Way] = (
            (ahead - 1, (*kept, step.route), left_out, odd, _linked(groups, step.ends)),
            (ahead - 1, kept, left_out + step.length, odd ^ step.turns, groups),
        )
        for way in both:
            if closed := _closed(way, step):
                bound = closed[2] + estimate(closed[0], closed[3])
                if bound < inf:
                    heappush(ways, (bound, *closed))


def _linked(groups: frozenset[int], ends: int) -> frozenset[int]:
    """Return the groups after keeping a route between the ends: it merges those that it touches."""
    touched = [group for group in groups if group & ends]
    return groups.difference(touched) | {reduce(or_, touched, ends)}


def _closed(way: Way, step: _Step) -> Way | None:
    """Return the path with the step's last locations closed, or None if it cannot become a trail.

    A group that closes completely cannot be connected to later routes. So it is the whole trail,
    and all later routes are left out; if there are other groups, no trail is possible.
    """
    ahead, kept, left_out, odd, groups = way
    odd = _close(odd, step.closes)
    still_open = frozenset([group & ~step.closes for group in groups if group & ~step.closes])
    if len(still_open) == len(groups):
        return ahead, kept, left_out, odd, still_open
    if len(groups) > 1:
        return None
    return 0, kept, left_out + step.later, odd & ENDS, still_open


def _close(odd: int, closes: int) -> int:
    """Return the odd locations that stay open; odd ones that close become ends of the trail."""
    return (odd & ~closes) + (odd & closes).bit_count()


def _estimate(steps: list[_Step]) -> Callable[[int, int], float]:
    """Return a function: (steps to come, odd locations) -> a lower bound of the length that a trail
    must leave out.

    The bound follows from the trail's two ends alone; whether its routes are connected is ignored.
    It is infinite if there are more than two ends already.
    """
    shortest = min([step.length for step in steps])

    @cache
    def least(ahead: int, odd: int) -> float:
        ends = odd & ENDS
        if ends > 2:
            return inf
        too_many = ends + (odd & ~ENDS).bit_count() - 2
        if too_many <= 0:
            return 0
        step = steps[ahead - 1]
        closes, without = step.closes, odd ^ step.turns
        # ``_close`` in place, as calls are most of the cost
        bound = least(ahead - 1, (odd & ~closes) + (odd & closes).bit_count())
        # Leaving this route out costs its length, and one route changes at most two odd locations.
        if bound > max(step.length, shortest * too_many // 2):
            left_out = least(ahead - 1, (without & ~closes) + (without & closes).bit_count())
            bound = min(bound, step.length + left_out)
        return bound

    return least
