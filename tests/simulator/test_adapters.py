"""The simulator in Gymnasium, PettingZoo and OpenSpiel: their own checks, and the promises of
ours."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from random import Random

import fogg_simulator.adapters.gymnasium_env  # noqa: F401 (registers the name)
import gymnasium
import numpy as np
import pettingzoo
import pyspiel
import pytest
from fogg_simulator import Simulator
from fogg_simulator.adapters import openspiel_game, pettingzoo_env
from fogg_simulator.rivals import Table
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList, NormalizeObservation
from pettingzoo.test import api_test, render_test, seed_test

NAME, AEC = "fogg/Game-v0", "fogg/game-v0"


def play(env, seed):
    """Play a game at random; return its rewards and the last info."""
    _, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    rewards, over = [], False
    while not over:
        assert (info["action_mask"] == env.unwrapped.simulator.mask[0]).all()
        _, reward, over, _, info = env.step(env.action_space.sample())
        rewards.append(reward)
    return rewards, info


@pytest.mark.parametrize(
    ("board", "seats", "rivals"), [("paris", 2, ["random"]), ("london", 3, ["random", "greedy"])]
)
def test_gymnasium_checks_the_environment(board, seats, rivals):
    env = gymnasium.make(NAME, board=board, seats=seats, rivals=rivals)
    check_env(env.unwrapped)


def test_the_reward_is_the_margin_and_comes_at_the_end():
    """The last observation is the learner's, too."""
    env = gymnasium.make(NAME, board="london", seats=3, seat=1)
    rewards, info = play(env, 4)
    first, own, last = info["scores"]
    assert rewards[-1] == own - (first + last) / 2
    assert not any(rewards[:-1])
    assert info["rank"] == 1 + sum(other > own for other in (first, last))
    assert env.unwrapped._observation()[1] == 1


def test_a_seed_fixes_a_game_and_its_rivals():
    env = gymnasium.make(NAME, board="paris", rivals=["greedy"])
    env.reset(options={"deal": 12})  # a deal of the service
    assert env.unwrapped.simulator.seed(0) == Simulator("paris", seed=12).seed(0)
    games = [play(env, seed) for seed in (1, 2, 1)]
    scores = [(len(rewards), info["scores"]) for rewards, info in games]
    assert scores[0] == scores[2] != scores[1]


def test_an_illegal_action_ends_the_game():
    env = gymnasium.make(NAME, board="usa").unwrapped
    env.reset(seed=1)
    count, legal = env.simulator.actions, np.flatnonzero(env.action_masks())
    worst = -env.simulator.most_points
    for action in (count - 1, count, -1, legal[0] - count):
        env.reset(seed=1)
        _, reward, over, _, info = env.step(action)
        assert (reward, over, info["illegal"]) == (worst, True, True)
    assert not env.action_masks()[-1]


def test_a_number_that_is_no_action_is_illegal_in_its_game_alone():
    envs = gymnasium.make_vec(NAME, num_envs=3, board="usa").unwrapped
    envs.reset(seed=1)
    legal = np.flatnonzero(envs.simulator.mask[0])[0]
    _, rewards, over, _, _ = envs.step(
        np.array([legal, legal - envs.simulator.actions, envs.simulator.actions])
    )
    assert over.tolist() == [False, True, True]
    worst = -envs.simulator.most_points
    assert rewards.tolist() == [0, worst, worst]


@pytest.mark.parametrize("board", ["usa", "europe"])
def test_no_game_is_worth_less_than_an_illegal_action(board):
    env = gymnasium.make(NAME, board=board, rivals=["planner"])
    for seed in range(3):  # a seat that draws all tickets and claims nothing
        _, info = env.reset(seed=seed)
        env.action_space.seed(seed)
        over = False
        while not over:
            keep = [
                action
                for action in np.flatnonzero(info["action_mask"])
                if env.unwrapped.simulator.describe(action).startswith(("draw tick", "keep"))
            ]
            action = keep[-1] if keep else env.action_space.sample()
            _, reward, over, _, info = env.step(action)
        assert -env.unwrapped.simulator.most_points < reward < -200
        assert not info.get("illegal")


def test_expert_can_be_a_rival():
    env = gymnasium.make(NAME, board="paris", rivals=["expert"]).unwrapped
    env.reset(seed=1)
    env.action_space.seed(1)
    for _ in range(3):
        assert not env.step(env.action_space.sample())[2]


