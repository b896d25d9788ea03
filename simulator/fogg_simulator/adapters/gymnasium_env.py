"""Gymnasium environments: a seat plays against rivals.

    import gymnasium
    import fogg_simulator.adapters.gymnasium_env  # registers the name

    env = gymnasium.make("fogg/Game-v0", board="usa", rivals=["planner"])
    envs = gymnasium.make_vec("fogg/Game-v0", num_envs=256, board="usa")

An observation is the Simulator's; the mask of legal actions is ``info["action_mask"]``, and
``action_space.sample()`` chooses legal ones. The reward, at the end of a game, is the score less
the mean of the others' scores. An action that is not legal ends the game with the reward
``-simulator.most_points``, which is below that of every game.
"""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from fogg_simulator.arrays import NONE
from fogg_simulator.layout import size_of
from fogg_simulator.rendering import MODES, Rendered
from fogg_simulator.rivals import Rival, Table
from fogg_simulator.simulator import SEED_BYTES, Simulator, as_actions

Observation = NDArray[np.int16]
Info = dict[str, Any]
RANDOM = ("random",)
RENDERS = {"render_modes": [*MODES], "render_fps": 1}


class LegalAction(spaces.Discrete):
    """The actions of a board. ``sample()`` chooses a legal one of the game under way. A copy, as
    pickle makes one, knows no game: it is a plain Discrete."""

    def __init__(self, simulator: Simulator):
        super().__init__(simulator.actions)
        self._simulator = simulator

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Return a random action: of those in the mask, by default of the legal ones."""
        if mask is None and probability is None:
            mask = self._simulator.mask[0].astype(np.int8)
        return super().sample(mask, probability)

    def __reduce__(self) -> tuple[Any, ...]:
        return spaces.Discrete, (int(self.n),)


class LegalActions(spaces.MultiDiscrete):
    """The actions of a board, for each of many games. ``sample()`` chooses legal ones. A copy, as
    pickle makes one, knows no games: it is a plain MultiDiscrete."""

    def __init__(self, simulator: Simulator):
        super().__init__(np.full(len(simulator), simulator.actions))
        self._simulator = simulator

    def sample(self, mask: Any = None, probability: Any = None) -> NDArray[np.int64]:
        """Return random actions: of those in the masks, by default of the legal ones."""
        if mask is None and probability is None:
            return self._simulator.sample(self.np_random)
        return super().sample(mask, probability)

    def __reduce__(self) -> tuple[Any, ...]:
        return spaces.MultiDiscrete, (self.nvec,)


def observation_space(simulator: Simulator) -> spaces.Box:
    """Return the space of the observations: each number fits into 16 bits."""
    numbers, size = np.iinfo(np.int16), size_of(simulator.layout())
    return spaces.Box(numbers.min, numbers.max, (size,), np.int16)


class GameEnv(gymnasium.Env[Any, Any]):
    """One game at a time."""

    metadata: dict[str, Any] = RENDERS

    def __init__(
        self,
        board: str = "usa",
        seats: int = 2,
        rivals: Sequence[str | Rival] = RANDOM,
        seat: int = 0,
        render_mode: str | None = None,
    ):
        """``rivals``: the names of built-in bots, or functions (``fogg_simulator.rivals``), for the
        seats after the learner's ``seat``."""
        self._table = Table(board, seats, 1, rivals, seat)
        self.simulator, self.render_mode = self._table.simulator, render_mode
        self.action_space = LegalAction(self.simulator)
        self.observation_space = observation_space(self.simulator)

    def reset(
        self, *, seed: int | None = None, options: Info | None = None
    ) -> tuple[Observation, Info]:
        """Begin a game. ``options["deal"]`` may give its seed, as ``Simulator.begin`` takes it."""
        super().reset(seed=seed)
        deal = (options or {}).get("deal")
        self.simulator.begin(0, self.np_random.bytes(SEED_BYTES) if deal is None else deal)
        self._table.play(None, self.np_random)
        return self._observation(), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, Info]:
        """Play an action, and the rivals' until it is the learner's turn again."""
        if not (0 <= action < self.simulator.actions and self.simulator.mask[0, action]):
            info = self._info() | {"illegal": True}
            return self._observation(), -float(self.simulator.most_points), True, False, info
        self._table.play(np.array([action]), self.np_random)
        over = bool(self.simulator.finished[0])
        reward = float(self._table.margins()[0]) if over else 0.0
        return self._observation(), reward, over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal, under the name that sb3-contrib asks for."""
        mask: NDArray[np.bool_] = self.simulator.mask[0].astype(np.bool_)
        return mask

    def render(self) -> Rendered | None:
        """Return the game as the learner sees it; None if no render mode was chosen."""
        mode = self.render_mode
        return self.simulator.render(0, self._table.seat, mode) if mode else None

    def _observation(self) -> Observation:
        observation: Observation = self._table.observe()[0]
        return observation

    def _info(self) -> Info:
        info: Info = {"action_mask": self.simulator.mask[0].astype(np.int8)}
        if self.simulator.finished[0]:
            info |= {
                "scores": self.simulator.scores[0].tolist(),
                "rank": int(self.simulator.ranks[0, self._table.seat]),
            }
        return info


class GameVectorEnv(VectorEnv[Any, Any, Any]):
    """Many games at once. A game that is over begins again by itself: within the same step, where
    ``info["final_obs"]`` has its last observation and ``info["final_info"]`` the infos that belong
    to it; or, as most of Gymnasium's wrappers ask for, in the next step, whose action and reward
    then count for nothing."""

    def __init__(
        self,
        num_envs: int = 1,
        board: str = "usa",
        seats: int = 2,
        rivals: Sequence[str | Rival] = RANDOM,
        seat: int = 0,
        render_mode: str | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
    ):
        """The arguments are those of GameEnv, and SAME_STEP or NEXT_STEP."""
        self._mode = AutoresetMode(autoreset_mode)
        if self._mode is AutoresetMode.DISABLED:
            raise ValueError("games begin again by themselves: choose SAME_STEP or NEXT_STEP")
        self.metadata = {**RENDERS, "autoreset_mode": self._mode}
        self._table = Table(board, seats, num_envs, rivals, seat)
        self.simulator, self.num_envs = self._table.simulator, num_envs
        self.render_mode = render_mode
        self._begins = np.zeros(num_envs, np.bool_)  # games that begin again in the next step
        self.single_action_space = spaces.Discrete(self.simulator.actions)
        self.action_space = LegalActions(self.simulator)
        self.single_observation_space = observation_space(self.simulator)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: Info | None = None
    ) -> tuple[Observation, Info]:
        """Begin all games; ``seed`` is one number for all of them. There are no options."""
        if isinstance(seed, list):
            raise ValueError("one seed fixes all games: give a number, not a list")
        if options:
            raise ValueError(f"many games have no options, such as {next(iter(options))}")
        super().reset(seed=seed)
        self._begins[:] = False
        self._begin(~self._begins)
        return self._table.observe(), self._info()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """Play an action in each game, and the rivals' until it is the learner's turn again."""
        simulator, actions, begins = self.simulator, as_actions(actions), self._begins
        if actions.shape != begins.shape:
            raise ValueError(f"there are {self.num_envs} games, not {actions.shape}")
        legal = (actions >= 0) & (actions < simulator.actions) & ~begins
        legal[legal] = simulator.mask[legal, actions[legal]] == 1
        self._table.play(actions, self.np_random, legal)
        ended, illegal = simulator.finished & legal, ~(legal | begins)
        over, final = ended | illegal, Info()
        ends = np.where(legal, self._table.margins(), -float(simulator.most_points))
        if over.any():
            final = {
                "scores": simulator.scores.copy(),
                "_scores": ended,
                "rank": np.where(ended, simulator.ranks[:, self._table.seat], NONE),
                "_rank": ended,
                "illegal": illegal,
                "_illegal": illegal,
            }
        if self._mode is AutoresetMode.NEXT_STEP:
            self._begins = over.copy()
        elif over.any():
            observations, last = self._table.observe(), np.full(self.num_envs, None, np.object_)
            for game in np.flatnonzero(over):
                last[game] = observations[game]
            final = {
                "final_obs": last,
                "_final_obs": over,
                "_final_info": over,
                "final_info": self._info() | final,
            }
            begins = over
        if begins.any():
            self._begin(begins)
        return (
            self._table.observe(),
            np.where(over, ends, 0.0),
            over,
            np.zeros_like(over),
            self._info() | final,
        )

    def render(self) -> tuple[Rendered, ...] | None:
        """Return each game as the learner sees it; None if no render mode was chosen."""
        mode, seat = self.render_mode, self._table.seat
        games = range(self.num_envs)
        return tuple(self.simulator.render(game, seat, mode) for game in games) if mode else None

    def _begin(self, games: NDArray[np.bool_]) -> None:
        for game in np.flatnonzero(games):
            self.simulator.begin(int(game), self.np_random.bytes(SEED_BYTES))
        self._table.play(None, self.np_random)

    def _info(self) -> Info:
        return {
            "action_mask": self.simulator.mask.astype(np.int8),
            "_action_mask": np.ones(self.num_envs, np.bool_),
        }


gymnasium.register(
    "fogg/Game-v0", f"{__name__}:GameEnv", vector_entry_point=f"{__name__}:GameVectorEnv"
)
