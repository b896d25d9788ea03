"""The final scoring and the ranking (7): the twin of ``domain.game.scoring``, and of the rules
``longest_path`` and ``globetrotter``, which need the numbers of all seats."""

from fogg_simulator import arrays
from fogg_simulator.compiled import inner
from fogg_simulator.rules import districts, network, stations, tickets

PARTS = (
    arrays.ROUTES,
    arrays.TICKETS,
    arrays.LONGEST_BONUS,
    arrays.STATIONS,
    arrays.DISTRICTS,
    arrays.FLAGS,
    arrays.GLOBE,
)  # of a total


@inner
def score(board, game):
    """Fill in each seat's result (1 is the best rank, equals share a rank)."""
    result = game.result
    result[:] = 0
    for route in range(board.routes):
        if game.owner[route] != arrays.NONE:
            result[game.owner[route], arrays.ROUTES] += board.points[route]
    for seat in range(board.seats):
        network.connect(board, game, seat)
        tickets.score(board, game, seat)
        if game.built[seat]:
            stations.borrow(board, game, seat)
        result[seat, arrays.LONGEST] = network.longest_trail_length(board, game, seat)
        result[seat, arrays.DISTRICTS] = districts.district_points(board, game)
        result[seat, arrays.FLAGS] = game.flag_points[seat]
    stations.score(board, game)
    give_bonus(board, game, arrays.LONGEST, arrays.LONGEST_BONUS, board.longest_path_bonus)
    give_bonus(board, game, arrays.COMPLETED, arrays.GLOBE, board.globetrotter_bonus)
    for seat in range(board.seats):
        for part in PARTS:
            result[seat, arrays.TOTAL] += result[seat, part]
    for seat in range(board.seats):
        result[seat, arrays.RANK] = 1
        for other in range(board.seats):
            result[seat, arrays.RANK] += is_ahead(board, game, other, seat)


@inner
def give_bonus(board, game, number, bonus, points):
    """Give points to all seats with the highest value of a number, unless that is 0 (7.2, 7.5)."""
    most = 0
    for seat in range(board.seats):
        most = max(most, game.result[seat, number])
    for seat in range(board.seats):
        if most and game.result[seat, number] == most:
            game.result[seat, bonus] = points


@inner
def is_ahead(board, game, one, other):
    """Return whether one ranks higher: by staying, points, the board's tie-breaks (7.4, 8.2)."""
    if game.left[one] != game.left[other]:
        return game.left[one] == 0 or (game.left[other] != 0 and game.left[one] > game.left[other])
    for i in range(-1, board.tie_breaks):
        number = arrays.TOTAL if i < 0 else board.tie_break[i]
        if game.result[one, number] != game.result[other, number]:
            return game.result[one, number] > game.result[other, number]
    return False
