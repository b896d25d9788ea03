"""The built-in bot that plays a trained network."""

from random import Random

import pytest

from domain.boards import load_folder
from tests.workers.matches import match
from workers.bots import BOTS

BOARDS = load_folder()


def totals(board: str, games: int) -> list[tuple[int, int]]:
    one, other = (BOTS[name](BOARDS[board].described, Random(1)) for name in ("learned", "planner"))
    return match(BOARDS[board], one, other, games)


@pytest.mark.parametrize("board", ["europe", "london"])
def test_it_plays_to_the_end_and_the_same_way_again(board):
    assert totals(board, 2) == totals(board, 2)


@pytest.mark.deep
def test_it_wins_more_points_than_planner_on_the_board_that_it_knows_best():
    """The games are the same in every run."""
    rows = totals("usa", 12)
    assert sum(own - others for own, others in rows) > 0
