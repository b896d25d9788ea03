"""The program of docs/research.md learns, as it stands."""

import sys
from random import Random

import numpy as np
import pytest

from cli.offline.games import new_game, play_out
from domain.boards import load_folder
from domain.game.commands import Player
from tests.docs import imitation
from workers.bots import BOTS
from workers.bots.features import NAMES, Features


@pytest.fixture
def learned(tmp_path, monkeypatch):
    """The program, having learned from few games, and how well."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield imitation.learned("paris", games=4, rounds=12)
    sys.modules.pop("imitation")


def test_it_decides_alike_more_often_than_by_chance_and_plays_a_game(learned):
    program, figures = learned
    assert figures["alike"] > 1.5 * figures["by chance"]
    board = load_folder()["paris"]
    seats = tuple((Player(f"p_{seat}", "x"), None) for seat in range(2))
    bot = program.Imitation()
    bot.board = board.described
    over = play_out(new_game(board, seats, 1, 9), [bot, BOTS["random"](board.described, Random(1))])
    assert over.status == "finished"


@pytest.mark.parametrize("board", ["europe", "london"])
def test_every_decision_of_every_board_is_an_array_of_numbers(board):
    features, seen = Features(load_folder()[board].described), set()
    for line in imitation.decisions(board, 1, bot="greedy"):
        legal = line["view"]["you"]["legal_actions"]
        array = features.of(line["view"])
        assert array.shape == (len(legal), len(NAMES))
        assert np.isfinite(array).all()
        assert np.abs(array).max() <= 4
        seen |= {action["type"] for action in legal}
    assert {"keep_tickets", "draw_card", "claim_route", "draw_tickets"} <= seen