def test_games_of_a_vector_begin_again_in_the_step_that_ends_them():
    envs = gymnasium.make_vec(NAME, num_envs=6, board="paris", rivals=["random"])
    assert envs.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    observation, info = envs.reset(seed=5)
    envs.action_space.seed(5)
    layout, ended = envs.unwrapped.simulator.layout(), 0
    step, points, number = (layout[name] for name in ("step", "seat 0: points", "number"))
    while ended < 20:
        before = observation.copy()
        observation, rewards, over, truncated, info = envs.step(envs.action_space.sample())
        assert not truncated.any()
        assert not rewards[~over].any()
        assert envs.observation_space.contains(observation)
        assert info["action_mask"].any(axis=1).all()
        for game in np.flatnonzero(over):
            ended += 1
            own, other = info["final_info"]["scores"][game]
            assert rewards[game] == own - other
            assert observation[game, step] == 0
            assert info["final_obs"][game][step] == 5
            assert info["final_obs"][game][number] == 0
            assert info["_final_info"][game]
            assert info["final_obs"][game][points] >= before[game, points]
    illegal = np.full(6, envs.unwrapped.simulator.actions - 1)
    *_, info = envs.step(illegal)
    assert info["final_info"]["illegal"].all()
    assert not info["final_info"]["_rank"].any()
    assert (info["final_info"]["rank"] == -1).all()
    again, _ = envs.reset(seed=5)
    assert (again == envs.reset(seed=5)[0]).all()
    with pytest.raises(ValueError, match="many games have no options, such as deal"):
        envs.reset(options={"deal": 1})


def looks(simulator, games, random):
    """A rival whose choice follows from what it sees, without chance."""
    observations, mask = simulator.observe()
    legal = {game: np.flatnonzero(mask[game]) for game in games}
    return [legal[game][int(observations[game].sum()) % len(legal[game])] for game in games]


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
@pytest.mark.parametrize(("board", "seats"), [("paris", 2), ("london", 3)])
def test_a_vector_plays_as_so_many_single_environments(board, seats, mode):
    """Also where an action is not legal, and in the games that begin again."""
    asked = {"board": board, "seats": seats, "rivals": [looks], "seat": 1}
    envs = DictInfoToList(gymnasium.make_vec(NAME, num_envs=3, autoreset_mode=mode, **asked))
    singles = [gymnasium.make(NAME, **asked) for _ in range(3)]
    assert envs.metadata["autoreset_mode"] == mode
    assert envs.single_observation_space == singles[0].observation_space
    assert envs.single_action_space == singles[0].action_space
    random, ended, begins = np.random.default_rng(2), 0, [False] * 3

    def begun(game):
        return singles[game].reset(options={"deal": envs.unwrapped.simulator.seed(game)})

    observations, infos = envs.reset(seed=3)
    for game in range(3):
        np.testing.assert_equal((observations[game], infos[game]), begun(game))
    while ended < 9:
        masks = [info["action_mask"] for info in infos]
        actions = [
            random.choice(np.flatnonzero(mask)) if mask.any() and random.random() > 0.01 else -1
            for mask in masks
        ]
        observations, rewards, over, truncated, infos = envs.step(np.array(actions))
        for game, env in enumerate(singles):
            if begins[game]:
                (seen, info), outcome = begun(game), [0, False, False]
            else:
                seen, *outcome, info = env.step(actions[game])
            assert outcome == [rewards[game], over[game], truncated[game]]
            begins[game] = over[game] and mode is AutoresetMode.NEXT_STEP
            ended += over[game]
            if over[game] and not begins[game]:
                final = {"final_obs": seen, "final_info": info}
                seen, info = begun(game)
                info |= final
            np.testing.assert_equal((observations[game], infos[game]), (seen, info))


def test_wrappers_of_gymnasium_take_games_that_begin_again_in_the_next_step():
    many = gymnasium.make_vec(NAME, num_envs=2, board="paris", autoreset_mode="NextStep")
    envs = NormalizeObservation(many)
    envs.reset(seed=1)
    actions = np.array([-1, many.unwrapped.simulator.mask[1].argmax()])
    assert envs.step(actions)[2].tolist() == [True, False]
    _, rewards, over, *_ = envs.step(actions)
    assert (rewards[0], over[0]) == (0, False)
    for wrong in (actions[:1], actions[:, None], 3):
        with pytest.raises(ValueError, match="there are 2 games, not"):
            many.step(wrong)
    with pytest.raises(ValueError, match="choose SAME_STEP or NEXT_STEP"):
        gymnasium.make_vec(NAME, num_envs=2, autoreset_mode=AutoresetMode.DISABLED)


@pytest.mark.parametrize(("mode", "begins"), [("svg", "<svg"), ("ansi", "Paris, playing; face up")])
def test_each_environment_renders_in_the_chosen_mode_as_the_learner_sees_it(mode, begins):
    single = gymnasium.make(NAME, board="paris", seat=1, render_mode=mode)
    single.reset(seed=1)
    shown = single.render()
    assert shown.startswith(begins)
    assert shown == single.unwrapped.simulator.render(0, 1, mode)
    many = gymnasium.make_vec(NAME, num_envs=2, board="paris", render_mode=mode)
    many.reset(seed=1)
    assert [*many.render()] == [many.unwrapped.simulator.render(game, 0, mode) for game in (0, 1)]
    listed = gymnasium.make(NAME, board="paris", render_mode=f"{mode}_list")
    listed.reset(seed=1)
    assert len(listed.render()) == 1
    assert gymnasium.make_vec(NAME, num_envs=2, board="paris").render() is None


