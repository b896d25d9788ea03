"""The final scoring of the page adds up to the result, and draws what the rules have counted."""

from random import Random

import orjson
import pytest

from domain.boards import load_folder
from domain.game.view import view
from tests.domain.games import random_game
from tests.outside import BOARDS as OUTSIDE
from tests.service.page.nodejs import output_of

BOARDS = load_folder() | OUTSIDE
GAMES = 12  # of each board


@pytest.mark.parametrize("board", BOARDS)
def test_the_steps_of_the_scoring_add_up_to_the_result(board):
    said = scored(board)
    assert said["wrong"] == []
    assert said["tickets"] >= GAMES
    assert (said["trails"] > 0) == ("longest_path" in BOARDS[board].described["rules"])
    assert said["borrowed"] == 0 or "stations" in BOARDS[board].described["rules"]
    parts = {number.name for number in BOARDS[board].ruleset.numbers} & OUTSIDE.keys()
    assert said["unknown"] == [part.capitalize() for part in parts]


def test_parts_of_a_result_that_the_page_has_no_words_for_are_named_and_added():
    """As a rule that is younger than the page may give them. A number that the board does not
    declare as a part does not add, even if the sum were equal."""
    said = scored(
        "usa",
        lambda seat: {
            "mandala_size": 5 * seat,
            "night_trains": -3,
            "mandala": 5 * seat,
        },
        "night_trains",
        "mandala",
    )
    assert said["wrong"] == []
    assert said["unknown"] == ["Mandala", "Night trains"]


def scored(board: str, more=lambda _: {}, *parts: str) -> dict:
    """Return what the page says of the scoring of random games. ``more`` gives further members of a
    seat's result; ``parts`` are those that the board declares and that add to the total."""
    described = BOARDS[board].described
    declared = described["declared"] | {"parts": [*described["declared"]["parts"], *parts]}
    lines = []
    for seed in range(GAMES):
        game = random_game(
            Random(seed).choice(BOARDS[board].players),
            seed,
            board=BOARDS[board],
            claiming=1,
            leaving=0.02 * (seed % 3 == 0),
        )
        shown = view(game.state, None, sealed=False)
        for seat in shown["seats"]:
            unknown = more(seat["seat"])
            total = seat["result"]["total"] + sum(unknown[part] for part in parts)
            seat["result"] |= unknown | {"total": total}
        lines.append(
            {"name": f"game {seed}", "view": shown, "board": described | {"declared": declared}}
        )
    return orjson.loads(output_of("scoring.mjs", lines=lines))
