"""How a seat's style depends on the position."""

from __future__ import annotations

from fogg_simulator.arrays import ZERO
from fogg_simulator.compiled import inner

from workers.bots.search import ways
from workers.bots.search.style import LOWEST, PARAMETERS, SIGNS, SLACK


@inner
def start(room, style):
    """Take the values that a style has in a typical position."""
    for parameter in range(PARAMETERS):
        room.style[parameter] = style[parameter, 0]


@inner
def adapt(board, game, mind, room, style, seat):
    """Fill in a seat's style in this position."""
    start(room, style)
    fill_signs(board, game, mind, room, seat)
    for parameter in range(PARAMETERS):
        value = room.style[parameter]
        for sign in range(SIGNS):
            value += style[parameter, 1 + sign] * room.signs[sign]
        room.style[parameter] = max(LOWEST[parameter], value)


@inner
def fill_signs(board, game, mind, room, seat):
    """Fill in the signs of the position: each is 0 in a typical one, and about -1 to 1 in others.
    Those of the seat's plan are from its last decision."""
    signs, wilds = room.signs, game.hands[seat, board.wild]
    trains, held, points = board.trains, ZERO, ZERO
    for rival in range(board.seats):
        if rival != seat and not game.left[rival]:
            trains = min(trains, game.trains[rival])
            held = max(held, ways.cards_of(board, game, rival))
            points = max(points, game.points[rival])
    signs[0] = (ways.turns_left(board, game, room.style, seat) - room.style[SLACK]) / 20 - 0.6
    signs[1] = ways.cards_of(board, game, seat) / 20 - 0.6
    signs[2] = game.trains[seat] / board.trains - 0.7
    signs[3] = trains / board.trains - 0.7
    signs[4] = mind.needed_count[seat] / 8 - 0.4
    signs[5] = held / 20 - 0.4
    signs[6] = mind.turns[seat] / 10 - 0.5
    signs[7] = mind.stake[seat] / 20 - 0.6
    signs[8] = (game.points[seat] - points) / 30
    signs[9] = wilds / 3 - 0.5
