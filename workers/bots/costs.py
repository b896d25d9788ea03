"""The planner's cost of a route and its gain apart from the tickets that it helps to complete, in
points: sums of terms, one for each reason.

The constants were tuned by matches between planners that differ in one of them.
Turns and cards are worth less on boards with short routes, since a claim scores less there. A gain
that needs several routes counts by the square of its completed share, as it may stay incomplete.
"""

from workers.bots.board import Board, Route
from workers.bots.position import Position

TURN = 1.54  # value of a turn, per train of the mean route length
CARD = 0.57  # value of drawing a card, per train of the mean route length
HELD = 0.3  # the share of the held cards that no other route needs
CROWD = 0.15  # for each rival's route that ends where this one does
STATION = 4  # points for a station that is not built (6.3)
FLAG = 4  # points for a flag (4.5)
DISTRICT = 0.5  # of the points of a district, as it may stay incomplete
LEAST = 0.8  # minimum cost: with free routes the planner would take any detour


def a_turn(board: Board) -> float:
    return TURN * board.mean_length


def a_card(board: Board) -> float:
    return CARD * board.mean_length


def cost(route: Route, position: Position) -> float:
    """Return the cost of building a route, or the station that lends it; always above zero."""
    board = position.board
    if route.station:
        cards = board.stations - position.stations_left + 1  # (6.1)
        return STATION + a_turn(board) + cards * a_card(board)
    # of drawing the missing cards, with spare ones for a tunnel
    drawing = a_card(board) * (route.cards - HELD * position.cards_held(route))
    # the risk that another seat claims the route first
    rivalry = CROWD * (position.crowd[route.a] + position.crowd[route.b])
    return max(LEAST, drawing + a_turn(board) - gain(route, position) + rivalry)


def gain(route: Route, position: Position) -> float:
    if route.id not in position.gains:
        (a, b), missing = position.ends(route), position.flag_lacks
        # the card that may be kept for the flag
        flag = FLAG / len(missing) ** 2 if route.color in missing else 0.0
        # the connection of locations of districts that are still apart
        districts = sum(
            [
                points / (len(apart) - 1) ** 2
                for points, apart in position.districts
                if a != b and a in apart and b in apart
            ]
        )
        position.gains[route.id] = route.points + flag + DISTRICT * districts
    return position.gains[route.id]
