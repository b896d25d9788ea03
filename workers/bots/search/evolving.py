"""Evolve a style of the expert: try random changes of it against planners and against the style
from which it began, and move it towards those that win.

    python -m workers.bots.search.evolving two_players --minutes 30

continues from the style in ``evolved.json`` and writes it back. It prints the mean margins over
planners, and over the style from which it began, in deals that are used for nothing else. This is
an evolution strategy: each change is tried together with its opposite in the same deal, and the
mean of all changes, weighted by what they won, is the direction of the next step.
"""

from __future__ import annotations

import argparse
import json
import time
from itertools import count

import numpy as np
from fogg_simulator.arrays import NONE
from fogg_simulator.simulator import load as load_board

from workers.bots.search import style
from workers.bots.search.playouts import Floats, Ints, Playouts
from workers.bots.search.searching import CLEAR_LEAD, has_long_routes
from workers.bots.search.style import EVOLVED, PLANNER, Style, mixed, units

# For which boards and numbers of seats each style is evolved
PLAYED = {
    "two_players": (("usa", 2), ("usa-10th", 2), ("europe", 2)),
    "more_players": (
        ("usa", 4), ("europe", 3), ("usa-10th", 5), ("europe", 5), ("usa-10th", 3)),
    "short_routes": (("london", 2), ("paris", 2), ("london", 4), ("paris", 3)),
}
PAIRS = 128  # of games that are played at once
BATCHES = 6  # for each board in a step with two seats; a third as many with more seats
CHANGE, STEP = 0.15, 0.02  # standard deviation of a change, and size of a step, in ``units()``
MOMENTUM, STEADY = 0.9, 0.98  # of the direction, and of the size that steps are measured by
CHECKED = 1_024  # games, in deals of their own, that a report is of
FIRST_CHECKED = 2_000_000_000  # the first seed of these


class Match:
    """Plays styles in the first seat of one board against others of two kinds of rivals."""

    def __init__(self, board: str, seats: int, rivals: Style):
        self.name, self.batches = f"{board} ({seats})", BATCHES if seats == 2 else BATCHES // 3
        described = load_board(board)
        self._own = np.arange(2 * PAIRS)
        styles = np.concatenate((np.tile(PLANNER, (2 * PAIRS, 1, 1)), rivals))
        self._room = Playouts(described, seats, 2 * PAIRS, styles)
        self._clear = CLEAR_LEAD[has_long_routes(described)]

    def play(self, styles: Floats, seeds: Ints, kinds: Ints) -> tuple[Floats, Floats]:
        """Play a game with each style and each seed against rivals of these kinds (0 or 1; a row
        for each game). Return how much each game is worth, from -1 to 1, and its margin over the
        mean of the others."""
        room, simulator = self._room, self._room.simulator
        room.styles[: 2 * PAIRS] = styles
        room.style_of[:, 0], room.style_of[:, 1:] = self._own, 2 * PAIRS + kinds
        for game, seed in enumerate(seeds.tolist()):
            simulator.begin(game, seed)
        room.forget()
        room.chosen[:] = NONE
        room.play(len(seeds), 0)
        scores = simulator.scores.astype(np.float64)
        margins = scores[:, 0] - scores[:, 1:].mean(axis=1)
        return np.tanh(margins / self._clear), margins

    def gradient(self, at: Style, unit: Style, random: np.random.Generator, seed: int) -> Style:
        """Return how much each number of a style should change, in units, to be worth more."""
        total = np.zeros_like(at)
        for batch in range(self.batches):
            changes = random.normal(size=(PAIRS, *at.shape))
            both = np.stack((changes, -changes), axis=1).reshape(-1, *at.shape)
            seeds = np.repeat(seed + batch * PAIRS + np.arange(PAIRS), 2)
            kinds = mixed(seeds, self._room.simulator.seats - 1)
            worth, _ = self.play(at + CHANGE * both * unit, seeds, kinds)
            total += np.tensordot(worth[::2] - worth[1::2], changes, 1) / (2 * CHANGE)
        return total / (self.batches * PAIRS)

    def report(self, at: Style) -> str:
        """Return how a style does in deals that no step was made from, against each kind."""
        words = []
        for kind in range(2):
            margins = np.concatenate([
                self.play(np.broadcast_to(at, (2 * PAIRS, *at.shape)), first + self._own,
                          np.full((2 * PAIRS, 1), kind))[1]
                for first in range(FIRST_CHECKED, FIRST_CHECKED + CHECKED, 2 * PAIRS)])
            error = 1.96 * margins.std() / len(margins) ** 0.5
            words.append(f"{margins.mean():+.1f} (+-{error:.1f})")
        return f"{self.name} {' and '.join(words)}"


def write(name: str, at: Style) -> None:
    """Write a style into the file that the expert reads, with three digits of each number."""
    known = json.loads(EVOLVED.read_text())
    known[name] = {parameter: [float(f"{number:.3g}") for number in row]
                   for parameter, row in zip(known[name], at, strict=True)}
    styles = [f'"{one}": {{\n  ' + ",\n  ".join(
        f'"{parameter}": {json.dumps(row)}' for parameter, row in rows.items()) + "\n}"
        for one, rows in known.items()]
    EVOLVED.write_text("{" + ",\n".join(styles) + "}\n")


def evolve(name: str, minutes: float, seed: int) -> None:
    """Evolve a style for so many minutes of processor time; print reports, and write it."""
    at, unit, random = style.evolved(name), units(), np.random.default_rng(seed)
    matches = [Match(*played, np.stack((PLANNER, at))) for played in PLAYED[name]]
    toward, size, end = np.zeros_like(at), 0.0, time.process_time() + 60 * minutes
    for step in count():
        if step % 25 == 0 or time.process_time() >= end:
            print(f"{step} steps:", ", ".join(match.report(at) for match in matches), flush=True)
            write(name, at)
        if time.process_time() >= end:
            return
        first = int(random.integers(FIRST_CHECKED // 2))
        found = np.mean([match.gradient(at, unit, random, first) for match in matches], axis=0)
        toward = MOMENTUM * toward + (1 - MOMENTUM) * found
        size = STEADY * size + (1 - STEADY) * float((found**2).mean())
        steady = (size / (1 - STEADY ** (step + 1))) ** 0.5
        at = at + STEP * unit * toward / (1 - MOMENTUM ** (step + 1)) / steady


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=PLAYED)
    parser.add_argument("--minutes", type=float, default=30, help="processor time (default: 30)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    evolve(options.name, options.minutes, options.seed)