def test_environments_run_in_processes_of_their_own():
    envs = gymnasium.make_vec(NAME, num_envs=2, vectorization_mode="async", board="paris")
    try:
        _, info = envs.reset(seed=1)
        _, rewards, over, _, info = envs.step(info["action_mask"].argmax(axis=1))
        assert not rewards.any()
        assert not over.any()
        assert info["action_mask"].any(axis=1).all()
    finally:
        envs.close()
    for space in (gymnasium.make(NAME).action_space, gymnasium.make_vec(NAME, 3).action_space):
        assert pickle.loads(pickle.dumps(space)) == space


def test_a_rival_may_be_a_function_and_sits_on_every_other_seat():
    asked = set()

    def first(simulator, games, random):
        asked.update(simulator.seat[games].tolist())
        return simulator.mask[games].argmax(axis=1)

    table = Table("london", 4, 3, [first], seat=2)
    random = np.random.default_rng(1)
    table.play(None, random)
    while not table.simulator.finished.all():
        assert (table.simulator.seat == 2)[~table.simulator.finished].all()
        table.play(table.simulator.sample(random), random, ~table.simulator.finished)
    assert asked == {0, 1, 3}


@pytest.mark.parametrize(
    ("rivals", "says"),
    [(["napoleon"], "there is no rival napoleon"), ([], "name at least one rival")],
)
def test_unknown_rivals_are_refused(rivals, says):
    with pytest.raises(ValueError, match=says):
        Table("usa", 2, 1, rivals, 0)


def test_pettingzoo_checks_the_environment():
    api_test(pettingzoo.make("aec", AEC, board="london", seats=3), num_cycles=300)
    seed_test(lambda: pettingzoo_env.env("paris"), num_cycles=100)
    render_test(pettingzoo_env.env, {"svg": lambda shown: shown.startswith("<svg")})


def test_an_agent_that_is_not_to_act_has_no_legal_action_but_an_observation_of_its_own():
    env = pettingzoo_env.env("usa", seats=2)
    env.reset(seed=1)
    acting, other = env.agent_selection, ({*env.agents} - {env.agent_selection}).pop()
    assert env.infos[acting]["action_mask"].any()
    assert not env.infos[other]["action_mask"].any()
    assert env.observe(acting)[1] == env.agents.index(acting)
    assert env.observe(other)[1] == env.agents.index(other)


@pytest.mark.parametrize(
    "name", ["fogg(board=paris)", "fogg(board=london,players=3)", "fogg(board=europe,recall=100)"]
)
def test_openspiel_checks_the_game(name):
    game = pyspiel.load_game(name)
    assert game.get_type().short_name == openspiel_game.TYPE.short_name
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_a_state_is_sampled_again_from_what_a_player_knows():
    game, random = pyspiel.load_game("fogg(board=europe,players=3)"), Random(2)
    state = game.new_initial_state()
    with pytest.raises(ValueError, match="only a state in which a player decides"):
        state.resample_from_infostate(0, random.random)
    for _ in range(150):
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            assert sum(chances) == pytest.approx(1)
            state.apply_action(random.choices(outcomes, chances)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    for player in range(3):
        other = state.resample_from_infostate(player, random.random)
        assert other.history() != state.history()
        assert other.current_player() == state.current_player()
        for seen in (
            "information_state_string",
            "information_state_tensor",
            "observation_string",
            "observation_tensor",
        ):
            assert getattr(other, seen)(player) == getattr(state, seen)(player)
    assert "hand: " in state.observation_string(0)


def returns_of(seed):
    """The returns of a random game on Paris."""
    random = Random(seed)
    state = pyspiel.load_game("fogg(board=paris)").new_initial_state()
    while not state.is_terminal():
        outcomes, chances = (
            zip(*state.chance_outcomes(), strict=True)
            if state.is_chance_node()
            else (state.legal_actions(), None)
        )
        state.apply_action(random.choices(outcomes, chances)[0])
    return state.returns()


def test_states_in_several_threads_do_not_disturb_each_other():
    alone = [returns_of(seed) for seed in range(8)]
    with ThreadPoolExecutor(8) as threads:
        assert [*threads.map(returns_of, range(8))] == alone


def test_without_numbers_to_recall_an_information_state_is_still_the_history():
    state = pyspiel.load_game("fogg(recall=0)").new_initial_state()
    state.apply_action(3)
    assert state.information_state_string(0) == "0: 3"
    assert len(state.information_state_tensor(0)) == len(state.observation_tensor(0))


def test_unsupported_requests_of_openspiel_are_refused():
    game = pyspiel.load_game("fogg")
    with pytest.raises(ValueError, match="recall is how many numbers"):
        openspiel_game.Game({"board": "usa", "players": 2, "recall": -5})
    with pytest.raises(ValueError, match="sees what is public together with"):
        game.make_py_observer(
            pyspiel.IIGObservationType(
                public_info=True, perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
            )
        )
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(ValueError, match="there is no player 9"):
        state.resample_from_infostate(9, Random(1).random)
