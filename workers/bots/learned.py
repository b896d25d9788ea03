"""Plays the action that a small trained network likes best; docs/built-in-bots.md tells how it was
trained. It decides in a few milliseconds and uses no randomness."""

from pathlib import Path
from random import Random
from typing import Any

from fogg_client.types import View
from fogg_simulator.policy import Policy, PolicyBot

from workers.bots.withdrawn import Withdrawn


class Learned(PolicyBot):
    """Plays the policy in ``learned.npz``, which was trained on USA and Europe for two players."""

    policy = Policy.load(Path(__file__).with_name("learned.npz"))

    def __init__(self, board: dict[str, Any], rng: Random):
        super().__init__(board, rng)
        self._withdrawn = Withdrawn()

    def choose(self, view: View) -> dict[str, Any]:
        return super().choose(self._withdrawn.avoid(view))
