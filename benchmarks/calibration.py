"""What ratings say of a game before it, against what came of it.

Bots of many levels, planners that play so many of their moves at random, have met in the arena, and
``calibration.json`` says what came of it. Games are drawn of these, rated one after the other as
the service does, and each was predicted before it was rated.
"""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from random import Random

from cli.offline.arena import Arena, results
from workers.bots.planner import Planner

PLAYED = Path(__file__).with_name("calibration.json")
LEVELS = (0, 5, 10, 20, 35, 60)  # of a hundred moves so many are random
BOARDS = {"usa": 12, "london": 40}  # games of each pair


class Level(Planner):
    """The planner, now and then playing anything."""

    random = 0.0

    def __init__(self, board: dict, rng: Random):
        super().__init__(board, rng)
        self._chance = rng

    def choose(self, view: dict) -> dict:
        """Return one of the view's legal actions."""
        if self._chance.random() < self.random:
            return self._chance.choice(view["you"]["legal_actions"])
        return super().choose(view)


for level in LEVELS:
    globals()[f"Level{level}"] = type(f"Level{level}", (Level,), {
        "random": level / 100, "__module__": __name__})


def play(seed: int = 0) -> dict[str, list[float]]:
    """Return for "BOARD ONE OTHER" the share of the victory that the first had in each game."""
    bots = (*(f"benchmarks.calibration:Level{level}" for level in LEVELS), "greedy", "random")
    found: dict[str, list[float]] = {}
    for board, games in BOARDS.items():
        for pair in combinations(bots, 2):
            names = " ".join(bot.rpartition(":")[2] for bot in pair)
            found[f"{board} {names}"] = [dict(result.shares())[pair[0]] for result in results(
                Arena(pair, (board,), games, 2, seed=seed))]
    return found


if __name__ == "__main__":
    PLAYED.write_text(json.dumps(play()))
