"""Policies: features by numpy alone, weights in a file, and a bot that plays them."""

import subprocess
import sys
from collections import Counter
from hashlib import sha256
from random import Random

import numpy as np
import pytest
from fogg_simulator import IllegalAction, Simulator, features
from fogg_simulator.policy import Features, NoPolicy, Policy, board_of, bot_class
from fogg_simulator.views import Views

from domain.boards import FOLDER, load_folder, parse
from tests.simulator import plain_features
from workers.bots.learned import Learned

BOARDS = load_folder()
RANDOM = np.random.default_rng(3)
DIGEST = "30fc460f253c393b50f667ada21f3259ceafc402382a4813747e8b8852c292b7"


TABLES = [
    pytest.param(
        board, seats, id=f"{board.id}-{seats}", marks=[pytest.mark.deep] if seats > 2 else []
    )
    for board in BOARDS.values()
    for seats in board.players
]
ROUNDING = 1e-4  # points
ROUNDED = ["tickets_in_time", "detour", "urgency", "tickets_worth", "kept_cost", "kept_value"]


def decisions(board, seats, games=1, seed=8):
    """Yield a simulator before each step of games in which half of the actions are good ones."""
    simulator = Simulator(board, seats, games, seed=seed, restarts=False)
    made, random = Features(board, seats), np.random.default_rng(seed)
    while not simulator.finished.all():
        yield simulator
        chosen = simulator.sample(random)
        for game in np.flatnonzero(~simulator.finished):
            if random.random() < 0.5:
                observations, mask = simulator.observe()
                rows, actions = made.of(observations[game], mask[game])
                chosen[game] = actions[Learned.policy.scores(rows).argmax()]
        simulator.step(chosen, ~simulator.finished)


@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_features_are_those_of_a_plain_computation_to_the_last_bit(board, seats):
    """In whole games. Compiled, some numbers are rounded once more or less than by numpy, and have
    been so from the beginning: they differ by as much at most. So of two plans that cost the same,
    either is right."""
    chart, made = plain_features.chart_of(board, seats), Features(board, seats)
    rounded, close = np.isin(features.NAMES, ROUNDED), np.isin(features.NAMES, ROUNDED[1:])
    for simulator in decisions(board, seats):
        observations, mask = simulator.observe()
        rows, actions = plain_features.rows_of(chart, observations[0], mask[0])
        by_numpy, same_actions = made.of(observations[0], mask[0])
        assert same_actions.tolist() == actions.tolist()
        assert by_numpy.tobytes() == rows.tobytes()
        compiled, same_actions, _ = simulator.features()
        assert same_actions.tolist() == actions.tolist()
        due = [
            rows,
            *(
                plain_features.rows_of(chart, observations[0], mask[0], gain)[0]
                for gain in (ROUNDING, -ROUNDING)
            ),
        ]
        assert any(
            compiled[:, ~rounded].tobytes() == one[:, ~rounded].tobytes()
            and np.allclose(compiled[:, close], one[:, close], atol=1e-5)
            for one in due
        )


def test_compiled_features_are_what_they_have_always_been():
    """Their bytes in games of one board after the other, with each number of seats."""
    digest = sha256()
    for board in BOARDS.values():
        for seats in board.players:
            simulator, random = Simulator(board, seats, 4, seed=70), np.random.default_rng(seats)
            for _ in range(300):
                rows, actions, ends = simulator.features()
                digest.update(rows.tobytes() + actions.tobytes() + ends.tobytes())
                simulator.step(simulator.sample(random))
    assert digest.hexdigest() == DIGEST


def test_any_number_of_threads_gives_the_same_results():
    one, many = (Simulator("europe", 3, 200, seed=5, threads=threads) for threads in (1, 3))
    random = np.random.default_rng(5)
    for _ in range(40):
        for ours, theirs in zip(one.features(), many.features(), strict=True):
            assert ours.tobytes() == theirs.tobytes()
        actions = one.sample(random)
        for ours, theirs in zip(one.step(actions), many.step(actions), strict=True):
            assert ours.tobytes() == theirs.tobytes()
        for ours, theirs in zip(one.observe(), many.observe(), strict=True):
            assert ours.tobytes() == theirs.tobytes()
    actions = many.sample(random)
    actions[150] = 10**6
    before = many.save(0)
    with pytest.raises(IllegalAction, match="in game 150"):
        many.step(actions)
    assert many.save(0) == before


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_every_decision_has_rows_of_legal_actions_one_for_each_thing_that_can_be_done(board):
    simulator, made = Simulator(board, 3, seed=8, restarts=False), Features(board, 3)
    random = np.random.default_rng(2)
    ways = simulator._tables.ways
    for _ in range(60):
        observations, mask = simulator.observe()
        rows, actions = made.of(observations[0], mask[0])
        assert np.isfinite(rows).all()
        assert np.abs(rows).max() < 20
        legal = {tuple(way[:2]) for way in ways[np.flatnonzero(mask[0])].tolist()}
        assert {tuple(way[:2]) for way in ways[actions].tolist()} == legal
        assert mask[0, actions].all()
        simulator.step(simulator.sample(random))


