"""What a route costs the planner, in points: a sum of terms, one for each reason.

A board whose routes ask for more adds a function to ``TERMS``, one whose routes bring more adds it
to ``gains.GAINS``. The numbers were found by letting planners that differ in one of them play each
other. Turns and cards are worth less where routes are short, since a claim brings less there.
"""

from __future__ import annotations

from workers.bots.board import Board, Route
from workers.bots.gains import gain
from workers.bots.position import Position

TURN = 1.54  # what a turn is worth, for each train that routes are long on the average
CARD = 0.57  # what drawing a card is worth, likewise
HELD = 0.3  # the share of the cards held that no other route wants
CROWD = 0.15  # for each rival's route that ends where this one does
STATION = 4  # points for one that is not built (6.3)
LEAST = 0.8  # no route is free, or any detour would do


def a_turn(board: Board) -> float:
    """Return what a turn is worth on a board."""
    return TURN * board.mean_length


def a_card(board: Board) -> float:
    """Return what drawing a card is worth on a board."""
    return CARD * board.mean_length


def drawing(route: Route, position: Position) -> float:
    """Return what it costs to draw the cards that are missing, one to spare for a tunnel."""
    return a_card(position.board) * (route.cards - HELD * position.cards_held(route))


def claiming(_route: Route, position: Position) -> float:
    """Return what it costs to spend a turn on the claim."""
    return a_turn(position.board)


def gaining(route: Route, position: Position) -> float:
    """Return what the route brings, as a cost below nothing."""
    return -gain(route, position)


def rivalry(route: Route, position: Position) -> float:
    """Return the risk that somebody else claims the route first."""
    return CROWD * (position.crowd[route.a] + position.crowd[route.b])


TERMS = (drawing, claiming, gaining, rivalry)


def cost(route: Route, position: Position) -> float:
    """Return what it costs a seat to build a route, always more than nothing; where it is lent,
    what it costs to build the station."""
    if route.station:
        cards = position.board.stations - position.stations_left + 1  # (6.1)
        return STATION + a_turn(position.board) + cards * a_card(position.board)
    return max(LEAST, sum([term(route, position) for term in TERMS]))
