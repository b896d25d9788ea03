"""Turns, and the end of the game (2.3, 7.1, 8.1): the twin of ``domain.rules.ending``."""

from fogg_simulator.arrays import ALL_PASSED, FINAL_TURNS, FINISHED, NO_PROGRESS, NONE, TURN
from fogg_simulator.compiled import inner
from fogg_simulator.rules.outcomes import GO_ON, TURN_OVER

FEW_TRAINS = 2  # trains left at the end of a turn that trigger the final turns (7.1)
MAX_IDLE = 1_000  # decisions in a row without progress after which a game ends (8.6)


@inner
def begin_turn(game, seat):
    game.turn, game.step = seat, TURN


@inner
def begin_first_turn(board, game):
    """Begin the turn of the first seat, or of the next seat in play if that one has left (2.3)."""
    first = game.first_seat
    begin_turn(game, next_seat(board, game, first) if game.left[first] else first)


@inner
def next_seat(board, game, seat):
    """Return the next seat in play after this one, going round (2.3)."""
    following = (seat + 1) % board.seats
    while game.left[following]:
        following = (following + 1) % board.seats
    return following


@inner
def active(board, game):
    return board.seats - game.leavers


@inner
def end_turn(board, game):
    """Trigger the final turns, end the game, or begin the next seat's turn (7.1, 8.6)."""
    seat = game.turn
    if game.idle >= MAX_IDLE:
        end_game(game, NO_PROGRESS)
        return
    if game.finals == NONE:
        if game.left[seat] or game.trains[seat] > FEW_TRAINS:
            begin_turn(game, next_seat(board, game, seat))
            return
        game.finals = 0
        for i in range(1, board.seats + 1):
            other = (seat + i) % board.seats
            if not game.left[other]:
                game.final[game.finals] = other
                game.finals += 1
    else:
        remove_final(game, seat)
        if game.finals == 0:
            end_game(game, FINAL_TURNS)
            return
    begin_turn(game, game.final[0])


@inner
def remove_final(game, seat):
    left = 0
    for i in range(game.finals):
        if game.final[i] != seat:
            game.final[left] = game.final[i]
            left += 1
    game.finals = left


@inner
def end_game(game, reason):
    game.step, game.ending, game.finals = FINISHED, reason, NONE


@inner
def do_pass(board, game):
    """Pass; once all seats have passed in a row, end the game (8.1)."""
    game.passes += 1
    if game.passes >= active(board, game):
        end_game(game, ALL_PASSED)
        return GO_ON
    return TURN_OVER
