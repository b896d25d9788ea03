"""The engine alone: whole games of random legal play, with the list of legal actions each time."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from itertools import product

import click

from benchmarks.compare import by_turns, ratio, show
from benchmarks.games import create_command
from domain.board.board import Board
from domain.boards import load_folder
from domain.game.fold import create, play
from domain.game.legal import legal_actions

AT_LEAST = {"usa": 2}
SEATS = (2, 4)


def measure(rounds: int = 5, seconds: float = 0.4) -> dict:
    """Return games and actions a second on one core, ours on each board against Catanatron's.

    Both engines play the same number of seats at random and find every legal action for every
    decision. ``seconds`` is how long a turn of one engine lasts, about.
    """
    catan, rows = _catanatron(), []
    for board, seats in product(load_folder().values(), SEATS):
        ours, theirs = by_turns(rounds,
                                partial(_speed, partial(_play, board, seats), seconds),
                                partial(_speed, partial(catan, seats), seconds))
        for place, unit in enumerate(("actions/s", "games/s")):
            rows.append(ratio(f"{board.id}, {seats} players", unit,
                              [speed[place] for speed in ours], [speed[place] for speed in theirs],
                              at_least=AT_LEAST.get(board.id)))
    return {"benchmark": "engine", "yardstick": "Catanatron with random players", "ratios": rows}


def _speed(game: Callable[[], int], seconds: float) -> tuple[float, float]:
    """Return actions and games a second of ``game``, which returns its number of actions.

    The seconds are those of the processor, so that other programs do not count.
    """
    start, games, actions = time.process_time(), 0, 0
    while (passed := time.process_time() - start) < seconds:
        actions += game()
        games += 1
    return actions / passed, games / passed


def _play(board: Board, seats: int) -> int:
    """Play one of our games; return its number of actions."""
    state, choice = create(board, create_command(seats)), random.choice
    while deciding := state.deciding():
        seat = deciding[0][0]
        _, state = play(state, seat, choice(legal_actions(state, seat)))
    return state.version - 1


def _catanatron() -> Callable[[int], int]:
    """Return what plays one of Catanatron's games, and returns its number of actions."""
    try:
        from catanatron import Color, Game, RandomPlayer
    except ImportError as error:
        raise click.ClickException(
            "the yardstick is missing: run `make bench`, or install requirements-bench.lock"
        ) from error
    colors = list(Color)

    def game(seats: int) -> int:
        played = Game([RandomPlayer(color) for color in colors[:seats]])
        played.play()
        return len(played.state.actions)

    return game


@click.command()
@click.option("--rounds", default=5, show_default=True, help="How often each engine has its turn.")
@click.option("--seconds", default=0.4, show_default=True, help="Processor time a turn lasts.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(rounds: int, seconds: float, as_json: bool) -> None:
    """Compare the engine with that of Catanatron: random legal play on one core.

    \b
    Example:
      python -m benchmarks.engine --rounds 3
    """
    show(measure(rounds, seconds), as_json)


if __name__ == "__main__":
    main()
