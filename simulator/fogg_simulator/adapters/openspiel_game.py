"""A game of OpenSpiel's.

    import pyspiel
    import fogg_simulator.adapters.openspiel_game  # registers the name

    game = pyspiel.load_game("fogg(board=usa,players=2)")

Each card, each ticket and the first seat is the outcome of a chance node (``fogg_simulator.tree``).
The returns are margins: a score less the mean of the others'. An information state is the history
as a seat saw it. Its tensor holds the observation and the latest ``recall`` numbers of the history,
each plus 2, with 1 for what the seat did not see.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pyspiel

from fogg_simulator.layout import size_of
from fogg_simulator.simulator import IllegalAction
from fogg_simulator.tree import HIDDEN, Tree

LENGTH = 10_000  # actions of a game at most; no rule says so, as a tunnel may be tried any time

TYPE = pyspiel.GameType(
    short_name="fogg",
    long_name="Ticket to Ride rules, as Fogg plays them",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    min_num_players=2,
    max_num_players=5,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"board": "usa", "players": 2, "recall": 1000},
)


class Trees(threading.local):
    """The trees of a thread, one for each table. All states of a thread share them, because
    OpenSpiel copies a state with everything that it holds. A tree plays one game at a time, so each
    thread has its own."""

    def __init__(self) -> None:
        self.of = cache(Tree)


trees = Trees()


class Game(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A board with a number of players."""

    def __init__(self, params: dict[str, Any]):
        """``board``: the name of one of Fogg's boards, or the path of a table."""
        self.table = params["board"], params["players"]
        self.recall = params["recall"]
        if self.recall < 0:
            raise ValueError(f"recall is how many numbers a tensor holds, not {self.recall}")
        tree = trees.of(*self.table)
        most = float(tree.most_points)
        super().__init__(
            TYPE,
            pyspiel.GameInfo(
                num_distinct_actions=tree.actions,
                max_chance_outcomes=tree.outcomes,
                num_players=tree.seats,
                min_utility=-most,
                max_utility=most,
                utility_sum=0.0,
                max_game_length=LENGTH,
            ),
            params,
        )

    def new_initial_state(self) -> State:
        return State(self, self.table)

    def max_chance_nodes_in_history(self) -> int:
        """Return an upper bound of the number of moves in a game."""
        return LENGTH

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return an observer, which includes the history if perfect recall is asked for. Raise
        ValueError for one that sees less than a player."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError("an observer sees what is public together with what its player sees")
        return Observer(trees.of(*self.table), self.recall if kind.perfect_recall else None)


class State(pyspiel.State):  # type: ignore[misc]
    """A node of the tree."""

    def __init__(self, game: Game, table: tuple[str, int]):
        super().__init__(game)
        self.table = table
        self.node = self.tree.root

    @property
    def tree(self) -> Tree:
        return trees.of(*self.table)

    def current_player(self) -> int:
        """Return the current player: a seat, chance, or TERMINAL once the game is over."""
        if self.node.chance:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.node.margins else self.node.seat

    def is_terminal(self) -> bool:
        return bool(self.node.margins)

    def returns(self) -> list[float]:
        """Return the margins once the game is over, zeros before."""
        return [*self.node.margins] or [0.0] * self.tree.seats

    def chance_outcomes(self) -> list[tuple[int, float]]:
        weights = self.node.chance.weights if self.node.chance else {}
        return [(outcome, count / sum(weights.values())) for outcome, count in weights.items()]

    def resample_from_infostate(self, player_id: int, random: Callable[[], float]) -> State:
        """Return another state that the player cannot tell from this one. Raise ValueError at a
        chance node, or if there is no such player."""
        if not 0 <= player_id < self.tree.seats:
            raise ValueError(f"there is no player {player_id}")
        if self.node.chance:
            raise ValueError("only a state in which a player decides can be sampled again")
        fixed: set[int] = set()
        while True:
            state = self.get_game().new_initial_state()
            history = self.tree.other_history(self.node, player_id, random, fixed)
            try:
                for number in history:
                    state.apply_action(number)
            except IllegalAction:
                fixed |= self.tree.used(self.node, len(state.node.entries))
            else:
                return state  # type: ignore[no-any-return]

    def _legal_actions(self, player: int) -> tuple[int, ...]:
        return self.node.legal

    def _apply_action(self, number: int) -> None:
        self.node = self.tree.apply(self.node, number)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self.tree.describe_outcome(action)
        return self.tree.describe(action)

    def __str__(self) -> str:
        return " ".join(str(entry.number) for entry in self.node.entries)


class Observer:
    """A player's observation, and, unless ``recall`` is None, the history. The tensor has the
    latest ``recall`` numbers of the history."""

    def __init__(self, tree: Tree, recall: int | None):
        self._layout, self._recalls = tree.layout(), recall is not None
        observed = size_of(self._layout)
        self.tensor = np.zeros(observed + (recall or 0), np.float32)
        self.dict = {"observation": self.tensor[:observed]}
        if recall is not None:
            self.dict["history"] = self.tensor[observed:]

    def set_from(self, state: State, player: int) -> None:
        self.dict["observation"][:] = state.tree.observation(state.node, player)
        if self._recalls:
            history = self.dict["history"]
            seen = state.tree.seen(state.node, player)
            latest = seen[max(0, len(seen) - len(history)) :]
            history[:] = 0
            history[: len(latest)] = np.array(latest) + 2

    def string_from(self, state: State, player: int) -> str:
        """Return a player's observation of a state as text: the parts that are not zero, or the
        history."""
        if self._recalls:
            seen = state.tree.seen(state.node, player)
            return f"{player}: " + " ".join("?" if n == HIDDEN else str(n) for n in seen)
        observation = state.tree.observation(state.node, player)
        return "\n".join(
            f"{name}: {' '.join(map(str, observation[part]))}"
            for name, part in self._layout.items()
            if observation[part].any()
        )


pyspiel.register_game(TYPE, Game)
