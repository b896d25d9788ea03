"""Measures the engine alone: whole random games, listing the legal actions at every decision.

The yardstick is Catanatron, with as many random players.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Annotated

import click

from benchmarks.runner import Rounds, by_turns, command, ratio
from domain.board.board import Board
from domain.boards import load_folder
from domain.game.fold import create, play
from domain.game.legal import legal_actions
from tools.games import create_command

AT_LEAST = {"usa": 2}
SEATS = (2, 4)


def measure(
    rounds: Rounds = 5,
    seconds: Annotated[float, "How long a turn lasts, in seconds of processor time."] = 0.4,
) -> dict:
    """Return games and actions a second on one core, on each board and by Catanatron."""
    catan, rows = catanatron(), []
    for board, seats in product(load_folder().values(), SEATS):
        ours, theirs = by_turns(rounds,
                                partial(speed, partial(play_ours, board, seats), seconds),
                                partial(speed, partial(catan, seats), seconds))
        for place, unit in enumerate(("actions/s", "games/s")):
            rows.append(ratio(f"{board.id}, {seats} players", unit,
                              [speed[place] for speed in ours], [speed[place] for speed in theirs],
                              at_least=AT_LEAST.get(board.id)))
    return {"benchmark": "engine", "yardstick": "Catanatron with random players", "ratios": rows}


def speed(game: Callable[[], int], seconds: float) -> tuple[float, float]:
    """Return actions and games for each second of processor time; ``game`` plays one game and
    returns its number of actions."""
    start, games, actions = time.process_time(), 0, 0
    while (passed := time.process_time() - start) < seconds:
        actions += game()
        games += 1
    return actions / passed, games / passed


def play_ours(board: Board, seats: int) -> int:
    """Play one of our games; return its number of actions."""
    state, choice = create(board, create_command(seats)), random.choice
    while deciding := state.deciding():
        seat = deciding[0][0]
        _, state = play(state, seat, choice(legal_actions(state, seat)))
    return state.version - 1


def catanatron() -> Callable[[int], int]:
    """Return a function that plays a game of Catanatron and returns its number of actions."""
    try:
        from catanatron import Color, Game, RandomPlayer
    except ImportError as error:
        raise click.ClickException("Catanatron is missing: run `make bench`") from error
    colors = list(Color)

    def game(seats: int) -> int:
        played = Game([RandomPlayer(color) for color in colors[:seats]])
        played.play()
        return len(played.state.actions)

    return game


if __name__ == "__main__":
    command(measure)()
