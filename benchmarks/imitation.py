"""The program of docs/research.md: what it learns of planner's games, and how strong it is."""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from types import ModuleType

import click
import orjson

from benchmarks.compare import show
from cli.offline.arena import Arena, results
from cli.offline.games import new_game
from domain.boards import load_folder
from domain.codec import Json
from domain.game.commands import Player
from domain.game.fold import play
from domain.game.view import view
from domain.rules import action_from_json
from workers.bots import BOTS

PAGE = Path(__file__).parents[1] / "docs" / "research.md"
START, END = "<!-- measured -->\n", "<!-- end -->"


def program() -> str:
    """Return the program on the page."""
    found = re.search(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    assert found
    return found[1]


def decisions(board: str, games: int, seed: int = 0, bot: str = "planner") -> list[Json]:
    """Return what two seats of a bot decide in games, as ``/decisions`` tells it."""
    table, found = load_folder()[board], []
    for deal in range(games):
        seats = tuple((Player(f"bot_{bot}_{seat}", bot, bot), None) for seat in range(2))
        state = new_game(table, seats, deal, seed)
        bots = [BOTS[bot](table.described, Random(seat)) for seat in range(2)]
        while deciding := state.deciding():
            seat = deciding[0][0]
            seen = orjson.loads(orjson.dumps(view(state, seat, sealed=False)))
            action = bots[seat].choose(seen)
            found.append({"seat": seat, "view": seen, "action": action})
            state = play(state, seat, action_from_json(action))[1]
    return found


def learned(board: str, games: int, rounds: int, seed: int = 0) -> tuple[ModuleType, dict]:
    """Return the program as a module, having learned, its weights in this folder; and how often it
    decides alike, of known and of new decisions."""
    Path("imitation.py").write_text(program())
    sys.path.insert(0, os.getcwd())
    import imitation

    lines = [json.dumps(line) for line in decisions(board, games, seed)]
    found = list(imitation.examples(lines, load_folder()[board].described))
    new = found[len(found) * 4 // 5:]
    weights = imitation.train(found[: len(found) * 4 // 5], rounds)
    imitation.np.savez(imitation.WEIGHTS, *weights)
    chance = sum(1 / len(rows) for rows, _ in new) / len(new)
    return imitation, {"decisions": len(found), "new": len(new), "by chance": chance,
                       "alike": float(imitation.agreement(weights, new))}


def measure(games: int = 60, rounds: int = 30, against: int = 20, seed: int = 0) -> dict:
    """Return how often it decides as planner does, and what share of games it wins."""
    with tempfile.TemporaryDirectory() as folder:
        before = os.getcwd()
        os.chdir(folder)
        try:
            start = time.process_time()
            _, figures = learned("usa", games, rounds, seed)
            figures["seconds of processor time"] = time.process_time() - start
            for other in ("random", "greedy", "planner"):
                arena = Arena(("imitation:Imitation", other), games=against, duplicate=True, seed=7)
                played = list(results(arena))
                figures[f"won against {other}"] = sum(
                    share for result in played for bot, share in result.shares()
                    if bot != other) / len(played)
        finally:
            os.chdir(before)
    return {"benchmark": "imitation", "figures": figures, "games": games, "against": against}


def said(result: dict) -> str:
    """Return what was measured, for the page."""
    figures = result["figures"]
    won = ", ".join(f"{figures[f'won against {other}']:.0%} against {other}"
                    for other in ("random", "greedy", "planner"))
    return (f"From {result['games']} games of planner on USA ({figures['decisions']} decisions, "
            f"{figures['seconds of processor time']:.0f} seconds of processor time for games, "
            f"features and training) it decides as planner did in **{figures['alike']:.0%}** of "
            f"{figures['new']} new decisions, where chance would in {figures['by chance']:.0%}. Of "
            f"{result['against']} duplicate games each it won {won}.\n")


@click.command()
@click.option("--games", default=60, show_default=True, help="How many games it learns from.")
@click.option("--rounds", default=30, show_default=True, help="How often it goes through them.")
@click.option("--against", default=20, show_default=True, help="Games against each other bot.")
@click.option("--write", is_flag=True, help="Write what comes out into docs/research.md.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(games: int, rounds: int, against: int, write: bool, as_json: bool) -> None:
    """Let the program of docs/research.md learn from planner, and play."""
    result = measure(games, rounds, against)
    if write:
        before, _, rest = PAGE.read_text().partition(START)
        PAGE.write_text(before + START + said(result) + END + rest.partition(END)[2])
    if as_json:
        show(result, as_json)
    else:
        click.echo(said(result))


if __name__ == "__main__":
    main()
