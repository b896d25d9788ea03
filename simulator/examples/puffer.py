"""The simulator as a PufferLib environment: many games, in each of which a seat plays rivals.

PufferLib is no dependency of Fogg. With it installed:

    env = Fogg(num_games=256, rivals=["random"])
    env.async_reset(seed=7)
    observations, rewards, terminals, *others = env.recv()
    env.send(actions)

The mask of legal actions follows the observation, as PufferLib has no place of its own for it. A
game that is over begins again in the same step.
"""

import gymnasium
import numpy as np
import pufferlib
from fogg_simulator.rivals import Table

POINTS = 50  # points of margin that are a reward of 1


class Fogg(pufferlib.PufferEnv):
    """Games of one board; each is an agent of PufferLib's."""

    def __init__(self, board="usa", seats=2, num_games=256, rivals=("random",), buf=None, seed=0):
        self.table = Table(board, seats, num_games, rivals, seat=0)
        self.simulator, self.random = self.table.simulator, np.random.default_rng(seed)
        size = [*self.simulator.layout().values()][-1].stop + self.simulator.actions
        self.single_observation_space = gymnasium.spaces.Box(-1000, 1000, (size,), np.int16)
        self.single_action_space = gymnasium.spaces.Discrete(self.simulator.actions)
        self.num_agents, self.render_mode = num_games, None
        super().__init__(buf)

    def reset(self, seed=None):
        self.random = np.random.default_rng(seed)
        self._begin(range(self.num_agents))
        return self.observations, []

    def step(self, actions):
        legal = self.simulator.mask[np.arange(self.num_agents), actions].astype(bool)
        actions = np.where(legal, actions, self.simulator.sample(self.random))  # or a random one
        self.table.play(actions, self.random)
        over = self.simulator.finished.copy()
        self.rewards[:] = np.where(over, self.table.margins() / POINTS, 0)
        self.terminals[:] = over
        infos = [{"score": float(score)} for score in self.simulator.scores[over, 0]]
        self._begin(np.flatnonzero(over))
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def _begin(self, games):
        for game in games:
            self.simulator.begin(int(game), self.random.bytes(32))
        self.table.play(None, self.random)
        self.observations[:] = np.concatenate(self.simulator.observe(), axis=1)

    def close(self):
        pass
