"""How many fewer games tell two bots apart when each deal is played from both seats.

A mean margin of n games is uncertain by its variance, which falls as 1/n: so the ratio of the
variances, for as many games on deals of their own as on duplicate deals, is how many times more
games the former take to be as certain.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from unittest.mock import patch

import click

from benchmarks.compare import show
from cli.offline.arena import Arena, Result, results
from cli.offline.strength import Z, clustered_mean
from workers.bots import planner

PATIENT = "benchmarks.arena:Patient"
PAIRS = (  # two far apart, and closer ones
    ("usa", ("planner", "greedy")),
    ("paris", ("greedy", "random")),
    ("usa", ("planner", PATIENT)),
    ("europe", ("planner", PATIENT)),
)


class Patient(planner.Planner):
    """The planner but for one number: it puts off all routes for points until the others are
    built."""

    def choose(self, view: dict) -> dict:
        """Return one of the view's legal actions."""
        with patch.object(planner, "LONG", 99):
            return super().choose(view)


def measure(games: int = 100, seed: int = 0, watch: Callable[[], object] = lambda: None) -> dict:
    """Return, for each pair of bots, the mean margins found both ways and how many times more games
    deals of their own take; ``watch`` is called after each pair."""
    figures: dict[str, object] = {}
    for board, bots in PAIRS:
        alone, twice = (_margins(Arena(bots, (board,), games, 2, duplicate, seed))
                        for duplicate in (False, True))
        pair = f"{board}: {' against '.join(bot.rpartition(':')[2] for bot in bots)}"
        for how, values in (("deals of their own", alone), ("duplicate deals", twice)):
            found = clustered_mean(values)
            figures[f"{pair}, margin on {how}"] = f"{found.value:+.1f} +- {found.reach:.1f}"
        figures[f"{pair}, times as many games"] = _saved(alone, twice)
        watch()
    return {"benchmark": "arena", "figures": figures}


def _margins(arena: Arena) -> dict[tuple, list[float]]:
    """Return the first bot's margin in each game, by deal."""
    found: dict[tuple, list[float]] = {}
    for result in sorted(results(arena), key=lambda result: result.game.number):
        found.setdefault((result.game.board, result.game.deal), []).append(_first(result, arena))
    return found


def _first(result: Result, arena: Arena) -> float:
    return dict(result.margins())[arena.bots[0]]


def _saved(alone: dict, twice: dict) -> str:
    """Return the ratio of variances for as many games, and between which bounds it lies with a
    probability of 95 %, margins being roughly normal."""
    one, two = (_variance(values) for values in (alone, twice))
    if not one or not two:
        return "no difference in any game"
    reach = Z * math.sqrt(2 / (len(alone) - 1) + 2 / (len(twice) - 1))
    ratio = one / two
    return f"{ratio:.2f} ({ratio * math.exp(-reach):.2f} to {ratio * math.exp(reach):.2f})"


def _variance(values: dict[tuple, list[float]]) -> float:
    """Return the variance of the mean margin that a single game would leave."""
    games = sum(map(len, values.values()))
    means = [sum(row) / len(row) for row in values.values()]
    middle = sum(means) / len(means)
    return sum((m - middle) ** 2 for m in means) / (len(means) - 1) / len(means) * games


@click.command()
@click.option("--games", default=100, show_default=True, type=click.IntRange(6),
              help="How many games each pair plays in each way.")
@click.option("--seed", default=0, show_default=True, help="Fixes the deals.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(games: int, seed: int, as_json: bool) -> None:
    """Say how many games duplicate deals save, for bots that are far apart and close ones.

    \b
    Example:
      python -m benchmarks.arena --games 200
    """
    with click.progressbar(length=len(PAIRS), label="pairs of bots", file=sys.stderr) as bar:
        result = measure(games, seed, lambda: bar.update(1))
    show(result, as_json)


if __name__ == "__main__":
    main()
