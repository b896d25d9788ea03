"""How strong the built-in bots are, and how long they think.

They play two by two through the rules alone; all that they see of a game is its view as JSON.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
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

ALL = "all"
PAIRS = tuple(pairwise(BOTS))  # each bot and the next stronger one


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


def measure(
    games: int = 100, seed: int = 0, boards: Sequence[str] = (ALL,),
    watch: Callable[[], object] = lambda: None,
) -> dict:
    """Return who wins how often on each board, the mean totals, and the milliseconds a decision
    takes; ``watch`` is called after each pair of bots."""
    figures: dict[str, object] = {}
    for board in chosen(boards):
        figures |= {f"{board.id}: {name}": value
                    for name, value in _on_one(board, games, seed, watch).items()}
    return {"benchmark": "bots", "figures": figures}


def chosen(boards: Sequence[str]) -> list[Board]:
    """Return the boards of these names, every one where ``all`` is among them."""
    tables = load_folder()
    return [tables[name] for name in (tables if ALL in boards else boards)]


def _on_one(board: Board, games: int, seed: int, watch: Callable[[], object]) -> dict[str, object]:
    """Return the figures of one board."""
    clocked = {name: Clocked(bot(board.described, Random(seed))) for name, bot in BOTS.items()}
    figures: dict[str, object] = {}
    for weak, strong in PAIRS:
        totals = match(board, clocked[strong], clocked[weak], games, seed)
        pair = f"{strong} against {weak}"
        figures[f"{pair}, games won of {games}"] = wins(totals)
        figures[f"{pair}, mean totals"] = " : ".join(
            f"{mean(column):.1f}" for column in zip(*totals, strict=True))
        watch()
    for name, bot in clocked.items():
        figures[f"{name}, milliseconds a decision"] = mean(bot.seconds) * 1000
    return figures


@click.command()
@click.option("--games", default=100, show_default=True, help="How many games each pair plays.")
@click.option("--seed", default=0, show_default=True, help="Fixes deals and choices.")
@click.option("--board", "boards", multiple=True, default=[ALL], show_default=True,
              type=click.Choice([ALL, *load_folder()]), help="A board to play on; may be repeated.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(games: int, seed: int, boards: tuple[str, ...], as_json: bool) -> None:
    """Let each built-in bot play the next weaker one, with seats changed after each game.

    \b
    Example:
      python -m benchmarks.bots --board europe --board paris --games 20
    """
    length = len(chosen(boards)) * len(PAIRS)
    with click.progressbar(length=length, label="pairs of bots", file=sys.stderr) as bar:
        result = measure(games, seed, boards, lambda: bar.update(1))
    show(result, as_json)


if __name__ == "__main__":
    main()
