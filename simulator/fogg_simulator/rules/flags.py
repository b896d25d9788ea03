"""Flags (4.5): the twin of ``domain.rules.flags``."""

from fogg_simulator.arrays import NONE
from fogg_simulator.compiled import inner

POINTS = 4  # for each flag


@inner
def stripe_of(board, route):
    """Return the index of a route's colour in the flag, NONE if the flag lacks it."""
    if board.has_flags:
        for stripe in range(3):
            if board.flag_color[stripe] == board.color[route]:
                return stripe
    return NONE


@inner
def add_claims(board, game, mask, route):
    """Mark, for each claim of a route where a card may be kept, the claim that keeps it."""
    stripe = stripe_of(board, route)
    if stripe != NONE and not game.flag[game.turn, stripe]:
        first, length = board.first_claim[route], board.length[route]
        for wilds in range(length):
            if mask[first + wilds]:
                mask[first + length + 1 + wilds] = 1


@inner
def keep_card(board, game, seat, route, keep):
    """Keep a card of a claimed route, if wanted; discard a whole flag and score it."""
    if not keep:
        return
    stripe = stripe_of(board, route)
    game.flag[seat, stripe] = 1
    game.discards[board.color[route]] -= 1
    if game.flag[seat, 0] and game.flag[seat, 1] and game.flag[seat, 2]:
        discard(board, game, seat)
        game.points[seat] += POINTS
        game.flag_points[seat] += POINTS


@inner
def discard(board, game, seat):
    for stripe in range(3):
        if game.flag[seat, stripe]:
            game.discards[board.flag_color[stripe]] += 1
            game.flag[seat, stripe] = 0
