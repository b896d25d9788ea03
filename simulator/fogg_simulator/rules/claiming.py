"""Claiming routes (4.1, 4.2), ferries (4.3) included: the twin of ``domain.rules.claiming``."""

from __future__ import annotations

from fogg_simulator.arrays import NONE
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
    """Mark every way for the seat on turn to claim a route."""
    seat, wild = game.turn, board.wild
    hand = game.hands[seat]
    wilds, best = hand[wild], 0
    for color in range(wild):
        best = max(best, hand[color])
    most = min(best + wilds, game.trains[seat])
    for route in range(board.routes):
        length = board.length[route]
        if length > most or not is_open(board, game, seat, route):
            continue
        if board.color[route] == NONE:
            for color in range(wild):
                add_with_color(board, hand, mask, route, color, board.first_claim[route]
                               + color * length)
            everything = wild * length
        else:
            add_with_color(board, hand, mask, route, board.color[route], board.first_claim[route])
            flags.add_claims(board, game, mask, route)
            everything = length
        if wilds >= length:
            mask[board.first_claim[route] + everything] = 1


@inner
def add_with_color(board, hand, mask, route, color, first):
    """Mark the claims of a route with one card of a colour or more. A ferry takes some wilds at
    least (4.3)."""
    if hand[color]:
        length = board.length[route]
        fewest = max(board.ferry[route], length - hand[color])
        for wilds in range(fewest, min(hand[board.wild], length - 1) + 1):
            mask[first + wilds] = 1
