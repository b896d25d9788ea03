"""The built-in bot that plays a trained network, and the network of four boards."""

from pathlib import Path
from random import Random

import pytest
from fogg_simulator.policy import bot_class

from domain.boards import load_folder
from tests.workers.matches import match
from workers.bots import BOTS

BOARDS = load_folder()
FOUR_BOARDS = Path(__file__).parents[2] / "docs" / "four-boards.npz"


def totals(board: str, games: int, kind: type = BOTS["learned"]) -> list[tuple[int, int]]:
    one, other = (each(BOARDS[board].described, Random(1)) for each in (kind, BOTS["planner"]))
    return match(BOARDS[board], one, other, games)


@pytest.mark.parametrize("board", ["europe", "london"])
def test_it_plays_to_the_end_and_the_same_way_again(board):
    assert totals(board, 2) == totals(board, 2)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("board", "kind"), [("usa", BOTS["learned"]), ("europe", bot_class(str(FOUR_BOARDS)))]
)
def test_it_wins_more_points_than_planner_on_the_board_that_it_knows_best(board, kind):
    """The games are the same in every run."""
    rows = totals(board, 12, kind)
    assert sum(own - others for own, others in rows) > 0
