"""The search of one decision. It chooses the style in which to play on, then the action. All
candidates are tried in the same worlds. After each round the worse ones are dropped."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple, cast

import numpy as np
from fogg_client import types
from fogg_client.types import Action, View
from fogg_simulator.views import Views, board_of

from workers.bots.search.minds import Mind
from workers.bots.search.playouts import Floats, Ints, Playouts
from workers.bots.search.styles import PLANNER, Style, mixed, rivals_for, styles_for, varied

GAMES = 64  # played at once; also how many styles of the seat that decides there is room for
RIVALS = GAMES  # the first style of the rivals, the planner's
ROUNDS = 4  # of equal length; after each but the last, the worse half of the options is dropped
STYLE_SHARE = 0.5  # of the time, in which the style is searched
VARIED = 32.0  # changes of the style that are tried for each second of the time
CHANGES = 0.15, 0.5  # their sizes, in turn
MIN_WORLDS = 8  # in which an option is tried before it is dropped or chosen
LONG_ROUTES = 2.5  # mean length of a board's routes, from which on they are long
# A clear lead in points, by whether routes are long; larger ones win hardly more often, and count
# little more
CLEAR_LEAD = {True: 20.0, False: 6.0}
HOPELESS = 2.0  # an option that is worse than the best one by more standard errors is dropped
# Standard errors that count against an option other than the usual one: the best of many is often
# just the luckiest
DOUBT = 3.0


class Clock:
    """The thread's CPU time, without the time that ``meanwhile`` takes for other work."""

    def __init__(self, meanwhile: Callable[[], float]):
        self._meanwhile, self._away = meanwhile, 0.0

    def __call__(self) -> float:
        self._away += self._meanwhile()
        return time.thread_time() - self._away


class Intent(NamedTuple):
    """A seat's intent: its style, and its memory of its plan."""

    style: Style
    mind: Mind


