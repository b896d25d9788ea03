"""The simulator plays exactly the games of the domain: the same seats decide, with the same legal
actions and scores, and every result is the same."""

from __future__ import annotations

from math import ceil
from random import Random

import pytest
from fogg_simulator import arrays
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.bench.boards import fresh_board
from domain.board.board import Board
from domain.boards import load_folder
from domain.rules.ending import MAX_IDLE
from tests.domain.given import BARROW
from tests.simulator.twins import STYLES, Style, Twins, changed

BOARDS = load_folder()
TABLES = [(board, seats) for board in BOARDS.values() for seats in board.players]
SEEDS = (b"1", b"2", b"3")  # of invented boards
GAMES = 200  # of each board at least
tables = pytest.mark.parametrize(
    ("board", "seats"), TABLES, ids=[f"{board.id}-{seats}" for board, seats in TABLES]
)


@tables
def test_a_game_is_the_same_on_every_board_with_any_number_of_seats(board, seats):
    """The styles take turns."""
    style = [*STYLES.values()][TABLES.index((board, seats)) % len(STYLES)]
    Twins(board, seats).play(100 * seats, style)


def test_8_6_a_game_without_progress_is_the_same():
    tunnels = [route | {"tunnel": True} for route in BARROW.table["routes"]]
    board = changed(BARROW, routes=tunnels, cards={"red": 2, "blue": 2, "white": 2, "wild": 40})
    twins = Twins(board, 2)
    end = twins.play(1, Style(claims=1, is_stubborn=True))
    assert (end.ending, end.version - end.last_progress) == ("no_progress", MAX_IDLE + 1)
    assert twins.simulator.records[1]["ending"][0] == arrays.NO_PROGRESS


@pytest.mark.deep
@pytest.mark.parametrize("style", STYLES)
@tables
def test_many_games_are_the_same_on_every_board(board, seats, style, seed):
    twins = Twins(board, seats)
    for number in range(ceil(GAMES / len(board.players) / len(STYLES))):
        twins.play(1000 * seed + 100 * seats + number, STYLES[style])


@st.composite
def own_boards(draw) -> Board:
    """One of Fogg's boards or an invented map with other numbers: tiny decks and many wilds, few or
    many trains, other offers of tickets, doubles, stations, tie-breaks, and the rule of the
    globetrotter."""
    board = draw(
        st.sampled_from([*BOARDS.values()]) | st.builds(fresh_board, st.sampled_from(SEEDS))
    )
    table, most = board.table, board.players[-1]
    counts = draw(
        st.lists(st.integers(1, 5), min_size=len(board.colors), max_size=len(board.colors))
    )
    wild = draw(st.sampled_from((1, 3, 10, 30)))
    hand = draw(st.integers(0, max(0, (sum(counts[:-1]) + wild - 5) // most)))
    cards = dict(zip(board.colors, [*counts[:-1], wild + 5], strict=True))
    deal = draw(st.integers(1, 4))
    long = board.tickets_at_start.long
    start = (
        {"deal": deal, "keep": draw(st.integers(1, deal + long))}
        | ({"long": long} if long else {})
        | draw(st.sampled_from(({}, {"refused": "removed"})))
    )
    turn = draw(st.integers(1, 4))
    rules, more = [*table["rules"]], {}
    if draw(st.booleans()):
        rules.append("globetrotter")
        more["globetrotter_bonus"] = 15
    if "stations" in table:
        more["stations"] = draw(st.integers(1, 4))
    numbers = ["tickets_completed", "longest_path_length", "stations", "longest_path"]
    return changed(
        board,
        cards=cards,
        hand=hand,
        trains=draw(st.integers(3, 45)),
        rules=rules,
        tickets_at_start=start,
        tickets_on_a_turn={"deal": turn, "keep": draw(st.integers(1, turn))},
        doubles_closed_for=draw(st.sampled_from(([], [2], [2, 3, 4, 5]))),
        tie_breaks=draw(st.permutations(numbers))[: draw(st.integers(0, 4))],
        **more,
    )


@pytest.mark.parametrize("examples", [8, pytest.param(100, marks=pytest.mark.deep)])
def test_games_are_the_same_on_anyones_own_board(examples):
    settings(max_examples=examples)(play_on_own_board)()


@given(own_boards(), st.randoms(use_true_random=False), st.sampled_from([*STYLES.values()]))
def play_on_own_board(board, random, style):
    Twins(board, random.choice(board.players)).play(
        Random(random.random()).randrange(1 << 32), style
    )
