"""The functions of ``features``, compiled, for many games at once."""

from __future__ import annotations

from inspect import isfunction
from types import FunctionType
from typing import Any

import numpy as np

from fogg_simulator import features
from fogg_simulator.chart import chart_of
from fogg_simulator.compiled import entry, inner

# The twins of some functions of ``features``, as loops: these are the ones that take the time.


def distances(edges):
    """Return the cost of the cheapest connection of each two locations (Floyd and Warshall)."""
    far = edges.copy()
    for place in range(len(far)):
        for a in range(len(far)):
            to = far[a, place]
            if to < features.FAR:
                for b in range(len(far)):
                    far[a, b] = min(far[a, b], to + far[place, b])
    return far


def next_edge(edges, far, place, end):
    least, x, y = np.float32(np.inf), 0, 0
    for a in range(len(far)):
        if far[place, a] == 0:
            for b in range(len(far)):
                if far[end, b] < far[place, end] and edges[a, b] + far[end, b] < least:
                    least, x, y = edges[a, b] + far[end, b], a, b
    return x, y


def connect(far, x, y):
    to_x, to_y = far[x].copy(), far[y].copy()
    for a in range(len(far)):
        for b in range(len(far)):
            far[a, b] = min(far[a, b], to_x[a] + to_y[b], to_y[a] + to_x[b])


def relax(far, edges, cost):
    for place in range(len(far)):
        far[place] = min(far[place], cost + edges[place])


def compiled(module: Any, twins: dict[str, Any]) -> dict[str, Any]:
    """Return a module's functions, compiled to call each other; some replaced by ``twins``."""
    names = dict(vars(module))
    for name, function in vars(module).items():
        if isfunction(function) and function.__module__ == module.__name__:
            code = twins.get(name, function).__code__
            names[name] = inner(FunctionType(code, names | {"features": module}
                                             if name in twins else names, name))
    return names


describe = compiled(features, {function.__name__: function for function in (
    distances, next_edge, connect, relax)})["describe"]


@entry
def describe_all(chart, observations, mask, rows, actions, ends):
    """Write the rows of all games one after the other; ``ends`` is where each game's rows end."""
    count = 0
    for i in range(len(observations)):
        count += describe(chart, observations[i], mask[i], rows[count:], actions[count:])
        ends[i] = count


class Rows:
    """The rows of the games of one board."""

    def __init__(self, board, seats, games):
        self._chart = chart_of(board, seats)
        self._rows = np.zeros((games * features.ROWS, len(features.NAMES)), np.float32)
        self._actions, self._ends = np.zeros(games * features.ROWS, np.int64), np.zeros(
            games, np.int64)

    def of(self, observations, mask):
        describe_all(self._chart, observations, mask, self._rows, self._actions, self._ends)
        count = self._ends[-1]
        return self._rows[:count], self._actions[:count], self._ends