class Searcher:
    """Searches decisions on one board, of games with so many seats."""

    def __init__(self, described: types.Board, seats: int):
        board = board_of(described)
        self._views, self._offered = Views(board, seats), list[int]()
        self._is_long = sum(board.lengths) / len(board.lengths) >= LONG_ROUTES
        self._listed = styles_for(self._is_long, seats)
        room, rivals = np.tile(PLANNER, (GAMES, 1, 1)), rivals_for(self._is_long, seats)
        self._playouts = Playouts(board, seats, GAMES, np.concatenate((room, rivals)))
        self._seat = 0  # that decides
        self._tried = 0  # worlds of this decision so far
        self._styles = 0  # of the seat, that are compared
        self._mind: Mind | None = None  # of the seat that decides, from its last decision
        self.intent: Intent | None = None  # of the seat that decides

    def look(self, view: View, random: np.random.Generator, intent: Intent | None = None) -> None:
        """Take a view as the decision to search; guess what it does not show. ``intent`` is what
        the seat meant to do after its last decision in the same game, if that is known."""
        self._view, self._seat, self.intent = view, view["you"]["seat"], intent
        self._tried = 0
        style, self._mind = (self._listed[0], None) if intent is None else intent
        self._styles = 0
        for one in (style, *self._listed):
            self._add(one)
        self._observation, self._listed_actions = self._views.observation(view)
        self._offered = self._views.offered(self._observation)
        self._playouts.simulator.put(0, self._observation)
        self._seen = self._playouts.put_aside(RIVALS, random)

    def _add(self, style: Style) -> None:
        known = self._playouts.styles[: self._styles]
        if not (known == style).all(axis=(1, 2)).any():
            self._playouts.styles[self._styles] = style
            self._styles += 1

    def style(self, index: int) -> Style:
        """Return one of the styles in which the seat may play on; the first is its usual one."""
        return self._playouts.styles[index].copy()

    def action(self, number: int) -> Action:
        return cast(Action, self._views.action(number, self._offered))

    def number(self, action: Action) -> int:
        """Return the number of an action."""
        return self._views.number(action, self._view["you"].get("offered", []))

    def usual(self, style: int) -> int:
        return self._playouts.usual(style, self._mind)

    def options(self, style: int, *more: int) -> Ints:
        """Return the sensible actions: first the style's, then ``more``, then the others. Those
        that the view does not list are left out, unless there are no others."""
        self._playouts.simulator.put(0, self._observation)  # other games were played since
        candidates = [
            self.usual(style),
            *more,
            *self._playouts.options(style, every_card=not self._is_long),
        ]
        listed = [number for number in candidates if self._listed_actions[number]]
        return np.array([*dict.fromkeys(listed or candidates)], np.int64)

    def best(
        self, random: np.random.Generator, end: float, worlds: int, meanwhile: Callable[[], float]
    ) -> Action:
        """Return the action that wins most in playouts. ``intent`` becomes the seat's intent after
        it. Search until the thread's CPU time is ``end``, or with ``worlds`` in so many worlds,
        once for the style and once for the action."""
        clock = Clock(meanwhile)
        style = self.best_style(random, clock, end, worlds)
        options = self.options(style)
        actions = [self.action(number) for number in options.tolist()]
        chosen = self._race(options, np.full(len(options), style), random, clock, end, worlds)
        self.intent = Intent(self.style(style), self._playouts.mind(style))
        return actions[chosen]

    def best_style(self, random: np.random.Generator, clock: Clock, end: float, worlds: int) -> int:
        """Return the index of the style that wins most if the seat plays the rest of the game in
        it. The styles are those listed, and random changes of its usual one. Take a share of the
        time until ``end``, or so many worlds."""
        start = clock()
        usual = [self.usual(style) for style in range(self._styles)]
        if len({*usual}) == 1 and len(self.options(0)) == 1:
            return 0  # as with most second cards
        changes = worlds // MIN_WORLDS if worlds else int(VARIED * (end - start))
        for n in range(min(changes, GAMES - self._styles)):
            self._add(varied(self.style(0), CHANGES[n % len(CHANGES)], random))
        usual += [self.usual(style) for style in range(len(usual), self._styles)]
        return self._race(
            np.array(usual),
            np.arange(len(usual)),
            random,
            clock,
            start + STYLE_SHARE * (end - start),
            worlds,
        )

    def _race(
        self,
        actions: Ints,
        styles: Ints,
        random: np.random.Generator,
        clock: Clock,
        end: float,
        worlds: int,
    ) -> int:
        """Return the index of the best pair of an action and the style to go on in, by playouts."""
        alive, values = np.arange(len(actions)), np.empty((0, len(actions)))
        start = clock()
        for part in range(1, ROUNDS + 1):
            tried, until = -(-worlds * part // ROUNDS), start + (end - start) * part / ROUNDS
            while len(alive) > 1 and (len(values) < tried if worlds else clock() < until):
                most = tried - len(values) if worlds else GAMES
                leads = self.try_out(actions, styles, alive, random, most)
                values = np.concatenate((values, np.tanh(leads / CLEAR_LEAD[self._is_long])))
            if len(values) >= MIN_WORLDS:
                alive = still_alive(values, alive, part < ROUNDS)
        if len(values) < MIN_WORLDS:
            return 0
        return int(alive[gains(values[:, alive]).argmax()])

    def try_out(
        self, actions: Ints, styles: Ints, alive: Ints, random: np.random.Generator, most: int
    ) -> Floats:
        """Return the final leads of actions that are ``alive``, NaN for others, by world."""
        count = min(most, max(1, GAMES // len(alive)))
        worlds = self._playouts.worlds(self._seen, self._seat, count, random)
        values = np.full((count, len(actions)), np.nan)
        values[:, alive] = self._playouts.leads(
            worlds, actions[alive], styles[alive], self._rivals_in(count), self._seat
        )
        return values

    def _rivals_in(self, count: int) -> Ints:
        """Return the styles of rivals, by seat, in this many more worlds. Rivals differ, and a seat
        that expects one style alone plays badly against the other. So each rival plays in both
        equally often, in all combinations."""
        worlds = np.arange(self._tried, self._tried + count)
        self._tried += count
        kinds = mixed(worlds, self._playouts.simulator.seats - 1)
        return RIVALS + np.insert(kinds, self._seat, 0, axis=1)


_searchers: dict[tuple[str, int], list[Searcher]] = {}  # that are free


@contextmanager
def searcher(board: types.Board, seats: int) -> Iterator[Searcher]:
    """Lend a searcher; a bot that chooses during another's ``meanwhile`` gets another."""
    free = _searchers.setdefault((board["digest"], seats), [])
    lent = free.pop() if free else Searcher(board, seats)
    try:
        yield lent
    finally:
        free.append(lent)


def still_alive(values: Floats, alive: Ints, halve: bool) -> Ints:
    """Return the first option and those that may be the best; with ``halve``, half of these."""
    means = values[:, alive].mean(axis=0)
    lags, errors = compare(values[:, alive], int(means.argmax()))
    may_be = lags + HOPELESS * errors >= 0
    if halve:
        may_be &= means >= np.sort(means)[len(means) // 2]
    may_be[0] = True
    return alive[may_be]


def gains(values: Floats) -> Floats:
    """Return how much more than the first option each is worth, with doubt."""
    means, errors = compare(values, 0)
    return cast(Floats, means - DOUBT * errors)


def compare(values: Floats, to: int) -> tuple[Floats, Floats]:
    """Return the mean difference of each option from one of them in the same worlds, and its
    standard error; ``values`` has a row for each world."""
    gaps = values - values[:, to : to + 1]
    return gaps.mean(axis=0), gaps.std(axis=0, ddof=1) / np.sqrt(len(gaps))
