"""A board for bots: the table that the API serves, turned into look-ups."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import networkx as nx
from fogg_client import types

WILD = "wild"
GREY = "grey"
FLAG = frozenset({"blue", "white", "red"})
SPARE = 1  # extra cards to have for a tunnel: it costs more than that in one case out of eight


@dataclass(frozen=True, slots=True, eq=False)
class Route:
    """A route, which costs ``length`` cards and takes ``trains``. ``twin`` is the id of the other
    track of a double route, or None. ``ferry`` is how many of its cards must be wild. A ``tunnel``
    may cost more cards than its length. A route with a ``station`` belongs to another seat;
    building a station in that location lends it."""

    id: str
    a: str
    b: str
    length: int
    trains: int
    color: str
    points: int
    twin: str | None
    ferry: int = 0
    tunnel: bool = False
    station: str | None = None

    @property
    def cards(self) -> int:
        """The number of cards to have before claiming it."""
        return self.length + SPARE * self.tunnel


@dataclass(frozen=True, slots=True, eq=False)
class Ticket:
    """Two locations to connect for ``points``; ``long`` ones are dealt at the start only. ``ways``
    are the tickets with other ends that count as this one, if there are any."""

    id: str
    a: str
    b: str
    points: int
    long: bool = False
    ways: tuple[Ticket, ...] = ()


class Board:
    """A board as bots use it, made from the JSON of ``GET /v1/boards/{board}``.

    ``routes`` and ``tickets`` are by id. ``cards`` has the number of cards of each colour;
    ``colors`` are the colours without the wild. ``flag`` has the colours of a flag, if the board
    has flags. ``districts`` has the locations of each district and the points for connecting them.
    """

    def __init__(self, board: types.Board):
        points = {int(length): n for length, n in board["points"].items()}
        self.cards: dict[str, int] = board["cards"]
        self.colors = tuple(color for color in board["declared"]["colors"] if color != WILD)
        self.wild_takes_turn = board["declared"].get("draws", {}).get(WILD, 2) > 1
        self.doubles_closed_for = frozenset(board["doubles_closed_for"])
        self.routes = {
            r["id"]: Route(
                r["id"],
                r["a"],
                r["b"],
                r["length"],
                r.get("trains", r["length"]),
                r["color"],
                points[r["length"]],
                r.get("twin"),
                r.get("ferry", 0),
                r.get("tunnel", False),
            )
            for r in board["routes"]
        }
        self.tickets = {
            t["id"]: Ticket(
                t["id"],
                t["a"],
                t["b"],
                t["points"],
                t.get("long", False),
                tuple(Ticket(t["id"], **way) for way in t.get("ways", ())),
            )
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
        return tuple(dict.fromkeys(end for r in self.routes.values() for end in (r.a, r.b)))

    @cached_property
    def mean_length(self) -> float:
        return sum(r.length for r in self.routes.values()) / len(self.routes)

    @cached_property
    def trains_between(self) -> dict[str, dict[str, int]]:
        graph = nx.Graph()
        for r in sorted(self.routes.values(), key=lambda r: -r.trains):
            graph.add_edge(r.a, r.b, trains=r.trains)
        return dict(nx.all_pairs_dijkstra_path_length(graph, weight="trains"))
