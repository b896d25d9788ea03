"""Rivals for environments with one learner: who plays the other seats.

Other distributions offer bots as rivals: an entry point of the group ``fogg_simulator.rivals``
names a mapping from names to classes of bots. That of ``fogg-server`` has the built-in bots.
"""

from collections import ChainMap
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from itertools import count
from random import Random

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fogg_simulator.arrays import NONE
from fogg_simulator.simulator import Simulator

Numbers = NDArray[np.int64]
# chooses an action in each of some games, given by their numbers
Rival = Callable[[Simulator, Numbers, np.random.Generator], Sequence[int] | Numbers]


class Table:
    """Games in which one seat learns and rivals play the others."""

    def __init__(
        self, board: str, seats: int, games: int, rivals: Sequence[str | Rival], seat: int
    ):
        """``rivals`` sit on the seats after ``seat``, in turn, again from the first if they are too
        few. Each is ``random``, the name of a bot, or a function."""
        if not rivals:
            raise ValueError("name at least one rival, such as random")
        self.simulator = Simulator(board, seats, games, restarts=False)
        self.seat = range(seats)[seat]
        made = {rival: rival_of(rival, self.simulator) for rival in rivals}
        self._rivals = {
            (self.seat + 1 + place) % seats: made[rivals[place % len(rivals)]]
            for place in range(seats - 1)
        }

    def play(
        self, actions: Numbers | None, random: np.random.Generator, games: ArrayLike = True
    ) -> None:
        """Play the learner's actions, if given, in the games that ``games`` is true for. Then let
        rivals play until the learner is to act in all games that are not over."""
        simulator = self.simulator
        if actions is not None:
            simulator.step(actions, games)
        while (waiting := simulator.mask.any(axis=1) & (simulator.seat != self.seat)).any():
            chosen = np.full(len(simulator), NONE)
            for seat, rival in self._rivals.items():
                games = np.flatnonzero(waiting & (simulator.seat == seat))
                if games.size:
                    chosen[games] = rival(simulator, games, random)
            simulator.step(chosen, waiting)

    def observe(self) -> NDArray[np.int16]:
        """Return new observations of the learner's seat, by game. (For a finished game the
        Simulator's own arrays show the observation of the seat that played last.)"""
        observations: NDArray[np.int16] = self.simulator.observe()[0].copy()
        for game in np.flatnonzero(self.simulator.seat != self.seat):
            observations[game] = self.simulator.observe_as(int(game), self.seat)
        return observations

    def margins(self) -> NDArray[np.float64]:
        return margins(self.simulator.scores)[:, self.seat]


def margins(scores: NDArray[np.int32]) -> NDArray[np.float64]:
    own = scores.astype(np.float64)
    others: NDArray[np.float64] = (own.sum(axis=1, keepdims=True) - own) / (own.shape[1] - 1)
    return own - others


def rival_of(rival: str | Rival, simulator: Simulator) -> Rival:
    if callable(rival):
        return rival
    if rival == "random":
        return lambda simulator, games, random: simulator.sample(random)[games]
    bots = ChainMap(*(entry.load() for entry in entry_points(group="fogg_simulator.rivals")))
    if rival not in bots:
        raise ValueError(f"there is no rival {rival}; there are random, {', '.join(bots)}")
    return bot_rival(bots[rival], simulator)


def bot_rival(kind: type, simulator: Simulator) -> Rival:
    """Return a rival that is a bot: a class whose instances choose from views."""
    numbers, versions = Random(), count(1)
    bot = kind(simulator.board.described, numbers)

    def choose(simulator: Simulator, games: Numbers, random: np.random.Generator) -> list[int]:
        chosen = []
        for game in games:
            numbers.seed(int(random.integers(1 << 62)))
            view = simulator.view(int(game))
            view |= {"id": simulator.seed(game).hex(), "version": next(versions)}
            chosen.append(simulator.views.number(bot.choose(view), view["you"].get("offered", ())))
        return chosen

    return choose
