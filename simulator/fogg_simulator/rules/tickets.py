"""Tickets (2.2, 5): the twin of ``domain.rules.tickets``."""

from fogg_simulator.arrays import COMPLETED, KEEP_TICKETS, ONE, SETUP, TICKETS
from fogg_simulator.compiled import inner
from fogg_simulator.rules import network
from fogg_simulator.rules.outcomes import CHOSEN, GO_ON, TURN_OVER


@inner
def draw_tickets(board, game):
    """Take tickets from the top of the deck; the seat must choose before anything else (5.2)."""
    offer(board, game, game.turn, board.turn_deal)
    game.step, game.passes = KEEP_TICKETS, 0
    return GO_ON


@inner
def offer(board, game, seat, deal):
    """Offer a seat tickets to choose from, fewer if the deck has fewer."""
    deal = min(deal, game.ticket_count)
    for i in range(deal):
        game.refusers[game.ticket_deck[i]] = 0
        game.offered[seat, game.offered_count[seat]] = game.ticket_deck[i]
        game.offered_count[seat] += 1
    game.ticket_count -= deal
    for i in range(game.ticket_count):
        game.ticket_deck[i] = game.ticket_deck[i + deal]


@inner
def keep_tickets(board, game, seat, kept):
    """Keep some of the offered tickets, those whose bits are in ``kept``; the rest go under the
    deck when all have chosen (2.2)."""
    for i in range(game.offered_count[seat]):
        ticket = game.offered[seat, i]
        if kept >> i & 1:
            game.holder[ticket] = seat
        else:
            game.refused[seat, game.refused_count[seat]] = ticket
            game.refused_count[seat] += 1
            game.refusers[ticket] |= ONE << seat
    game.offered_count[seat], game.idle = 0, 0
    if game.step == SETUP:
        return CHOSEN
    return_refused(board, game)
    return TURN_OVER


@inner
def return_refused(board, game):
    """Put all refused tickets under the deck, in seat order, each seat's as drawn (2.2, 5.1)."""
    for seat in range(board.seats):
        for i in range(game.refused_count[seat]):
            game.ticket_deck[game.ticket_count] = game.refused[seat, i]
            game.ticket_count += 1
        game.refused_count[seat] = 0


@inner
def add_choices(board, game, seat, mask):
    """Mark every choice among the offered tickets (2.2, 5.1)."""
    count = game.offered_count[seat]
    keep = min(board.start_keep if game.step == SETUP else board.turn_keep, count)
    for kept in range(1 << count):
        bits, rest = 0, kept
        while rest:
            bits, rest = bits + 1, rest & (rest - 1)
        if bits >= keep:
            mask[board.keep + kept] = 1


@inner
def score(board, game, seat):
    """Score a seat's tickets by the connections in ``group`` (5.3)."""
    points, completed = 0, 0
    for ticket in range(board.tickets):
        if game.holder[ticket] == seat:
            a, b = board.ticket_a[ticket], board.ticket_b[ticket]
            if network.find(game.group, a) == network.find(game.group, b):
                points += board.ticket_points[ticket]
                completed += 1
            else:
                points -= board.ticket_points[ticket]
    game.result[seat, TICKETS] = points
    game.result[seat, COMPLETED] = completed
