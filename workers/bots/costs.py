"""What a route costs the planner, in points: a sum of terms, one for each reason.

A board whose routes ask for more (wilds for a ferry, the risk in a tunnel) or bring more (a
district, a flag) adds a function to ``TERMS``. The numbers were found by letting planners that
differ in one of them play each other.
"""

from __future__ import annotations

from workers.bots.atlas import Route
from workers.bots.position import Position

TURN = 4.75  # what a turn is worth
CARD = 1.75  # what drawing a card is worth
HELD = 0.3  # the share of the cards held that no other route wants
CROWD = 0.15  # for each rival's route that ends where this one does
LEAST = 0.8  # no route is free, or any detour would do


def drawing(route: Route, position: Position) -> float:
    """Return what it costs to draw the cards that are missing."""
    return CARD * (route.length - HELD * position.held(route))


def claiming(_route: Route, _position: Position) -> float:
    """Return what it costs to spend a turn on the claim."""
    return TURN


def scoring(route: Route, _position: Position) -> float:
    """Return the points that the route brings, as a cost below nothing."""
    return -route.points


def rivalry(route: Route, position: Position) -> float:
    """Return the risk that somebody else claims the route first."""
    return CROWD * (position.crowd[route.a] + position.crowd[route.b])


TERMS = (drawing, claiming, scoring, rivalry)


def cost(route: Route, position: Position) -> float:
    """Return what it costs a seat to build a route, always more than nothing."""
    return max(LEAST, sum([term(route, position) for term in TERMS]))
