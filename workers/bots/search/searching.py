"""The search of one decision. It chooses the style in which to play on, then the action. All
candidates are tried in the same worlds. After each round the worse ones are dropped."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import cast

import numpy as np
from fogg_client import types
from fogg_client.types import Action, View
from fogg_simulator import Board
from fogg_simulator.views import Views, board_of

from workers.bots.search.playouts import Floats, Ints, Playouts
from workers.bots.search.style import PLANNER, planners, styles_for

GAMES = 64  # played at once
ROUNDS = 4  # of equal length; after each but the last, the worse half of the options is dropped
STYLE_SHARE = 0.35  # of the time, in which the style is searched
MIN_WORLDS = 8  # in which an option is tried before it is dropped or chosen
LONG_ROUTES = 2.5  # mean length of a board's routes, from which on they are long
# A clear lead in points, by whether routes are long; larger ones win hardly more often, and count
# little more
CLEAR_LEAD = {True: 20.0, False: 6.0}
HOPELESS = 2.0  # standard errors by which an option is worse than the best one to be dropped
# How much more a style is worth than the usual one, by whether routes are long, and an action of
# each type than the style's: mean and standard deviation, from hundreds of playouts in each of some
# positions on Europe and London. A lead counts from -1 to 1. Actions are tried only where routes
# are short. Where they are long, those that did best in playouts lost games, the more so the more
# time there was.
STYLE_PRIOR = {True: (-0.13, 0.3), False: (-0.03, 0.1)}
PRIORS = {"claim_route": (-0.22, 0.16), "draw_card": (-0.03, 0.12), "draw_tickets": (-0.17, 0.23),
          "keep_tickets": (-0.15, 0.15)}
OTHER_PRIOR = -0.1, 0.2  # for actions of other types


class Clock:
    """The thread's CPU time without that of other work, which ``meanwhile`` does and counts."""

    def __init__(self, meanwhile: Callable[[], float]):
        self._meanwhile, self._away = meanwhile, 0.0

    def __call__(self) -> float:
        self._away += self._meanwhile()
        return time.thread_time() - self._away


