"""Leaving a game for good (8.2): the twin of ``domain.rules.leaving``."""

from fogg_simulator.arrays import NONE, ONE_SEAT_LEFT, SETUP
from fogg_simulator.compiled import inner, part
from fogg_simulator.rules import deck, ending, flags, tickets, tunnels
from fogg_simulator.rules.outcomes import CHOSEN, GO_ON, TURN_OVER


@part
def resign(board, game, seat):
    """Leave now, dropping what the seat was deciding; when one seat is left the game ends."""
    on_turn = game.turn == seat
    for color in range(board.colors):
        game.discards[color] += game.hands[seat, color]
        game.hands[seat, color] = 0
        game.taken[seat, color] = 0
    if board.has_flags:
        flags.discard(board, game, seat)
    for ticket in range(board.tickets):
        if game.holder[ticket] == seat:
            game.holder[ticket] = NONE
    game.offered_count[seat] = 0
    game.leavers += 1
    game.left[seat] = game.leavers
    game.passes = 0
    if game.finals != NONE:
        ending.remove_final(game, seat)
    over = ending.active(board, game) == 1
    tunnels.give_up(board, game, seat, over)
    deck.fill_row(board, game, NONE)
    if over:
        ending.end_game(game, ONE_SEAT_LEFT)
        return GO_ON
    if game.step == SETUP:
        return CHOSEN
    return TURN_OVER if on_turn else GO_ON


@inner
def finish_setup(board, game):
    """Begin the first turn once every seat has chosen its tickets (2.2, 2.3)."""
    for seat in range(board.seats):
        if game.offered_count[seat]:
            return
    if board.refused_removed:
        game.refused_count[:] = 0
    else:
        tickets.return_refused(board, game)
    ending.begin_first_turn(board, game)
