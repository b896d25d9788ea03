"""What a bot knows of a board before the first card: the served table, turned into look-ups."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import networkx as nx
from fogg_client import types

WILD = "wild"
GREY = "grey"
FLAG = frozenset({"blue", "white", "red"})
SPARE = 1  # cards beyond its length that a tunnel asks for: more in one case out of eight


@dataclass(frozen=True, slots=True, eq=False)
class Route:
    """A railway. ``twin`` is the id of the other track of a double route, or None; ``ferry`` is how
    many of its cards must be wild; a ``tunnel`` may ask for more cards than its length. With a
    ``station`` it is somebody else's, lent to who builds one in that location."""

    id: str
    a: str
    b: str
    length: int
    color: str
    points: int
    twin: str | None
    ferry: int = 0
    tunnel: bool = False
    station: str | None = None

    @property
    def cards(self) -> int:
        """How many cards to have before claiming it."""
        return self.length + SPARE * self.tunnel


@dataclass(frozen=True, slots=True, eq=False)
class Ticket:
    """Two locations to connect for ``points``; ``long`` ones are dealt at the start only."""

    id: str
    a: str
    b: str
    points: int
    long: bool = False


class Board:
    """A board as bots use it, made from the JSON that ``GET /v1/boards/{board}`` serves.

    ``routes`` and ``tickets`` are by id; ``cards`` has how many there are of each colour, and
    ``colors`` are those without the joker; ``flag`` has the colours of a flag, where there are
    any; ``districts`` are the locations by the points for connecting them.
    """

    def __init__(self, board: types.Board):
        points = {int(length): n for length, n in board["points"].items()}
        self.cards: dict[str, int] = board["cards"]
        self.colors = tuple(color for color in self.cards if color != WILD)
        self.doubles_closed_for = frozenset(board["doubles_closed_for"])
        self.routes = {
            r["id"]: Route(r["id"], r["a"], r["b"], r["length"], r["color"], points[r["length"]],
                           r.get("twin"), r.get("ferry", 0), r.get("tunnel", False))
            for r in board["routes"]
        }
        self.tickets = {
            t["id"]: Ticket(t["id"], t["a"], t["b"], t["points"], t.get("long", False))
            for t in board["tickets"]
        }
        self.tickets_drawn: int = board["tickets_on_a_turn"]["deal"]
        self.stations: int = board.get("stations", 0)
        self.flag = FLAG if "flags" in board["rules"] else frozenset()
        self.districts: dict[int, list[str]] = {}
        for place in board["locations"]:
            if "district" in place:
                self.districts.setdefault(place["district"], []).append(place["id"])
        self.longest_path: int = board.get("longest_path_bonus", 0)

    @cached_property
    def locations(self) -> tuple[str, ...]:
        """Every place that a route reaches."""
        return tuple(dict.fromkeys(end for r in self.routes.values() for end in (r.a, r.b)))

    @cached_property
    def mean_length(self) -> float:
        """How many trains a route takes on the average."""
        return sum(r.length for r in self.routes.values()) / len(self.routes)

    @cached_property
    def trains_between(self) -> dict[str, dict[str, int]]:
        """The fewest trains that connect two locations on the empty board."""
        graph = nx.Graph()
        for r in sorted(self.routes.values(), key=lambda r: -r.length):
            graph.add_edge(r.a, r.b, length=r.length)
        return dict(nx.all_pairs_dijkstra_path_length(graph, weight="length"))