class Searcher:
    """Searches decisions on one board, of games with so many seats."""

    def __init__(self, described: types.Board, seats: int):
        board = board_of(described)
        self._views, self._offered = Views(board, seats), list[int]()
        self._is_long = has_long_routes(board)
        self._styles = styles_for(self._is_long, seats)
        self._playouts = Playouts(board, seats, GAMES, planners(len(self._styles), seats))
        self._seat = 0

    def look(self, view: View, random: np.random.Generator) -> None:
        """Take a view as the decision to search; guess what it does not show."""
        self._view, self._seat = view, view["you"]["seat"]
        self._playouts.styles[:] = PLANNER
        self._playouts.styles[:, self._seat] = self._styles
        self._observation, _ = self._views.observation(view)
        self._offered = self._views.offered(self._observation)
        self._playouts.put(self._observation)
        self._seen = self._playouts.put_aside(random)

    def action(self, number: int) -> Action:
        """Return an action as the service takes it."""
        return cast(Action, self._views.action(number, self._offered))

    def number(self, action: Action) -> int:
        """Return the number of an action."""
        return self._views.number(action, self._view["you"].get("offered", []))

    def usual(self, style: int) -> int:
        """Return the style's action."""
        self._playouts.put(self._observation)
        return self._playouts.usual(style)

    def options(self, style: int, *more: int) -> Ints:
        """Return the sensible actions: first the style's, then ``more``, then the others."""
        found = [self.usual(style), *more,
                 *self._playouts.options(style, every_card=not self._is_long)]
        return np.array([*dict.fromkeys(found)], np.int64)

    def best(self, random: np.random.Generator, end: float, worlds: int,
             meanwhile: Callable[[], float]) -> Action:
        """Return the action that wins most, as far as playouts can tell; where routes are long, the
        best style's. Search until the thread's CPU time is ``end``, or with ``worlds`` in so many
        worlds, the style and the action each."""
        clock = Clock(meanwhile)
        if self._is_long:
            usual = [self.usual(style) for style in range(len(self._styles))]
            if len({*usual}) == 1:  # whichever style is the best
                return self.action(usual[0])
            return self.action(usual[self.best_style(random, clock, end, worlds)])
        style = self.best_style(random, clock, end, worlds)
        options = self.options(style)
        actions = [self.action(number) for number in options.tolist()]
        priors = np.array([PRIORS.get(action["type"], OTHER_PRIOR) for action in actions])
        return actions[self._race(
            options, np.full(len(options), style), priors, random, clock, end, worlds)]

    def best_style(self, random: np.random.Generator, clock: Clock, end: float, worlds: int) -> int:
        """Return the index of the style that wins most if the seat plays the rest of the game in
        it. It takes a share of the time until ``end``, or so many worlds."""
        count = len(self._styles)
        usual = np.array([self._playouts.usual(style) for style in range(count)], np.int64)
        if (usual == usual[0]).all() and len(self.options(0)) == 1:
            return 0  # as with most second cards
        start = clock()
        priors = np.tile(STYLE_PRIOR[self._is_long], (count, 1))
        return self._race(usual, np.arange(count), priors, random, clock,
                          start + STYLE_SHARE * (end - start), worlds)

    def _race(self, actions: Ints, styles: Ints, priors: Floats, random: np.random.Generator,
              clock: Clock, end: float, worlds: int) -> int:
        """Try actions, each with the style in which the seat then plays on. Return the index of the
        best one."""
        alive, values = np.arange(len(actions)), np.empty((0, len(actions)))
        start = clock()
        for part in range(1, ROUNDS + 1):
            tried, until = -(-worlds * part // ROUNDS), start + (end - start) * part / ROUNDS
            while len(alive) > 1 and (len(values) < tried if worlds else clock() < until):
                most = tried - len(values) if worlds else GAMES
                leads = self.results(actions, styles, alive, random, most)
                values = np.concatenate((values, np.tanh(leads / CLEAR_LEAD[self._is_long])))
            if len(values) >= MIN_WORLDS:
                alive = still_alive(values, alive, priors, part < ROUNDS)
        if len(values) < MIN_WORLDS:
            return 0
        return int(alive[expected(values, alive, priors).argmax()])

    def results(self, actions: Ints, styles: Ints, alive: Ints, random: np.random.Generator,
                most: int) -> Floats:
        """Return the seat's final lead after those of the actions that are ``alive``, NaN for the
        others: a row for each of some more worlds, ``most`` at most."""
        count = min(most, max(1, GAMES // len(alive)))
        worlds = self._playouts.worlds(self._seen, self._seat, count, random)
        values = np.full((count, len(actions)), np.nan)
        values[:, alive] = self._playouts.results(
            worlds, actions[alive], styles[alive], self._seat)
        return values


def has_long_routes(board: Board) -> bool:
    """Return whether the routes of a board are long."""
    return sum(board.lengths) / len(board.lengths) >= LONG_ROUTES


_searchers: dict[tuple[str, int], Searcher] = {}


def searcher(board: types.Board, seats: int) -> Searcher:
    """Return the searcher of a board with so many seats, made on the first call."""
    key = board["digest"], seats
    if key not in _searchers:
        _searchers[key] = Searcher(board, seats)
    return _searchers[key]


def still_alive(values: Floats, alive: Ints, priors: Floats, halve: bool) -> Ints:
    """Return the first option, and those others that may still be the best. With ``halve`` it is
    the better half of these."""
    lags, errors = compare(values[:, alive], int(values[:, alive].mean(axis=0).argmax()))
    may_be = lags + HOPELESS * errors >= 0
    if halve:
        means = expected(values, alive, priors)
        may_be &= means >= np.sort(means)[len(means) // 2]
    may_be[0] = True
    return alive[may_be]


def expected(values: Floats, alive: Ints, priors: Floats) -> Floats:
    """Return how much more than the first option each that is alive is worth. Its values and its
    prior count by their certainty: Bayes' rule for normal distributions."""
    gaps, errors = compare(values[:, alive], 0)
    known, spread = priors[alive].T
    weight = spread**2 / (spread**2 + errors**2)
    means = weight * gaps + (1 - weight) * known
    means[0] = 0.0
    return cast(Floats, means)


def compare(values: Floats, to: int) -> tuple[Floats, Floats]:
    """Return the mean difference of each option from one of them in the same worlds, and its
    standard error; ``values`` has a row for each world."""
    gaps = values - values[:, to : to + 1]
    return gaps.mean(axis=0), gaps.std(axis=0, ddof=1) / np.sqrt(len(gaps))
