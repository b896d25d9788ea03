"""The bot that plays at random."""

from __future__ import annotations

from random import Random

from fogg_client.types import Action, Board, View


class Uniform:
    """Plays any legal action, all with the same probability."""

    def __init__(self, board: Board, rng: Random):
        """``board``: the table from the API; ``rng``: the source of its choices."""
        self._rng = rng

    def choose(self, view: View) -> Action:
        """Return one of the view's legal actions."""
        return self._rng.choice(view["you"]["legal_actions"])
