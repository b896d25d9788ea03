"""Measures the simulator: random games with their masks, and whether it plays the domain's games.

The yardstick is the domain, which plays random games, too; where a row says so, Catanatron with
random players, or the simulator itself with steps alone, with one game or on one core.
"""

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import cycle, islice, product
from tempfile import TemporaryDirectory
from typing import Annotated

import click
import numpy as np
from fogg_simulator import Simulator

from benchmarks.runner import Rounds, by_turns, command, ratio
from domain.board.board import Board
from domain.boards import load_folder
from domain.game.fold import create, play
from domain.game.legal import legal_actions
from tests.simulator.twins import STYLES, Twins
from tools.games import create_command

SEATS = (2, 4)
AT_ONCE = 256  # games of a Simulator
STEPS = 100  # between two looks at the clock
CORES = 2
START = """
import time
import fogg_simulator
start = time.perf_counter()
fogg_simulator.Simulator("usa")
print(time.process_time(), time.perf_counter() - start)
"""


def measure(
    rounds: Rounds = 5,
    seconds: Annotated[float, "How long a turn lasts, in seconds of processor time."] = 0.4,
    games: Annotated[int, "How many games are compared on each board, 0 for none."] = 10_000,
) -> dict:
    """Return actions a second on one core, and how many compared games differ."""
    pairs, catan, usa = {}, catanatron(), partial(Simulator, "usa", 2, threads=1)
    for board, seats in product(load_folder().values(), SEATS):
        pairs[f"{board.id}, {seats} players"] = (
            partial(_speed, Simulator(board, seats, AT_ONCE, threads=1), seconds),
            partial(speed, partial(play_ours, board, seats), seconds),
        )
    for seats in SEATS:
        pairs[f"usa, {seats} players: Catanatron"] = (
            partial(_speed, Simulator("usa", seats, AT_ONCE, threads=1), seconds),
            partial(speed, partial(catan, seats), seconds),
        )
    for read in (Simulator.observe, Simulator.features):
        pairs[f"usa: with {read.__name__}()"] = (
            partial(_speed, usa(AT_ONCE), seconds, read),
            partial(_speed, usa(AT_ONCE), seconds),
        )
    pairs["usa: 8192 games at once"] = (
        partial(_speed, usa(8192), seconds),
        partial(_speed, usa(1), seconds),
    )
    rows = []
    pairs[f"usa: {CORES} cores, with features()"] = tuple(
        partial(
            _speed,
            Simulator("usa", 2, 8192, threads=threads),
            seconds,
            Simulator.features,
            time.perf_counter,
        )
        for threads in (CORES, 1)
    )
    for what, measures in pairs.items():
        ours, theirs = by_turns(rounds, *measures)
        rows.append(ratio(what, "actions/s", ours, theirs))
    figures = _starts()
    for board in load_folder().values() if games else ():
        figures[f"{board.id}: games compared"] = games
        figures[f"{board.id}: games that differ"] = _differing(board, games)
    return {
        "benchmark": "simulator",
        "yardstick": "the domain with random players",
        "ratios": rows,
        "figures": figures,
    }


def speed(game: Callable[[], int], seconds: float) -> float:
    """Return actions for each second of processor time; ``game`` plays one game and returns its
    number of actions."""
    start, actions = time.process_time(), 0
    while (passed := time.process_time() - start) < seconds:
        actions += game()
    return actions / passed


def play_ours(board: Board, seats: int) -> int:
    """Play a game of the domain; return its number of actions."""
    state = create(board, create_command(seats))
    while deciding := state.deciding():
        seat = deciding[0][0]
        _, state = play(state, seat, random.choice(legal_actions(state, seat)))
    return state.version - 1


def catanatron() -> Callable[[int], int]:
    """Return a function that plays a game of Catanatron and returns its number of actions."""
    try:
        from catanatron import Color, Game, RandomPlayer
    except ImportError as error:
        raise click.ClickException("Catanatron is missing: run `make setup`") from error

    def game(seats: int) -> int:
        played = Game([RandomPlayer(color) for color in list(Color)[:seats]])
        played.play()
        return len(played.state.actions)

    return game


def _speed(
    simulator: Simulator,
    seconds: float,
    read: Callable[[Simulator], object] = len,
    clock: Callable[[], float] = time.process_time,
) -> float:
    """Return actions for each second of processor time, or of another clock. After each step, the
    games are ``read``."""
    rng = np.random.default_rng(1)

    def play(steps: int) -> None:
        for _ in range(steps):
            simulator.step(simulator.sample(rng))
            read(simulator)

    play(1)  # so that compiled code has been loaded
    start, steps = clock(), 0
    while (passed := clock() - start) < seconds:
        play(STEPS)
        steps += STEPS
    return steps * len(simulator) / passed


def _starts() -> dict[str, float]:
    """Return what it takes to make a Simulator, with an empty cache and with a full one."""
    with TemporaryDirectory() as folder:
        (built, _), (_, loaded) = (
            map(
                float,
                subprocess.run(
                    [sys.executable, "-c", START],
                    env={**os.environ, "FOGG_CACHE": folder},
                    check=True,
                    capture_output=True,
                    text=True,
                ).stdout.split(),
            )
            for _ in range(2)
        )
    return {"build: seconds of processor time": built, "load: milliseconds": 1000 * loaded}


def _differing(board: Board, games: int) -> int:
    """Return how many of so many games are not the same in both engines, over all numbers of seats
    and styles of play."""
    twins = {seats: Twins(board, seats) for seats in board.players}
    differ = 0
    for seed, (seats, style) in enumerate(
        islice(cycle(product(board.players, STYLES.values())), games)
    ):
        try:
            twins[seats].play(seed, style)
        except AssertionError:
            differ += 1
    return differ


if __name__ == "__main__":
    command(measure)()
