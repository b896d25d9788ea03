"""What a bot knows of a board before the first card: the served table, turned into look-ups."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import networkx as nx

WILD = "wild"
GREY = "grey"


@dataclass(frozen=True, slots=True)
class Route:
    """A railway of the table. ``twin`` is the id of the other track of a double route."""

    id: str
    a: str
    b: str
    length: int
    color: str
    points: int
    twin: str | None


@dataclass(frozen=True, slots=True)
class Ticket:
    """Two locations to connect for ``points``."""

    id: str
    a: str
    b: str
    points: int


class Atlas:
    """A board as bots use it, made once from the JSON that ``GET /v1/boards/{board}`` serves.

    ``routes`` and ``tickets`` are by id, ``cards`` has how many of each colour there are.
    """

    def __init__(self, board: dict):
        points = {int(length): n for length, n in board["points"].items()}
        self.cards: dict[str, int] = board["cards"]
        self.colors = tuple(color for color in self.cards if color != WILD)
        self.trains: int = board["trains"]
        self.doubles_closed_for = frozenset(board["doubles_closed_for"])
        self.longest_path_bonus: int = board.get("longest_path_bonus", 0)
        tracks: dict[tuple[str, str], list[str]] = {}
        for r in board["routes"]:
            tracks.setdefault((r["a"], r["b"]), []).append(r["id"])
        self.routes: dict[str, Route] = {}
        for r in board["routes"]:
            twin = next((id for id in tracks[r["a"], r["b"]] if id != r["id"]), None)
            self.routes[r["id"]] = Route(
                r["id"], r["a"], r["b"], r["length"], r["color"], points[r["length"]], twin
            )
        self.tickets = {
            t["id"]: Ticket(t["id"], t["a"], t["b"], t["points"]) for t in board["tickets"]
        }

    @cached_property
    def locations(self) -> frozenset[str]:
        """Every place that a route reaches."""
        return frozenset(end for r in self.routes.values() for end in (r.a, r.b))

    @cached_property
    def distances(self) -> dict[str, dict[str, int]]:
        """The fewest trains that connect two locations on the empty board."""
        graph = nx.Graph()
        for r in sorted(self.routes.values(), key=lambda r: -r.length):
            graph.add_edge(r.a, r.b, length=r.length)
        return dict(nx.all_pairs_dijkstra_path_length(graph, weight="length"))
