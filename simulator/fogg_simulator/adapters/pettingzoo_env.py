"""A PettingZoo environment (AEC): every seat is an agent.

    import pettingzoo
    import fogg_simulator.adapters.pettingzoo_env  # registers the name

    env = pettingzoo.make("aec", "fogg/game-v0", board="usa", seats=3)

The agents are seat_0, seat_1 ...; an observation is the Simulator's. The mask of legal actions is
``infos[agent]["action_mask"]``, all zeros for an agent that is not to act. The reward, at the end
of a game, is the score less the mean of the others' scores. An action that is not legal ends the
game for its agent with the reward ``-simulator.most_points``, which is below that of every game. A
number that is no action raises AssertionError.
"""

from typing import Any, ClassVar

import numpy as np
import pettingzoo
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo.utils import wrappers
from pettingzoo.utils.env import AECEnv

from fogg_simulator.adapters.gymnasium_env import RENDERS, observation_space
from fogg_simulator.rendering import Rendered
from fogg_simulator.rivals import margins
from fogg_simulator.simulator import SEED_BYTES, Simulator

Observation = NDArray[np.int16]


class GameAEC(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game in which every seat is an agent."""

    metadata: ClassVar[dict[str, Any]] = {
        **RENDERS,
        "name": "fogg_game_v0",
        "is_parallelizable": False,
    }

    def __init__(self, board: str = "usa", seats: int = 2, render_mode: str | None = None):
        """``board``: the name of one of Fogg's boards, or the path of a table."""
        super().__init__()
        self.simulator, self.render_mode = Simulator(board, seats, restarts=False), render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.observation_spaces = {
            agent: observation_space(self.simulator) for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(self.simulator.actions) for agent in self.possible_agents
        }
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; ``options["deal"]`` may give its seed, as ``Simulator.begin`` takes it."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        deal = (options or {}).get("deal")
        self.simulator.begin(0, self._random.bytes(SEED_BYTES) if deal is None else deal)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._select()

    def observe(self, agent: str) -> Observation:
        return self.simulator.observe_as(0, self.possible_agents.index(agent))

    def render(self) -> Rendered | None:
        """Return the game as the selected agent sees it; None if no render mode was chosen."""
        seat, mode = self.possible_agents.index(self.agent_selection), self.render_mode
        return self.simulator.render(0, seat, mode) if mode else None

    def close(self) -> None:
        """Do nothing: PettingZoo asks for this next to ``render``."""

    def step(self, action: int) -> None:
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.simulator.step([action])
        if self.simulator.finished[0]:
            self.rewards = dict(
                zip(self.agents, margins(self.simulator.scores)[0].tolist(), strict=True)
            )
            self.terminations = dict.fromkeys(self.agents, True)
        self._select()
        self._accumulate_rewards()

    def _select(self) -> None:
        """Make the agent that is to act the selected one, and give it its mask."""
        mask = self.simulator.mask[0].astype(np.int8)
        self.agent_selection = self.possible_agents[int(self.simulator.seat[0])]
        self.infos = {
            agent: {"action_mask": mask if agent == self.agent_selection else np.zeros_like(mask)}
            for agent in self.agents
        }


def env(board: str = "usa", seats: int = 2, render_mode: str | None = None) -> Any:
    """Return the environment, wrapped in PettingZoo's usual checks of actions."""
    game = GameAEC(board, seats, render_mode)
    ends_if_illegal = wrappers.TerminateIllegalWrapper(
        game, illegal_reward=-float(game.simulator.most_points)
    )
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(ends_if_illegal))


pettingzoo.register("aec", "fogg/game-v0", f"{__name__}:env")
