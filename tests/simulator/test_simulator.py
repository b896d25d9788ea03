"""The simulator's own promises: seeds, masks, descriptions, and boards that it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from random import Random

import networkx as nx
import numpy as np
import pytest
from fogg_simulator import IllegalAction, NotCompiled, Simulator, arrays
from fogg_simulator.limits import refusal
from fogg_simulator.rules import chance, network
from fogg_simulator.views import Views
from numba import njit

from domain.boards import FOLDER, load_folder, parse
from domain.chance import Chance
from domain.game.view import view
from domain.rules import RULES
from domain.rules.rule import Rule
from tests.domain.given import dealt
from tests.outside import BOARDS as OUTSIDE
from tests.outside import MODULES
from workers.bots import BOTS

BOARDS = load_folder()
USA = json.loads((FOLDER / "usa.json").read_text())


def play(simulator: Simulator, steps: int, seed: int = 0) -> None:
    random = np.random.default_rng(seed)
    for _ in range(steps):
        simulator.step([random.choice(np.flatnonzero(mask)) for mask in simulator.mask])


@pytest.mark.parametrize(
    ("table", "rules", "says"),
    [
        *(
            (
                OUTSIDE[rule.name].table,
                [rule],
                f"the rule {rule.name} of the board {OUTSIDE[rule.name].name} has no compiled",
            )
            for rule in [module.RULE for module in MODULES]
        ),
        (USA, [Rule(name="new", common=True)], "the rule new of the board USA"),
        (
            USA | {"points": dict.fromkeys(USA["points"], 999)},
            [],
            "routes may bring a seat 44955 points",
        ),
    ],
    ids=[*(module.RULE.name for module in MODULES), "common rule", "points"],
)
def test_a_board_that_is_not_compiled_is_refused(table, rules, says):
    with pytest.raises(NotCompiled, match=says):
        Simulator(parse(json.dumps(table), rules=(*RULES, *rules)))


@pytest.mark.parametrize(
    "members",
    [
        {"trains": 99, "hand": 15, "longest_path_bonus": 999},
        *({"tickets_on_a_turn": {"deal": deal, "keep": deal}} for deal in (12, 13)),
        *({"cards": {f"c{n}": 999 for n in range(colors)} | USA["cards"]} for colors in (29, 40)),
    ],
)
def test_a_bot_plays_each_board_that_is_not_refused(members):
    board = parse(json.dumps(USA | members))
    if board.once(refusal):
        with pytest.raises(NotCompiled, match=board.once(refusal)):
            Views(board, 2)
        return
    seen = json.loads(json.dumps(view(dealt(2, board=board), 0, sealed=True)))
    assert BOTS["learned"](board.described, Random(1)).choose(seen) in seen["you"]["legal_actions"]


def test_a_board_may_be_named_by_a_path_and_unknown_names_and_seats_are_refused():
    assert Simulator(str(FOLDER / "london.json")).board == BOARDS["london"]
    with pytest.raises(ValueError, match=r"there is no board atlantis.*london, paris"):
        Simulator("atlantis")
    with pytest.raises(ValueError, match="London is for 2 to 4 players, not 5"):
        Simulator("london", seats=5)
    with pytest.raises(ValueError, match="at least 1 thread, not 0"):
        Simulator("london", threads=0)


def test_an_action_outside_the_mask_is_refused_and_nothing_is_played():
    simulator = Simulator("paris", games=2)
    before = simulator._games.copy()
    legal = [np.flatnonzero(mask)[0] for mask in simulator.mask]
    for wrong in (simulator.actions - 1, -1, simulator.actions):
        with pytest.raises(IllegalAction, match=rf"in game 1, action {wrong} is not legal"):
            simulator.step([legal[0], wrong])
    with pytest.raises(ValueError, match="there are 2 games"):
        simulator.step([legal[0]])
    assert (simulator._games == before).all()
    simulator.step([legal[0], -1], [True, False])
    assert (simulator._games != before).tolist() == [True, False]


def test_one_seed_fixes_all_games_and_each_next_one():
    one, other = (Simulator("paris", games=8, seed=5) for _ in range(2))
    for simulator in (one, other):
        play(simulator, 200)
    assert (one._games == other._games).all()
    assert one.seed(3) == other.seed(3)
    number = int.from_bytes(one.seed(3))
    assert number > 8
    assert (number - 5) % 8 == 3


def test_a_finished_game_reports_its_final_scores_and_begins_again():
    simulator = Simulator("paris", seats=2, games=1)
    while not simulator.finished[0]:
        play(simulator, 1)
    results = simulator.results(0)
    assert simulator.scores[0].tolist() == [result["total"] for result in results]
    assert simulator.ranks[0].tolist() == [result["rank"] for result in results]
    assert simulator.mask[0].any()
    assert simulator.seed(0) == (1).to_bytes(32, "big")
    play(simulator, 1)
    assert simulator.scores[0].tolist() == [0, 0]


def test_a_seat_that_has_left_can_neither_play_nor_leave_again():
    simulator = Simulator("london", seats=2, games=2, restarts=False)
    before = simulator._games[0].copy()
    simulator.resign(1, 0)
    assert simulator.finished.tolist() == [False, True]
    assert simulator._games[0] == before
    for seat in (0, -2):  # from the end, too
        with pytest.raises(IllegalAction, match="seat 0 is no longer in play"):
            simulator.resign(1, seat)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        *(
            ([actions], "whole numbers")
            for actions in ([14.0, 14.0], ["14", "14"], [True, True], [None, 14])
        ),
        (([14, 14], [0, 1]), "True or False of each game"),
    ],
)
def test_actions_are_whole_numbers_and_games_are_chosen_by_booleans(arguments, says):
    with pytest.raises(TypeError, match=says):
        Simulator("usa", games=2).step(*arguments)


def test_in_a_game_that_is_over_no_action_is_legal():
    simulator, random = Simulator("paris", restarts=False), np.random.default_rng(1)
    while not simulator.finished[0]:
        simulator.step(simulator.sample(random))
    for action in (int(simulator.sample(random)[0]), 3):
        with pytest.raises(IllegalAction, match=f"action {action} is not legal: the game is over"):
            simulator.step([action])


def test_actions_are_listed_as_in_a_view():
    simulator = Simulator("usa", seed=3)
    views = Views(simulator.board, 2)
    view = views.view(simulator.observe()[0][0], simulator.mask[0])
    numbers = np.flatnonzero(simulator.mask[0])
    assert [simulator.action(0, number) for number in numbers] == view["you"]["legal_actions"]


USERS_OWN = """
from fogg_simulator import Board, Simulator

