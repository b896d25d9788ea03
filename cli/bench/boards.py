"""Boards that nobody has seen: names, map, colours and tickets that follow from a seed.

A board is a shorter USA: 24 places, 30 trains. A drawn map is taken only if it is playable and
balanced (``faults``); otherwise the next one is drawn.
"""

import json
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from itertools import combinations
from math import dist
from random import Random
from typing import Any

import networkx as nx

from domain.board.board import Board
from domain.board.parts import GREY
from domain.boards import load_folder, parse

PLACES, TRAINS, TICKETS = 24, 30, 30
WIDTH, HEIGHT = 15.0, 10.0  # of the map, in degrees
SPACE = 0.95  # degrees for each space of a route
MAX_LENGTH = 6
MAX_ROUTES = 7  # to other places from one
GREY_SHARE, DOUBLE_SHARE = 0.4, 0.25
COLORS = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
TICKET_TRAINS = range(4, 21)  # of a ticket's cheapest way
MAX_TICKETS = 5  # at one place
MAX_COLOR_DIFFERENCE = 4  # spaces that one colour has more than another
STARTS = (
    "b",
    "br",
    "d",
    "dr",
    "f",
    "g",
    "gr",
    "h",
    "k",
    "kl",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "st",
    "t",
    "tr",
    "v",
    "z",
)
VOWELS = ("a", "e", "i", "o", "u", "ai", "ei", "ou")
ENDS = ("", "l", "n", "r", "s", "th", "m", "nd", "rk")
Place = tuple[float, float]


@lru_cache(maxsize=128)
def fresh_board(seed: bytes) -> Board:
    """Return the board that a seed generates. The board does not reveal the seed."""
    rng, name = Random(seed), f"fresh-{sha256(seed).hexdigest()[:12]}"
    while True:
        table = _table(name, rng)
        if not faults(table):
            return parse(json.dumps(table), is_new=True)


def faults(table: dict[str, Any]) -> list[str]:
    """Return why a map is not playable or not balanced, nothing if it is."""
    graph = nx.Graph((route["a"], route["b"]) for route in table["routes"])
    spaces = Counter(dict.fromkeys(COLORS, 0))
    for route in table["routes"]:
        spaces[route["color"]] += route["length"]
    uneven = max(spaces[color] for color in COLORS) - min(spaces[color] for color in COLORS)
    at = Counter(end for ticket in table["tickets"] for end in (ticket["a"], ticket["b"]))
    checks = {
        "a place is not on the map": len(graph) == PLACES,
        # or one claimed route would cut the map in two
        "one route divides the map": nx.is_connected(graph) and not nx.has_bridges(graph),
        "one place divides the map": nx.is_biconnected(graph),
        "a colour has more spaces than another": uneven <= MAX_COLOR_DIFFERENCE,
        "there are too few tickets": len(table["tickets"]) == TICKETS,
        "a place has too many tickets": max(at.values(), default=0) <= MAX_TICKETS,
    }
    return [fault for fault, is_right in checks.items() if not is_right]


def _table(name: str, rng: Random) -> dict[str, Any]:
    names = _names(rng)
    title = next(names)
    called = sorted([next(names) for _ in range(PLACES)])
    places = dict(zip(called, _scattered(rng), strict=True))
    routes = _colored([*_ways(places)], rng)
    usa = load_folder()["usa"].table
    return {name: usa[name] for name in usa if name not in ("rulebook", "vocabulary")} | {
        "board": name,
        "name": title.title(),
        "trains": TRAINS,
        "players": {"least": 2, "most": 4},
        "provenance": {"map": "invented, by Fogg"},
        "locations": [
            {"id": place, "name": place.title(), "lat": round(y, 3), "lon": round(x, 3)}
            for place, (x, y) in places.items()
        ],
        "routes": routes,
        "tickets": _tickets(routes, rng),
    }


