"""Claiming routes (4.1, 4.2), with ferries (4.3): the twin of ``domain.rules.claiming``."""

from fogg_simulator.arrays import NONE, ZERO
from fogg_simulator.compiled import inner, part
from fogg_simulator.rules import flags, paying, settling, taking, tunnels
from fogg_simulator.rules.outcomes import PAID


@part
def claim_route(board, game, route, color, wilds, keep):
    """Claim an open route with cards of one colour and wilds."""
    seat, length = game.turn, board.length[route]
    if board.tunnel[route]:
        return tunnels.attempt(board, game, route, color, wilds, keep)
    taking.lay_set(board, game, seat, length, color, wilds)
    paying.pay(board, game.hands[seat], game.discards, length, color, wilds)
    settling.settle(board, game, seat, route, keep)
    return PAID


@inner
def is_open(board, game, seat, route):
    """Return whether a seat may claim a route, if it can pay (4.1, 4.2)."""
    if game.owner[route] != NONE:
        return False
    twin = board.twin[route]
    if twin == NONE or game.owner[twin] == NONE:
        return True
    return not board.doubles_closed and game.owner[twin] != seat


@inner
def add_claims(board, game, mask):
    """Mark every way for the seat on turn to claim a route. Routes are taken in the order of their
    length, and payments are the same for all routes of a kind."""
    seat, wild = game.turn, board.wild
    hand = game.hands[seat]
    best, count, kind = 0, ZERO, NONE
    for color in range(wild):
        best = max(best, hand[color])
    most = min(best + hand[wild], game.trains[seat])
    for place in range(board.routes):
        route = board.by_kind[place]
        if board.length[route] > most:
            break
        if not is_open(board, game, seat, route):
            continue
        if board.kind[route] != kind:
            kind = board.kind[route]
            count = list_payments(board, game, hand, route)
        first = board.first_claim[route]
        for i in range(count):
            mask[first + game.payments[i]] = 1
        flags.add_claims(board, game, mask, route)


@inner
def list_payments(board, game, hand, route):
    """Fill ``payments`` with the payments for a route that a hand allows, as indexes into the
    claims of the route; return their number. A ferry takes some wilds at least (4.3)."""
    length, wild, fixed = board.length[route], board.wild, board.color[route]
    first, end = (0, wild) if fixed == NONE else (fixed, fixed + 1)
    count = ZERO
    for color in range(first, end):
        if hand[color]:
            fewest = max(board.ferry[route], length - hand[color])
            for wilds in range(fewest, min(hand[wild], length - 1) + 1):
                game.payments[count] = (color - first) * length + wilds
                count += 1
    if hand[wild] >= length:
        game.payments[count] = (end - first) * length
        count += 1
    return count
