"""The bot that plays at random."""

from random import Random

from fogg_client.types import Action, Board, View


class Uniform:
    """Plays any legal action, all with the same probability."""

    def __init__(self, board: Board, rng: Random):
        self._rng = rng

    def choose(self, view: View) -> Action:
        return self._rng.choice(view["you"]["legal_actions"])