def _names(rng: Random) -> Iterator[str]:
    """Yield invented names, each once."""
    used = set[str]()
    while True:
        name = (
            "".join(rng.choice(STARTS) + rng.choice(VOWELS) for _ in range(rng.choice((1, 2, 2))))
            + rng.choice(STARTS)
            + rng.choice(VOWELS)
            + rng.choice(ENDS)
        )
        if name not in used:
            used.add(name)
            yield name


def _scattered(rng: Random) -> list[Place]:
    """Return places that keep a distance: of twelve candidates the one farthest from the others."""
    places: list[Place] = []
    for _ in range(PLACES):
        drawn = [(rng.uniform(0, WIDTH), rng.uniform(40, 40 + HEIGHT)) for _ in range(12)]
        places.append(
            max(drawn, key=lambda one: min((dist(one, other) for other in places), default=0.0))
        )
    return places


def _ways(places: dict[str, Place]) -> Iterator[dict[str, Any]]:
    """Yield the routes, not yet coloured: the shortest first, none across another."""
    made: list[tuple[str, str]] = []
    number = Counter[str]()
    for a, b in sorted(combinations(places, 2), key=lambda ends: dist(*(places[e] for e in ends))):
        length = max(1, round(dist(places[a], places[b]) / SPACE))
        is_free = not any(_cross(places, (a, b), other) for other in made)
        if length <= MAX_LENGTH and is_free and max(number[a], number[b]) < MAX_ROUTES:
            made.append((a, b))
            number.update((a, b))
            yield {"a": a, "b": b, "length": length}


def _cross(places: dict[str, Place], one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Return whether two routes cross; those that share a place do not."""
    if {*one} & {*other}:
        return False
    a, b, c, d = (places[place] for place in (*one, *other))
    return _turn(a, b, c) != _turn(a, b, d) and _turn(c, d, a) != _turn(c, d, b)


def _turn(a: Place, b: Place, c: Place) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0])


def _colored(routes: list[dict[str, Any]], rng: Random) -> list[dict[str, Any]]:
    """Return the routes with colours and second tracks; all colours get about as many spaces."""
    doubles = [
        dict(route)
        for route in routes
        if route["length"] <= 3 and rng.random() < DOUBLE_SHARE / 0.7
    ]
    spaces = Counter(dict.fromkeys(COLORS, 0))
    had: dict[tuple[str, str], str] = {}
    rng.shuffle(rows := routes + doubles)
    for route in sorted(rows, key=lambda route: -route["length"]):
        ends = route["a"], route["b"]
        if (had[ends] == GREY) if ends in had else (rng.random() < GREY_SHARE):
            route["color"] = GREY
        else:
            others = [color for color in COLORS if color != had.get(ends)]
            route["color"] = min(others, key=lambda color: (spaces[color], rng.random()))
            spaces[route["color"]] += route["length"]
        had[ends] = route["color"]
    return sorted(rows, key=lambda route: (route["a"], route["b"], route["color"]))


def _tickets(routes: list[dict[str, Any]], rng: Random) -> list[dict[str, Any]]:
    """Return tickets between places that are not neighbours. A ticket is worth the trains of its
    cheapest path."""
    graph = nx.Graph()
    graph.add_weighted_edges_from((route["a"], route["b"], route["length"]) for route in routes)
    trains = dict(nx.all_pairs_dijkstra_path_length(graph))
    pairs = [
        (a, b)
        for a, b in combinations(sorted(graph), 2)
        if trains[a].get(b, 0) in TICKET_TRAINS and not graph.has_edge(a, b)
    ]
    rng.shuffle(pairs)
    tickets, number = list[dict[str, Any]](), Counter[str]()
    for a, b in pairs:
        if len(tickets) < TICKETS and max(number[a], number[b]) < MAX_TICKETS:
            number.update((a, b))
            tickets.append({"a": a, "b": b, "points": trains[a][b]})
    return sorted(tickets, key=lambda ticket: (ticket["a"], ticket["b"]))
