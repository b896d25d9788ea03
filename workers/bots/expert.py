"""The planner, but for the tickets it keeps: those with which games played out end best.

It is no built-in bot, as it wins hardly more often than the planner; ``fogg arena planner
workers.bots.expert:Expert@0.5 --duplicate`` says how much. Tried as well and found to be of no use
or harmful: choosing by playouts what to do on a turn, be it all turns or those on which the planner
draws cards. What its guesses do not know, what rivals are about to take, matters most there.
"""

from __future__ import annotations

import time
from random import Random

from workers.bots.atlas import Atlas
from workers.bots.guess import Guesses
from workers.bots.planner import Planner
from workers.bots.playout import Playout
from workers.bots.sketch import Sketch

FEWEST = 8  # playouts of a choice before it is judged
SURE = 2  # standard errors by which a choice is worse than the best, and is dropped ...
WORSE = 0.5  # ... if by so many points beside
SPREAD = 10.0  # points by which choices differ, roughly: where playouts say less ...
DOUBT = 1.0  # ... the planner's is taken to be so much better


class Expert:
    """Plays what the planner plays; keeps the tickets that playouts favour."""

    def __init__(self, board: dict, rng: Random, seconds: float = 0.3, playouts: int = 0):
        """``board``: as served; ``rng``: where guesses come from; ``seconds``: for a decision, or
        instead so many ``playouts``, if they are given, whatever time they take."""
        self._rng, self._seconds, self._playouts = rng, seconds, playouts
        self._atlas, self._planner = Atlas(board), Planner(board, rng)
        self._sketch = Sketch(self._atlas)

    def choose(self, view: dict) -> dict:
        """Return one of the view's legal actions."""
        end = time.perf_counter() + self._seconds
        usual = self._planner.choose(view)
        choices = [usual, *(a for a in view["you"]["legal_actions"] if a != usual)]
        if usual["type"] != "keep_tickets" or len(choices) == 1:
            return usual
        return choices[self._best(choices, Guesses(self._sketch, self._atlas, view), end)]

    def _best(self, choices: list[dict], guesses: Guesses, end: float) -> int:
        """Return the place of the choice that ends best, all being tried with the same guesses;
        the first unless another is better beyond doubt."""
        values: list[list[float]] = [[] for _ in choices]
        alive, count, longest = list(range(len(choices))), 0, 0.0
        while len(alive) > 1:
            start = time.perf_counter()
            if count >= self._playouts if self._playouts else start + longest > end:
                break
            game, seed = guesses.sample(self._rng), self._rng.random()
            for n in alive:
                values[n].append(self._ends(game.copy(), choices[n], guesses, Random(seed)))
            count += len(alive)
            longest = max(longest, time.perf_counter() - start)
            if len(values[0]) >= FEWEST:
                alive = [n for n in alive if n == 0 or _may_be_best(n, alive, values)]
        if len(values[0]) < FEWEST:
            return 0
        return max(range(len(choices)), key=lambda n: n and _worth(values[n], values[0]))

    def _ends(self, game: Playout, keep: dict, guesses: Guesses, random: Random) -> float:
        """Return by how much the seat is ahead of the best other at the end of a playout."""
        seat = guesses.seat
        game.tickets[seat] += [self._sketch.ticket(self._atlas.tickets[t]) for t in keep["tickets"]]
        if not guesses.in_setup:
            game.end_turn()
        totals = game.run(random)
        return totals[seat] - max(t for s, t in enumerate(totals) if s != seat)


def _may_be_best(n: int, alive: list[int], values: list[list[float]]) -> bool:
    """Return whether a choice is not surely worse than the best."""
    best = max(alive, key=lambda m: sum(values[m]))
    gap, error = _difference(values[best], values[n])
    return gap <= SURE * error + WORSE


def _worth(values: list[float], usual: list[float]) -> float:
    """Return by how much a choice is better than the usual one, as far as playouts tell."""
    gap, error = _difference(values, usual)
    trust = SPREAD**2 / (SPREAD**2 + error**2)
    return trust * gap - (1 - trust) * DOUBT


def _difference(some: list[float], others: list[float]) -> tuple[float, float]:
    """Return by how much some values are above others of the same guesses, on the average, and the
    standard error of that."""
    gaps = [a - b for a, b in zip(some, others, strict=False)]  # one may have been dropped early
    middle = sum(gaps) / len(gaps)
    spread = sum((gap - middle) ** 2 for gap in gaps) / (len(gaps) - 1)
    return middle, (spread / len(gaps)) ** 0.5
