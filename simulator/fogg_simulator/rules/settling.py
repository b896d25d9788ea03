"""Transfer of a route to a seat, and its score (4.1): the twin of ``domain.rules.settling``."""

from fogg_simulator.compiled import inner
from fogg_simulator.rules import flags


@inner
def settle(board, game, seat, route, keep):
    """Give a paid route to the seat, and score it."""
    game.trains[seat] -= board.length[route]
    game.points[seat] += board.points[route]
    game.owner[route] = seat
    game.passes, game.idle = 0, 0
    if board.has_flags:
        flags.keep_card(board, game, seat, route, keep)
