"""The search of one decision: its options tried in the same worlds, the worst dropped in rounds."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import cast

import numpy as np
from fogg_client import types
from fogg_client.types import Action, View
from fogg_simulator.views import Views, board_of

from workers.bots.search.playouts import Floats, Ints, Playouts
from workers.bots.search.style import EXPERT, EXPERT_SHORT, PLANNER

GAMES = 64  # played at once
ROUNDS = 4  # of equal length; after each but the last, the worse half of the options is dropped
MIN_WORLDS = 8  # in which an option is tried before it is dropped or chosen
LONG_ROUTES = 2.5  # mean length of a board's routes, from which on they are long
MIN_STANDARD_ERRORS = 2.0  # by which an option must be better than the style's, as real games
#                            differ from playouts
# A clear lead in points, by whether routes are long; larger ones win hardly more often, and count
# little more
CLEAR_LEAD = {True: 20.0, False: 6.0}
HOPELESS = 2.0  # standard errors by which an option is worse than the best one to be dropped


class Searcher:
    """Searches decisions on one board, of games with so many seats."""

    def __init__(self, described: types.Board, seats: int):
        board = board_of(described)
        self._views, self._offered = Views(board, seats), list[int]()
        self._playouts = Playouts(board, seats, GAMES, np.tile(PLANNER, (seats, 1)))
        self._is_long = sum(board.lengths) / len(board.lengths) >= LONG_ROUTES
        self._style = EXPERT if self._is_long else EXPERT_SHORT
        self._seat = 0

    def look(self, view: View, random: np.random.Generator) -> None:
        """Take a view as the decision to search; guess what it does not show."""
        self._view, self._seat = view, view["you"]["seat"]
        self._playouts.styles[:] = PLANNER
        self._playouts.styles[self._seat] = self._style
        observation, _ = self._views.observation(view)
        self._offered = self._views.offered(observation)
        self._playouts.put(observation)
        self._seen = self._playouts.put_aside(random)

    def action(self, number: int) -> Action:
        """Return an action as the service takes it."""
        return cast(Action, self._views.action(number, self._offered))

    def number(self, action: Action) -> int:
        """Return the number of an action."""
        return self._views.number(action, self._view["you"].get("offered", []))

    def options(self, *more: int) -> Ints:
        """Return the sensible actions: first the style's, then ``more``, then the others."""
        found = [self._playouts.usual(), *more, *self._playouts.options()]
        return np.array([*dict.fromkeys(found)], np.int64)

    def best(self, random: np.random.Generator, end: float, worlds: int,
             meanwhile: Callable[[], float]) -> Action:
        """Return the action that wins most by more than chance explains, else the style's. Search
        until the thread's CPU time is ``end``, or with ``worlds`` in so many worlds."""
        options = self.options()
        actions = [self.action(number) for number in options.tolist()]
        alive, values = np.arange(len(options)), np.empty((0, len(options)))
        start = time.thread_time()
        for part in range(1, ROUNDS + 1):
            tried = -(-worlds * part // ROUNDS)
            while len(alive) > 1 and (len(values) < tried if worlds else (
                    time.thread_time() < start + (end - start) * part / ROUNDS)):
                away = meanwhile()
                start, end = start + away, end + away
                most = tried - len(values) if worlds else GAMES
                leads = self.results(options, alive, random, most)
                values = np.concatenate((values, np.tanh(leads / CLEAR_LEAD[self._is_long])))
            if len(values) >= MIN_WORLDS:
                alive = still_alive(values, alive, part < ROUNDS)
        if len(values) < MIN_WORLDS:
            return actions[0]
        gaps, errors = compare(values[:, alive], 0)
        if alive[0] == 0:
            gaps[1:] -= MIN_STANDARD_ERRORS * errors[1:]
        return actions[alive[gaps.argmax()]]

    def results(self, options: Ints, alive: Ints, random: np.random.Generator, most: int) -> Floats:
        """Return the seat's final lead after those of the options that are ``alive``, NaN for the
        others: a row for each of some more worlds, ``most`` at most."""
        count = min(most, max(1, GAMES // len(alive)))
        worlds = self._playouts.worlds(self._seen, self._seat, count, random)
        values = np.full((count, len(options)), np.nan)
        values[:, alive] = self._playouts.results(worlds, options[alive], self._seat)
        return values


_searchers: dict[tuple[str, int], Searcher] = {}


def searcher(board: types.Board, seats: int) -> Searcher:
    """Return the searcher of a board with so many seats, made on the first call."""
    key = board["digest"], seats
    if key not in _searchers:
        _searchers[key] = Searcher(board, seats)
    return _searchers[key]


def still_alive(values: Floats, alive: Ints, halve: bool) -> Ints:
    """Return those of the options that may still be the best. With ``halve`` it is the better half
    of them, and the style's in any case."""
    means = values[:, alive].mean(axis=0)
    lags, errors = compare(values[:, alive], int(means.argmax()))
    may_be = lags + HOPELESS * errors >= 0
    if halve:
        better = means >= np.sort(means)[len(means) // 2]
        better[0] |= alive[0] == 0
        may_be &= better
    return alive[may_be]


def compare(values: Floats, to: int) -> tuple[Floats, Floats]:
    """Return the mean difference of each option from one of them in the same worlds, and its
    standard error; ``values`` has a row for each world."""
    gaps = values - values[:, to : to + 1]
    return gaps.mean(axis=0), gaps.std(axis=0, ddof=1) / np.sqrt(len(gaps))
