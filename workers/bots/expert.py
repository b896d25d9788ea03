"""Plans like the planner, in the style that does best in playouts.

Playouts begin in many possible worlds that fit the view. In them each rival plays like a planner in
one half of the worlds, and in the expert's own usual style in the other.
Several styles and random changes of the usual one are compared, each played to the end of the game.
Each sensible action is then tried, followed by the best style. One that did well by chance proves
little, so the usual one is played unless another is better with some certainty.

The seat keeps its style from one decision to the next, and makes a new plan at each turn.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from random import Random

import numpy as np
from fogg_client import types
from fogg_client.types import Action, View

from workers.bots.search import hindrance, load, progress
from workers.bots.search.searching import Intent, searcher
from workers.bots.withdrawn import Withdrawn

SECONDS = 0.3  # CPU seconds for a decision, by default
CLOCK_SHARE = 0.5  # maximum share of the time that a clock allows for it
MAX_INTENTS = 256  # that are kept, of 7 kB each
DECISIONS = 50  # a bank of time must last for so many decisions


class Expert:
    """Plays in the style that does best, or an action that does better."""

    # of the preparation that each machine needs once; one that is made earlier waits for the rest
    prepared, hindrance = staticmethod(progress), staticmethod(hindrance)

    def __init__(self, board: types.Board, rng: Random, seconds: float = SECONDS, worlds: int = 0):
        """``board``: the table from the API; ``rng``: the source of guesses; ``seconds``: CPU
        seconds for a decision; ``worlds``: a fixed number of worlds instead. CPU time makes it play
        equally well on busy and idle machines."""
        self._rng, self._seconds, self._worlds = rng, seconds, worlds
        self._board, self._withdrawn = board, Withdrawn()
        # By game and seat: the version of the last decision, and what the seat then meant to do. A
        # worker that takes over a game does not know it, and begins with the usual style.
        self._intents: OrderedDict[tuple[str, int], tuple[int, Intent | None]] = OrderedDict()
        load()  # so that nothing is loaded while it thinks
        # called between worlds; returns the seconds that were spent on other work
        self.meanwhile: Callable[[], float] = float

    def choose(self, view: View) -> Action:
        view = self._withdrawn.avoid(view)
        legal = view["you"]["legal_actions"]
        if len(legal) == 1:
            return legal[0]
        end = time.thread_time() + self._seconds_for(view)
        random = np.random.default_rng(self._rng.getrandbits(64))
        game = view["id"], view["you"]["seat"]
        version, intent = self._intents.pop(game, (0, None))
        with searcher(self._board, len(view["seats"])) as search:
            search.look(view, random, intent if version < view["version"] else None)
            action = search.best(random, end, self._worlds, self.meanwhile)
            self._intents[game] = view["version"], search.intent
        if len(self._intents) > MAX_INTENTS:
            self._intents.popitem(last=False)
        return action

    def _seconds_for(self, view: View) -> float:
        """Return the CPU seconds for this decision, so that the clock suffices for the game."""
        if "clock" not in view:
            return self._seconds
        clock, bank = view["clock"], view["seats"][view["you"]["seat"]].get("bank")
        most = [self._seconds]
        if "per_decision" in clock:
            most.append(CLOCK_SHARE * clock["per_decision"])
        if bank is not None:
            each = bank / DECISIONS + CLOCK_SHARE * clock.get("increment", 0)
            most += [each, CLOCK_SHARE * bank]
        return min(most)
