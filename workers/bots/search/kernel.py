"""The one compiled function that Python calls."""

from pathlib import Path

import numpy as np
from fogg_simulator.arrays import FINISHED, NONE
from fogg_simulator.compiled import entry_for

from workers.bots.search import adapting, policy, worlds

CHOOSE, SUPPOSE, GUESS, OPTIONS = map(np.int64, range(4))  # tasks
HERE = Path(__file__).parent


@entry_for(HERE)
def think(task, boards, games, minds, rooms, styles, style_of, mask, seats, chosen, number):
    """Do a task in each game, for the seats given. ``style_of`` is the index in ``styles`` for each
    seat of each game.

    CHOOSE: fill in what the seat does next; NONE in a game that is over.
    SUPPOSE: prepare to sample the hidden cards and tickets of the single game, with the seed
    ``number``. Assume that rivals play in the seat's style. The game is changed.
    GUESS: deal what the seat does not see, by the seed ``number``.
    OPTIONS: fill in the sensible claim of each route, the station for each place, and the card to
    draw, of the one game; NONE where there is none.

    It is one function, as numba compiles everything again for each function that Python calls.
    """
    board, room = boards[0], rooms[0]
    if task in (SUPPOSE, GUESS):
        np.random.seed(number)
    for i in range(len(games)):
        game, mind, seat = games[i], minds[i], np.int64(seats[i])
        style = styles[style_of[i, seat]]
        if task == GUESS:
            worlds.guess(board, game, room, seat)
        elif task == SUPPOSE:
            worlds.suppose(board, game, room, style, seat)
        elif game.step == FINISHED:
            chosen[i] = NONE
        elif task == CHOOSE:
            adapting.adapt(board, game, mind, room, style, seat)
            chosen[i] = policy.choose(board, game, mind, room, room.style, mask[i], seat)
        else:
            adapting.adapt(board, game, mind, room, style, seat)
            policy.fill_options(board, game, mind, room, room.style, mask[i], seat, chosen)
