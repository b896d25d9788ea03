"""Runs the program of docs/research.md, which learns to imitate the planner."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from random import Random
from types import ModuleType

import orjson

from cli.offline.games import new_game
from domain.boards import load_folder
from domain.codec import Json
from domain.game.commands import Player
from domain.game.fold import play
from domain.game.view import view
from domain.rules import action_from_json
from workers.bots import BOTS

PAGE = Path(__file__).parents[2] / "docs" / "research.md"


def program() -> str:
    """Return the program on the page that learns."""
    [program] = re.findall(r"```python\n(import json\n.*?)```", PAGE.read_text(), re.S)
    return program


def decisions(board: str, games: int, seed: int = 0, bot: str = "planner") -> list[Json]:
    """Play games of a bot against itself; return its decisions as lines of ``/decisions``."""
    table, rows = load_folder()[board], []
    for deal in range(games):
        seats = tuple((Player(f"bot_{bot}_{seat}", bot, bot), None) for seat in range(2))
        state = new_game(table, seats, deal, seed)
        bots = [BOTS[bot](table.described, Random(seat)) for seat in range(2)]
        while deciding := state.deciding():
            seat = deciding[0][0]
            seen = orjson.loads(orjson.dumps(view(state, seat, sealed=False)))
            action = bots[seat].choose(seen)
            rows.append({"seat": seat, "view": seen, "action": action})
            state = play(state, seat, action_from_json(action))[1]
    return rows


def learned(board: str, games: int, rounds: int, seed: int = 0) -> tuple[ModuleType, dict]:
    """Train the program on games of planner, in the current folder. Return it as a module, and how
    often it decides as planner did in decisions that it was not trained on."""
    Path("imitation.py").write_text(program())
    sys.path.insert(0, os.getcwd())
    import imitation

    lines = [json.dumps(line) for line in decisions(board, games, seed)]
    examples = list(imitation.examples(lines, load_folder()[board].described))
    new = examples[len(examples) * 4 // 5:]
    weights = imitation.train(examples[: len(examples) * 4 // 5], rounds)
    imitation.np.savez(imitation.WEIGHTS, *weights)
    chance = sum(1 / len(rows) for rows, _ in new) / len(new)
    return imitation, {"decisions": len(examples), "new": len(new), "by chance": chance,
                       "alike": float(imitation.agreement(weights, new))}
