"""Set-up (2.1-2.3): the twin of ``domain.rules.setup``."""

from fogg_simulator.arrays import NONE, ONE, SETUP, ZERO
from fogg_simulator.compiled import inner, part
from fogg_simulator.rules import chance, deck, tickets


@part
def start(board, game):
    """Deal everything out by the game's key; after this every seat has tickets to choose from."""
    clear(board, game)
    chance.use_label(game, chance.FIRST_SEAT, ZERO)
    game.first_seat = chance.below(game, board.seats)
    shuffle_tickets(board, game, ONE, chance.LONG_TICKETS)
    for seat in range(board.seats):  # those that are left are out of the game (2.2)
        tickets.offer(board, game, seat, board.start_long)
    shuffle_tickets(board, game, ZERO, chance.TICKETS)
    deck.shuffle_deck(board, game, board.count)
    for seat in range(board.seats):
        for _ in range(board.hand):
            game.hands[seat, deck.top_card(board, game)] += 1
    deck.fill_row(board, game, NONE)
    for seat in range(board.seats):
        tickets.offer(board, game, seat, board.start_deal)


@part
def shuffle_tickets(board, game, long, label):
    """Make the long tickets, or the others, the ticket deck."""
    game.ticket_count = 0
    for ticket in range(board.tickets):
        if board.ticket_long[ticket] == long:
            game.ticket_deck[game.ticket_count] = ticket
            game.ticket_count += 1
    chance.use_label(game, label, ONE)
    chance.shuffle(game, game.ticket_deck[:], game.ticket_count)


@inner
def clear(board, game):
    game.step, game.turn, game.passes, game.finals = SETUP, NONE, 0, NONE
    game.leavers, game.ending, game.shuffles, game.row_count = 0, 0, 0, 0
    game.tunnel_route, game.tunnel_keep, game.turned_count, game.extra = NONE, 0, 0, 0
    game.idle = 0
    game.discards[:] = 0
    game.left[:] = 0
    game.trains[:] = board.trains
    game.points[:] = 0
    game.hands[:] = 0
    game.taken[:] = 0
    game.flag[:] = 0
    game.flag_points[:] = 0
    game.built[:] = 0
    game.offered_count[:] = 0
    game.refused_count[:] = 0
    game.owner[:] = NONE
    game.holder[:] = NONE
    game.refusers[:] = 0
