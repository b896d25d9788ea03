"""What a bot knows of a board before the first card: the served table, turned into look-ups."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import networkx as nx

WILD = "wild"
GREY = "grey"


@dataclass(frozen=True, slots=True, eq=False)
class Route:
    """A railway. ``twin`` is the id of the other track of a double route, or None."""

    id: str
    a: str
    b: str
    length: int
    color: str
    points: int
    twin: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Ticket:
    """Two locations to connect for ``points``."""

    id: str
    a: str
    b: str
    points: int


class Atlas:
    """A board as bots use it, made from the JSON that ``GET /v1/boards/{board}`` serves.

    ``routes`` and ``tickets`` are by id; ``cards`` has how many there are of each colour, and
    ``colors`` are those without the joker.
    """

    def __init__(self, board: dict):
        points = {int(length): n for length, n in board["points"].items()}
        self.cards: dict[str, int] = board["cards"]
        self.colors = tuple(color for color in self.cards if color != WILD)
        self.doubles_closed_for = frozenset(board["doubles_closed_for"])
        self.routes = {
            r["id"]: Route(r["id"], r["a"], r["b"], r["length"], r["color"], points[r["length"]],
                           r.get("twin"))
            for r in board["routes"]
        }
        self.tickets = {
            t["id"]: Ticket(t["id"], t["a"], t["b"], t["points"]) for t in board["tickets"]
        }

    @cached_property
    def locations(self) -> tuple[str, ...]:
        """Every place that a route reaches."""
        return tuple(dict.fromkeys(end for r in self.routes.values() for end in (r.a, r.b)))

    @cached_property
    def trains_between(self) -> dict[str, dict[str, int]]:
        """The fewest trains that connect two locations on the empty board."""
        graph = nx.Graph()
        for r in sorted(self.routes.values(), key=lambda r: -r.length):
            graph.add_edge(r.a, r.b, length=r.length)
        return dict(nx.all_pairs_dijkstra_path_length(graph, weight="length"))
