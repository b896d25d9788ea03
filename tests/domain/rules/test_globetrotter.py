"""Rule 7.5, which no board of ours has: all that a rule adds follows from its module alone."""

import json

import pytest

from cli.export.columns import COLUMNS, DECISIONS
from domain.board.board import Board
from domain.boards import FOLDER, parse
from domain.errors import BrokenTable
from domain.game.commands import Resign
from domain.game.scoring import results
from domain.game.view import view
from domain.rules import ALL, RULES
from tests.domain.given import USA, after, given
from tools.generators.board_schema import schema
from tools.generators.committed import description

TABLE = json.loads((FOLDER / "usa.json").read_text(encoding="utf-8"))
SHORT = ("duluth--houston", "dallas--new-york", "denver--el-paso")
TICKET = ("denver--el-paso",)
CONNECTED = ("denver--santa-fe", "el-paso--santa-fe")


def board(bonus: object = 15, **members) -> Board:
    """The board of USA with a bonus for the most tickets completed, instead of the longest path."""
    return parse(
        json.dumps(
            TABLE
            | {
                "board": "own",
                "rules": ["globetrotter"],
                "globetrotter_bonus": bonus,
                "tie_breaks": ["tickets_completed"],
            }
            | members
        )
    )


def test_7_5_the_most_completed_tickets_give_the_bonus():
    state = given(board=board(), routes={1: CONNECTED}, tickets={0: (), 1: TICKET, 2: SHORT[:1]})
    first, second, _ = results(state)
    assert (first["globetrotter"], second["globetrotter"]) == (0, 15)
    assert second["total"] == second["routes"] + second["tickets"] + 15


@pytest.mark.parametrize(
    ("routes", "tickets", "expected"),
    [
        (
            {0: CONNECTED, 2: ("dallas--houston", "dallas--little-rock")},
            [TICKET, SHORT[:2], TICKET],
            [15, 0, 0],
        ),
        (
            {0: CONNECTED, 1: ("denver--oklahoma-city", "el-paso--oklahoma-city")},
            [TICKET] * 3,
            [15, 15, 0],
        ),
        ({}, [SHORT] * 3, [0, 0, 0]),  # nobody has completed any
    ],
)
def test_7_5_all_who_share_it_get_it_but_nobody_without_a_completed_ticket(
    routes, tickets, expected
):
    state = given(board=board(), routes=routes, tickets=dict(enumerate(tickets)))
    assert [result["globetrotter"] for result in results(state)] == expected


def test_7_5_a_seat_that_left_has_completed_nothing():
    state = given(2, board=board(), routes={0: CONNECTED}, tickets={0: TICKET, 1: ()})
    over = after(state, (0, Resign()))
    assert [result["globetrotter"] for result in over.results] == [0, 0]


def test_7_5_only_boards_that_have_it_show_it():
    own = after(given(2, board=board()), (0, Resign()))
    usa = after(given(2), (0, Resign()))
    assert "globetrotter" in view(own, None, sealed=False)["seats"][0]["result"]
    assert "globetrotter" not in view(usa, None, sealed=False)["seats"][0]["result"]
    assert set(USA.settings) == {"longest_path_bonus"}


def test_7_5_it_may_break_ties():
    assert board(tie_breaks=["globetrotter"]).tie_breaks == ("globetrotter",)


@pytest.mark.parametrize("bonus", [None, -1, "ten"])
def test_a_table_that_names_a_rule_must_say_what_it_needs(bonus):
    with pytest.raises(BrokenTable, match="globetrotter_bonus"):
        board(bonus)


def test_all_descriptions_of_rules_have_this_one():
    described = schema()
    assert "globetrotter" in described["properties"]["rules"]["items"]["enum"]
    assert described["properties"]["globetrotter_bonus"]["minimum"] == 0
    without = schema(rule for rule in RULES if rule.name != "globetrotter")
    assert "globetrotter" not in json.dumps(without)
    assert "globetrotter" in ALL.tie_breaks
    answers = description()["components"]["schemas"]
    assert "globetrotter" in answers["Result"]["properties"]
    assert "globetrotter" not in answers["Result"]["required"]
    assert "globetrotter_bonus" in answers["Board"]["properties"]
    assert "total_globetrotter" in [column.name for column in COLUMNS[DECISIONS]]
