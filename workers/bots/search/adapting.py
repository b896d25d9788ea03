"""The dependence of a seat's style on the position."""

from fogg_simulator.arrays import ZERO
from fogg_simulator.compiled import inner

from workers.bots.search import ways
from workers.bots.search.styles import LOWEST, PARAMETERS, SIGNS

# The signs. RIVALS_TRAINS are the fewest that a rival has, RIVALS_CARDS the most. ROUTES are those
# that the plan still needs; it takes so many TURNS and completes tickets of so many POINTS
(TURNS_LEFT, CARDS, TRAINS, RIVALS_TRAINS, ROUTES, RIVALS_CARDS, TURNS, POINTS, LEAD, WILDS) = (
    range(SIGNS)
)


@inner
def start(room, style):
    for parameter in range(PARAMETERS):
        room.style[parameter] = style[parameter, 0]


@inner
def adapt(board, game, mind, room, style, seat):
    start(room, style)
    fill_signs(board, game, mind, room, seat)
    for parameter in range(PARAMETERS):
        value = room.style[parameter]
        for sign in range(SIGNS):
            value += style[parameter, 1 + sign] * room.signs[sign]
        room.style[parameter] = max(LOWEST[parameter], value)


@inner
def fill_signs(board, game, mind, room, seat):
    """Fill in the signs of the position: each is 0 in a typical position, and about -1 to 1 in
    others. Signs of the seat's plan come from its last decision."""
    signs, wilds = room.signs, game.hands[seat, board.wild]
    trains, held, points = board.trains, ZERO, ZERO
    for rival in range(board.seats):
        if rival != seat and not game.left[rival]:
            trains = min(trains, game.trains[rival])
            held = max(held, ways.cards_of(board, game, rival))
            points = max(points, game.points[rival])
    signs[TURNS_LEFT] = ways.turns_left(board, game, room.style, seat) / 20 - 0.6
    signs[CARDS] = ways.cards_of(board, game, seat) / 20 - 0.6
    signs[TRAINS] = game.trains[seat] / board.trains - 0.7
    signs[RIVALS_TRAINS] = trains / board.trains - 0.7
    signs[ROUTES] = mind.needed_count[seat] / 8 - 0.4
    signs[RIVALS_CARDS] = held / 20 - 0.4
    signs[TURNS] = mind.turns[seat] / 10 - 0.5
    signs[POINTS] = mind.stake[seat] / 20 - 0.6
    signs[LEAD] = (game.points[seat] - points) / 30
    signs[WILDS] = wilds / 3 - 0.5
