"""How strong the built-in bots are, and how long they think.

They play two by two through the rules alone; all that they see of a game is its view as JSON.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import click

from benchmarks.compare import show
from cli.offline.arena import Arena, results
from cli.offline.games import new_game, play_out
from cli.offline.standings import standings
from domain.board.board import Board
from domain.boards import load_folder
from domain.game.commands import Player
from domain.game.state import State
from workers.bots import BOTS

ALL = "all"
PAIRS = tuple(pairwise(BOTS))  # each bot and the next stronger one


def seat_bots(board: Board, bots: Sequence[Any], seed: int) -> State:
    """Return a new game of so many bots, the first of which begins."""
    seats = tuple((Player(f"p{seat}", f"bot {seat}"), None) for seat in range(len(bots)))
    return new_game(board, seats, deal=0, seed=seed)


def match(board: Board, one: Any, other: Any, games: int, seed: int = 0) -> list[tuple[int, int]]:
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
        for weak, strong in PAIRS:
            figures |= _of_a_pair(Arena((strong, weak), (board,), games, duplicate=True, seed=seed))
            watch()
    return {"benchmark": "bots", "figures": figures}


def chosen(boards: Sequence[str]) -> list[str]:
    """Return the names of these boards, every one's where ``all`` is among them."""
    return list(load_folder() if ALL in boards else boards)


def _of_a_pair(arena: Arena) -> dict[str, object]:
    """Return the figures of two bots on one board, the stronger named first."""
    rows = {row["bot"]: row for row in standings(arena, results(arena))["overall"]}
    strong, weak = (rows[bot] for bot in arena.bots)
    pair = f"{arena.boards[0]}: {strong['bot']} against {weak['bot']}"
    return {
        f"{pair}, games won of {strong['games']}": strong["wins"],
        f"{pair}, mean totals": f"{strong['mean_total']:.1f} : {weak['mean_total']:.1f}",
        f"{pair}, milliseconds a decision":
            f"{strong['ms_per_decision']:.2f} : {weak['ms_per_decision']:.2f}",
    }


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