simulator: Simulator = Simulator("usa")
reveal_type(simulator.board)

def trains(board: Board) -> int:
    return board.trains
"""


def test_a_program_with_types_is_checked_against_ours(tmp_path):
    """``domain`` has types for others, too, and a name that does not exist is an error."""
    (tmp_path / "own.py").write_text(USERS_OWN)
    (tmp_path / "wrong.py").write_text("from fogg_simulator import Simulater\n")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "own.py", "wrong.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert 'Revealed type is "domain.board.board.Board"' in checked.stdout
    [error] = [line for line in checked.stdout.splitlines() if ": error: " in line]
    assert 'has no attribute "Simulater"' in error


@pytest.mark.parametrize(
    ("seed", "error"),
    [(-1, "a seed is from 0 to"), (1 << 256, "a seed is from 0 to"), (b"short", "32 bytes")],
)
def test_a_seed_that_is_none_is_refused_and_one_of_numpy_is_not(seed, error):
    simulator = Simulator("usa", seed=np.uint8(3))
    assert simulator.seed(0) == Simulator("usa", seed=3).seed(0)
    with pytest.raises(ValueError, match=error):
        simulator.begin(0, seed)


def test_every_action_is_described_in_words_of_its_own():
    for board in BOARDS.values():
        simulator = Simulator(board)
        words = [simulator.describe(action) for action in range(simulator.actions)]
        assert len(set(words)) == len(words)


@pytest.mark.parametrize(
    ("board", "action", "words"),
    [
        ("usa", 0, "draw the top card of the deck"),
        ("usa", 9, "take a wild card of the row"),
        ("usa", 10, "draw tickets"),
        ("usa", 16, "keep of the offered tickets number 1, 3"),
        ("usa", 100, "claim boston--montreal with 1 orange and 1 wild"),
        ("europe", -2, "withdraw from the tunnel"),
        ("europe", -1, "pass"),
    ],
)
def test_descriptions_stay_as_they_are(board, action, words):
    simulator = Simulator(board)
    assert simulator.describe(range(simulator.actions)[action]) == words


@pytest.mark.parametrize("action", [-1, 10**6])
def test_a_number_without_an_action_has_no_description(action):
    simulator = Simulator("paris")
    for shown in (simulator.describe, partial(simulator.action, 0)):
        with pytest.raises(IndexError, match=f"{action} is no action of this board"):
            shown(action)


@njit
def longest(boards, games):
    network.connect(boards[0], games[0], 0)
    return network.longest_trail_length(boards[0], games[0], 0)


@pytest.mark.parametrize(
    ("graph", "length"),
    [
        (nx.complete_graph(10), 41),
        (nx.complete_bipartite_graph(3, 15), 32),
        (nx.complete_bipartite_graph(5, 9), 38),
        (nx.grid_2d_graph(5, 5), 34),
        (nx.petersen_graph(), 11),
        (nx.star_graph(45), 2),
    ],
    ids=["everyone to everyone", "three hubs", "five hubs", "a grid", "Petersen", "a star"],
)
def test_7_2_networks_that_defy_the_search_have_the_longest_trail_that_the_domain_finds(
    graph, length
):
    board = np.zeros(1, arrays.board_type(arrays.STANDARD))
    game = np.zeros(1, arrays.game_type(arrays.STANDARD))
    places = {node: number for number, node in enumerate(graph)}
    board["locations"], board["routes"] = len(places), graph.number_of_edges()
    game["owner"] = arrays.NONE
    for route, (a, b) in enumerate(graph.edges()):
        for name, value in (("a", places[a]), ("b", places[b]), ("length", 1)):
            board[name][0, route] = value
        game["owner"][0, route] = 0
    assert longest(board, game) == length


@njit
def use(games, seed, number):
    """Begin the draws of the label cards/NUMBER."""
    chance.use_seed(games[0], seed, 2)
    chance.use_label(games[0], chance.CARDS, number)


@njit
def draw(games, n):
    return chance.below(games[0], n)


def test_numbers_above_the_largest_multiple_are_skipped_whether_or_not_all_lanes_have_them():
    game, seed = np.zeros(1, arrays.game_type(arrays.STANDARD)), bytes(range(32))
    below = Chance(seed, ["", ""]).draws("cards/12")
    expected = [below(110) for _ in range(130)]
    use(game, np.frombuffer(seed, np.uint8), 12)
    assert [draw(game, 110) for _ in expected] == expected
    use(game, np.frombuffer(seed, np.uint8), 12)
    assert draw(game, 110) == expected[0]
    limit = (1 << 64) - (1 << 64) % 110
    for lane, number in enumerate((limit, limit - 1, limit, limit - 110)):
        game["state"][0, :2, lane + 1] = number >> 32, number & 0xFFFFFFFF
    assert [draw(game, 110), draw(game, 110)] == [109, 0]
    game["state"] = 0xFFFFFFFF
    assert draw(game, 64) == 63
    assert [draw(game, 110) for _ in range(3)] == expected[arrays.LANES : arrays.LANES + 3]
