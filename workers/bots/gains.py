"""The gain of a route apart from the tickets it helps to complete: a sum of terms, in points.

A gain that needs several routes counts by the square of its completed share, as it may stay
incomplete.
"""

from __future__ import annotations

from workers.bots.board import Route
from workers.bots.position import Position

FLAG = 4  # points for a flag (4.5)
DISTRICT = 0.5  # of the points of a district, as it may stay incomplete


def scoring(route: Route, _position: Position) -> float:
    return route.points


def flag(route: Route, position: Position) -> float:
    missing = position.flag_lacks
    return FLAG / len(missing) ** 2 if route.color in missing else 0.0


def district(route: Route, position: Position) -> float:
    """Return the value of connecting locations of districts that are still apart."""
    a, b = position.ends(route)
    return DISTRICT * sum([points / (len(apart) - 1) ** 2 for points, apart in position.districts
                           if a != b and a in apart and b in apart])


GAINS = (scoring, flag, district)


def gain(route: Route, position: Position) -> float:
    if route.id not in position.gains:
        position.gains[route.id] = sum([term(route, position) for term in GAINS])
    return position.gains[route.id]