def test_a_route_on_the_way_of_a_ticket_is_planned():
    simulator, made = Simulator("usa", seed=2), Features(BOARDS["usa"], 2)
    game = simulator._games[0]
    while game["step"] == 0:
        simulator.step(simulator.sample(RANDOM))
    seat = int(simulator.seat[0])
    game["holder"][:] = -1
    [ticket] = [n for n, t in enumerate(simulator.board.tickets) if t.id == "denver--el-paso"]
    game["holder"][ticket] = seat
    game["hands"][seat] = 6
    simulator.load(0, simulator.save(0))
    observations, mask = simulator.observe()
    rows, actions = made.of(observations[0], mask[0])
    planned = [
        simulator.board.routes[simulator._tables.ways[action][1]]
        for row, action in zip(rows, actions, strict=True)
        if row[features.A_PLANNED]
    ]
    ends = Counter(end for route in planned for end in (route.a, route.b))
    assert {end for end, count in ends.items() if count == 1} == {"denver", "el-paso"}
    assert rows[:, features.A_COMPLETES].max() == 0


def test_a_policy_is_the_same_after_a_way_through_a_file(tmp_path):
    policy = Policy.new(16, np.random.default_rng(1))
    policy.weights["out"] += 1
    policy.save(tmp_path / "policy.npz")
    rows = RANDOM.random((5, len(features.NAMES)), np.float32)
    assert (Policy.load(tmp_path / "policy.npz").scores(rows) == policy.scores(rows)).all()


def damaged(path, change) -> None:
    """Write a policy whose bytes were changed."""
    Policy.new(4, np.random.default_rng(1)).save(path)
    path.write_bytes(change(path.read_bytes()))


def with_weights(path, **weights) -> None:
    """Write a policy with other weights, or without those that are None."""
    kept = (
        Policy.new(4, np.random.default_rng(1)).weights
        | {"features": np.array(features.NAMES)}
        | weights
    )
    np.savez(path, **{name: array for name, array in kept.items() if array is not None})


def one_array(path) -> None:
    with path.open("wb") as file:
        np.save(file, np.ones(3))


@pytest.mark.parametrize(
    ("write", "reason"),
    [
        (lambda path: path.write_bytes(b""), "damaged, or no file"),
        (lambda path: path.write_text("weights"), "damaged, or no file"),
        (lambda path: damaged(path, lambda whole: whole[: len(whole) // 2]), "damaged, or no file"),
        (
            lambda path: damaged(path, lambda whole: whole[:300] + b"x" * 40 + whole[340:]),
            "damaged, or no file",
        ),
        (one_array, "damaged, or no file"),
        (lambda path: np.savez(path, features=np.array([{}], object)), "damaged, or no file"),
        (lambda path: np.savez(path, weights=[1]), "not made for the features of this version"),
        (lambda path: np.savez(path, features=["trains"]), "not made for the features"),
        (lambda path: with_weights(path, bias=None, out=None), "bias and out should be in it"),
        (lambda path: with_weights(path, hidden=np.ones((3, 4))), r"hidden .* shape \(79, 4\)"),
        (lambda path: with_weights(path, direct=np.full(79, np.nan)), "direct should be numbers"),
        (lambda path: with_weights(path, direct=np.full(79, 3e38)), "direct .* from -1,"),
        (
            lambda path: np.savez_compressed(path, more=np.zeros(10**7)),
            "more than 50,000,000 bytes",
        ),
        (lambda path: with_weights(path, direct=np.full(79, "1")), "direct should be numbers"),
    ],
    ids=[
        "empty",
        "text",
        "half",
        "bytes-changed",
        "one-array",
        "objects",
        "no-features",
        "other-features",
        "missing",
        "other-shape",
        "no-number",
        "too-large",
        "too-much",
        "no-numbers",
    ],
)
def test_a_file_without_a_policy_is_refused_in_a_sentence(tmp_path, write, reason):
    path = tmp_path / "policy.npz"
    write(path)
    with pytest.raises(NoPolicy, match=reason):
        Policy.load(path)


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_a_bot_plays_a_policy_to_the_end_of_a_game(board, tmp_path):
    policy = Policy.new(8, np.random.default_rng(1))
    policy.weights["direct"][[features.A_PLANNED, features.A_CLAIM]] = 1
    policy.save(tmp_path / "eager.npz")
    kind = bot_class(str(tmp_path / "eager.npz"))
    assert kind.__name__ == "eager"
    bot, views = kind(board.described, Random(1)), Views(board, 2)
    simulator = Simulator(board, seed=6, restarts=False)
    while not simulator.finished[0]:
        observations, mask = simulator.observe()
        view = views.view(observations[0], mask[0])
        action = bot.choose(view)
        assert action in view["you"]["legal_actions"]
        simulator.step([views.number(action, view["you"].get("offered", ()))])


def test_the_board_of_the_api_is_the_same_board():
    for board in BOARDS.values():
        assert board_of(board.described) == board
    table = (FOLDER / "london.json").read_text().replace('"name"', '"subtitle": "x", "name"', 1)
    assert board_of(parse(table).described).digest == parse(table).digest
    with pytest.raises(ValueError, match="members that this version does not know"):
        board_of(BOARDS["usa"].described | {"trains": 44})


def test_a_policy_plays_without_numba():
    check = "import sys, fogg_simulator.policy; assert not {'numba', 'networkx'} & {*sys.modules}"
    subprocess.run([sys.executable, "-c", check], check=True)
