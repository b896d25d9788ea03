"""The game that the first screen replays on a service where none has been played: three built-in
bots on London, as lines of JSON, one for each version, with the members of a view that it shows.

    python -m tools.generators.landing_game

writes it; ``--check`` compares it with what today's rules and bots make of the same deal.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from cli.offline.games import Game
from domain.boards import load_folder
from domain.game.state import State
from domain.game.view import view
from workers.bots import BOTS

FILE = Path(__file__).parents[2] / "service/page/lobby/landing_game.ndjson"
BOARD, BOTS_SEATED = "london", ("planner", "greedy", "planner")
DEAL, SEED = 20, 0  # of a game with many routes, and a lead that changes


def states(deal: int = DEAL) -> Iterator[State]:
    """Yield the state of the game after each action, the first before any."""
    board = load_folder()[BOARD]
    game = Game(board, BOTS_SEATED, deal, SEED)
    bots = [
        BOTS[name](board.described, Random(f"{deal} {seat}"))
        for seat, name in enumerate(BOTS_SEATED)
    ]
    yield game.state
    while deciding := game.state.deciding():
        seat = deciding[0][0]
        game.decide(seat, bots[seat])
        yield game.state


def shown(state: State) -> dict[str, Any]:
    """Return the public view of a state, with what the first screen shows of it."""
    public = view(state, None, sealed=False)
    seats = [
        _only(seat, "score")
        | {"player": _only(seat["player"], "name", "bot")}
        | ({"result": _only(seat["result"], "total", "rank")} if "result" in seat else {})
        for seat in public["seats"]
    ]
    return _only(public, "board", "version", "status", "claims") | {
        "seats": seats,
        "deciding": [_only(one, "seat") for one in public["deciding"]],
    }


def _only(value: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value[name] for name in names}


def made() -> str:
    """Return the text of the file."""
    return "".join(f"{json.dumps(shown(state), separators=(',', ':'))}\n" for state in states())


if __name__ == "__main__":
    text = made()
    if "--check" in sys.argv:
        sys.exit(FILE.read_text(encoding="utf-8") != text and f"{FILE} is not what it would be now")
    FILE.write_text(text, encoding="utf-8")
