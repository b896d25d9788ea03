"""Tunnels: routes whose cost is known only after three cards were turned up (4.4). The twin of
``domain.rules.tunnels``.

The laid cards are of one colour, ``tunnel_color``, and ``tunnel_wilds`` wilds.
"""

from fogg_simulator.arrays import NONE, ONE, TUNNEL
from fogg_simulator.compiled import copy, inner, part
from fogg_simulator.rules import deck, paying, settling, taking
from fogg_simulator.rules.outcomes import GO_ON, PAID

TURNED = 3  # cards turned for a tunnel


@part
def attempt(board, game, route, color, wilds, keep):
    """Lay the cards and turn others; claim the route if they ask for nothing more."""
    seat = game.turn
    game.tunnel_route, game.tunnel_color, game.tunnel_wilds = route, color, wilds
    game.tunnel_keep, game.turned_count, game.extra, game.passes = keep, 0, 0, 0
    remove_laid(board, game, seat, ONE)
    copy(game.taken_before, game.taken[seat])
    taking.lay_set(board, game, seat, board.length[route], color, wilds)
    for _ in range(TURNED):
        if deck.deck_can_give(board, game):
            card = deck.top_card(board, game)
            game.turned[game.turned_count] = card
            game.turned_count += 1
            game.extra += card == color or card == board.wild
    if game.extra:
        game.step = TUNNEL
        return GO_ON
    claim(board, game, seat)
    return PAID


@inner
def remove_laid(board, game, seat, sign):
    """Remove the laid cards from the hand; with the sign -1, put them back."""
    length = board.length[game.tunnel_route]
    wilds = length if game.tunnel_color == board.wild else game.tunnel_wilds
    game.hands[seat, board.wild] -= sign * wilds
    game.hands[seat, game.tunnel_color] -= sign * (length - wilds)


@inner
def pay_tunnel(board, game, color, wilds):
    """Pay exactly what the tunnel asks for beyond its length; the route is claimed."""
    seat = game.turn
    paying.pay(board, game.hands[seat], game.discards, game.extra, color, wilds)
    copy(game.taken[seat], game.taken_before)
    length = board.length[game.tunnel_route]
    taking.lay_set(board, game, seat, length, game.tunnel_color, game.tunnel_wilds)
    taking.lay_set(board, game, seat, game.extra, color, wilds)
    claim(board, game, seat)
    return PAID


@inner
def claim(board, game, seat):
    """Discard the laid and the turned cards; the route is the seat's."""
    discard_laid(board, game)
    route = game.tunnel_route
    discard_turned(game)
    settling.settle(board, game, seat, route, game.tunnel_keep)


@inner
def withdraw_tunnel(board, game):
    take_back(board, game)
    discard_turned(game)
    return PAID


@inner
def take_back(board, game):
    remove_laid(board, game, game.turn, -ONE)
    copy(game.taken[game.turn], game.taken_before)


@inner
def discard_laid(board, game):
    length = board.length[game.tunnel_route]
    wilds = length if game.tunnel_color == board.wild else game.tunnel_wilds
    game.discards[board.wild] += wilds
    game.discards[game.tunnel_color] += length - wilds


@inner
def discard_turned(game):
    """Discard the cards turned up for a tunnel; it is no longer under way."""
    for at in range(game.turned_count):
        game.discards[game.turned[at]] += 1
    game.turned_count, game.extra, game.tunnel_route = 0, 0, NONE


@inner
def give_up(board, game, seat, is_last):
    """End a tunnel whose seat has left, or whose game ends as the others have left (8.2)."""
    if game.tunnel_route != NONE:
        if game.turn == seat:
            discard_laid(board, game)
            discard_turned(game)
        elif is_last:
            take_back(board, game)
            discard_turned(game)


@inner
def add_payments(board, game, mask):
    """Mark every way to pay exactly what the tunnel asks for beyond its length; and withdrawing."""
    hand, color, extra, wild = game.hands[game.turn], game.tunnel_color, game.extra, board.wild
    first = board.pay + paying.sets_before(board, extra)
    if color != wild and hand[color]:
        for wilds in range(max(0, extra - hand[color]), min(hand[wild], extra - 1) + 1):
            mask[first + paying.set_index(board, extra, color, wilds)] = 1
    if hand[wild] >= extra:
        mask[first + paying.set_index(board, extra, wild, extra)] = 1
    mask[board.withdraw] = 1
