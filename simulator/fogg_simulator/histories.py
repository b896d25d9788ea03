"""The games of a simulator as histories, as the service has them: ``fogg replay``, ``verify``,
``export --sqlite`` and ``import`` read them."""

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from domain.entry import SALT_BYTES, Step, history
from domain.errors import Refused
from domain.game.commands import CreateGame, Player
from domain.game.fold import play
from domain.game.state import FINISHED, State
from fogg_simulator.simulator import Simulator, as_actions


class Histories:
    """Plays the games of a simulator, and adds the history of each to a file when it ends.

    Make it before the first step. The domain plays each game again, which takes longer than the
    simulator. All times in a history are the end of its game. ``names`` are the players', by seat.
    """

    def __init__(self, sim: Simulator, out: str | Path, names: Sequence[str] = ()):
        self._sim, self._out = sim, Path(out)
        names = names or [f"seat {seat}" for seat in range(sim.seats)]
        self._players = tuple(
            [
                (Player(f"p_{seat}", name, "external", "p_me"), None)
                for seat, name in zip(range(sim.seats), names, strict=True)
            ]
        )
        self._seeds = [sim.seed(game) for game in range(len(sim))]
        self._played: list[list[int]] = [[] for _ in self._seeds]

    def step(
        self, actions: ArrayLike, games: ArrayLike = True
    ) -> tuple[NDArray[np.bool_], NDArray[np.int32]]:
        """Play as ``Simulator.step`` does, and write the games that have ended. Raise ValueError
        for one that was not played by this method alone, from its beginning."""
        finished, scores = self._sim.step(actions, games)
        chosen = as_actions(actions)
        for game in np.flatnonzero(np.broadcast_to(games, chosen.shape)).tolist():
            self._played[game].append(int(chosen[game]))
            if finished[game]:
                lines = self._history(self._seeds[game], self._played[game])
                with self._out.open("ab") as file:
                    file.write(lines)
                self._seeds[game], self._played[game] = self._sim.seed(game), []
        return finished, scores

    def _history(self, seed: bytes, played: list[int]) -> bytes:
        at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        events, state = play(
            State(self._sim.board),
            None,
            CreateGame(f"g_{secrets.token_hex(10)}", "p_me", self._players, seed, seed_known=True),
        )
        steps = [Step(at, events)]
        try:
            for number in played:
                seat, _ = state.deciding()[0]
                action = self._sim._actions.command(number, state.offered[seat])
                events, state = play(state, seat, action)
                steps.append(Step(at, events, seat, action.json))
            if state.status != FINISHED:
                raise LookupError("the game is not over")
        except (LookupError, Refused) as error:
            raise ValueError(
                "a game has ended that was not played from its beginning, by this step alone"
            ) from error
        return history(secrets.token_hex(SALT_BYTES), steps)
