"""How strong the built-in bots are, and how long they think.

They play two by two through the rules alone; all that they see of a game is its view as JSON.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from statistics import mean
from typing import Protocol

import click
import orjson

from benchmarks.compare import show
from domain.board import Board, load_folder
from domain.commands import CreateGame, Player, action_from_json
from domain.game import create, play
from domain.state import State
from domain.view import view
from workers.bots import BOTS


class Bot(Protocol):
    """What plays."""

    def choose(self, view: dict) -> dict:
        """Return one of the view's legal actions."""


@dataclass
class Clocked:
    """A bot whose thinking is timed."""

    bot: Bot
    seconds: list[float] = field(default_factory=list)

    def choose(self, view: dict) -> dict:
        """Return the bot's choice."""
        start = time.perf_counter()
        action = self.bot.choose(view)
        self.seconds.append(time.perf_counter() - start)
        return action


def seat_bots(board: Board, bots: list[Bot], seed: int) -> State:
    """Return a new game of so many bots, the first of which begins."""
    seats = tuple((Player(f"p{seat}", f"bot {seat}"), None) for seat in range(len(bots)))
    return create(board, CreateGame("g", "p0", seats, Random(seed).randbytes(32), first_seat=0))


def play_out(state: State, bots: list[Bot]) -> State:
    """Return the end of a game that bots play, one for each seat."""
    while deciding := state.deciding():
        seat = deciding[0][0]
        action = bots[seat].choose(orjson.loads(orjson.dumps(view(state, seat))))
        _, state = play(state, seat, action_from_json(action))
    return state


def match(board: Board, one: Bot, other: Bot, games: int, seed: int = 0) -> list[tuple[int, int]]:
    """Return the totals of two bots in each game; each deal is played twice, with seats changed."""
    totals = []
    for game in range(games):
        first = game % 2
        bots = [other, one] if first else [one, other]
        end = play_out(seat_bots(board, bots, seed + game // 2), bots)
        totals.append((end.results[first]["total"], end.results[1 - first]["total"]))
    return totals


def wins(totals: list[tuple[int, int]]) -> float:
    """Return how many games the first of two has won, a tie counting half."""
    return sum((a > b) + (a == b) / 2 for a, b in totals)


def measure(games: int = 100, seed: int = 0, board: str = "usa") -> dict:
    """Return who wins how often, the mean totals, and the milliseconds a decision takes."""
    table = load_folder()[board]
    clocked = {name: Clocked(bot(table.described, Random(seed))) for name, bot in BOTS.items()}
    figures: dict[str, object] = {}
    for weak, strong in combinations(BOTS, 2):
        totals = match(table, clocked[strong], clocked[weak], games, seed)
        pair = f"{strong} against {weak}"
        figures[f"{pair}, games won of {games}"] = wins(totals)
        figures[f"{pair}, mean totals"] = " : ".join(
            f"{mean(column):.1f}" for column in zip(*totals, strict=True))
    for name, bot in clocked.items():
        figures[f"{name}, milliseconds a decision"] = mean(bot.seconds) * 1000
    return {"benchmark": "bots", "figures": figures}


@click.command()
@click.option("--games", default=100, show_default=True, help="How many games each pair plays.")
@click.option("--seed", default=0, show_default=True, help="Fixes deals and choices.")
@click.option("--board", default="usa", show_default=True, help="The board that they play on.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(games: int, seed: int, board: str, as_json: bool) -> None:
    """Let the built-in bots play each other, two by two, with seats changed after each game.

    \b
    Example:
      python -m benchmarks.bots --games 20
    """
    show(measure(games, seed, board), as_json)


if __name__ == "__main__":
    main()
