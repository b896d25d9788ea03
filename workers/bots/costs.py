"""What building a route costs the planner, in points: a sum of terms, one for each reason.

A board whose routes ask for more (wilds on a ferry, a risk in a tunnel) or give more (a district,
a flag) adds a term to ``TERMS``.
"""

from __future__ import annotations

from workers.bots.atlas import Route
from workers.bots.position import Position

TURN = 4.75  # points that a turn is worth
CARD = 1.75  # two cards a turn
HELD = 0.3  # share of a card held that is not wanted elsewhere
CROWD = 0.15  # points for every rival's route that ends where this one does
LEAST = 0.8  # never nothing, or detours would be free


def drawing(route: Route, position: Position) -> float:
    """The turns spent on drawing the cards that are not in the hand."""
    return CARD * (route.length - HELD * position.held(route))


def claiming(_route: Route, _position: Position) -> float:
    """The turn spent on the claim itself."""
    return TURN


def scoring(route: Route, _position: Position) -> float:
    """The points it gives, so less than nothing."""
    return -route.points


def rivalry(route: Route, position: Position) -> float:
    """The risk that somebody else takes it first."""
    return CROWD * (position.crowd[route.a] + position.crowd[route.b])


TERMS = (drawing, claiming, scoring, rivalry)


def cost(route: Route, position: Position) -> float:
    """Return what building a route costs in points, always more than nothing."""
    return max(LEAST, sum([term(route, position) for term in TERMS]))
