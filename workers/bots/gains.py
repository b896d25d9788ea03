"""The gain of a route apart from the tickets it helps to complete: a sum of terms, in points.

A gain that needs several routes counts by the square of its completed share, as it may stay
incomplete.
"""

from __future__ import annotations

from workers.bots.board import Route
from workers.bots.position import Position

FLAG = 4  # points for a flag (4.5)
DISTRICT = 0.5  # of the points of a district, as it may stay incomplete


def gain(route: Route, position: Position) -> float:
    if route.id not in position.gains:
        (a, b), missing = position.ends(route), position.flag_lacks
        # the card that may be kept for the flag
        flag = FLAG / len(missing) ** 2 if route.color in missing else 0.0
        # the connection of locations of districts that are still apart
        districts = sum([points / (len(apart) - 1) ** 2 for points, apart in position.districts
                         if a != b and a in apart and b in apart])
        position.gains[route.id] = route.points + flag + DISTRICT * districts
    return position.gains[route.id]
