"""Short text about a board and the pieces on it; each route is named once."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from fogg_client.types import Board, Location, Route, View

from domain.network import connections, longest_trail_length
from domain.sentences import plain_readers, sentence

READERS = plain_readers()  # seats count from 0, as in refusals of the API


def board_text(board: Board) -> str:
    """Return a board: its numbers, its map and its tickets."""
    points = ", ".join(f"{length}: {points}" for length, points in board["points"].items())
    lines = [
        f"Board {board['id']} ({board['name']}), {board['players']['least']} to "
        f"{board['players']['most']} players. {', '.join(numbers(board)).capitalize()}.",
        f"Cards: {counts(board['cards'])}. Points by a route's length: {points}.",
        f"Second tracks are closed in games of "
        f"{', '.join(map(str, board['doubles_closed_for'])) or 'no'} players.",
        *rule_lines(board),
        "Map: each route once, as place: other place (spaces, colour; grey takes any one colour). "
        "A route's id is the two places in alphabetical order with -- between; a second track has "
        "--2 after that.",
        *map_lines(board, board["routes"]),
        f"Tickets offered at the start: {', '.join(numbers(board['tickets_at_start']))} or more.",
        f"Tickets offered in a turn: {', '.join(numbers(board['tickets_on_a_turn']))} or more.",
        "Tickets (points):",
        "; ".join(ticket_text(board, one["id"]) for one in board["tickets"]),
    ]
    if places := places_text(board):
        lines.append(places)
    return "\n".join(lines)


def map_lines(board: Board, routes: Iterable[Route]) -> list[str]:
    """Return a line for each place with the routes of which it is the first end."""
    by_place: dict[str, list[str]] = {}
    for route in routes:
        by_place.setdefault(route["a"], []).append(
            f"{route['b']}{'--2' * route['id'].endswith('--2')} ({route_text(board, route)})"
        )
    return [f"{place}: {', '.join(by_place[place])}" for place in sorted(by_place)]


def rule_lines(board: Board) -> list[str]:
    """Return a line for each rule that a board adds to the common ones, as the board declares
    it."""
    rules = board["declared"]["rules"]
    return (
        [
            "Rules of this board:",
            *(
                f"- {name} (rule {about['number']}): {sentence(about['says'], {**board}, READERS)}"
                for name, about in rules.items()
            ),
        ]
        if rules
        else ["Rules of this board: none of its own."]
    )


def route_text(board: Board, route: Route) -> str:
    """Return a route's spaces, colour and marks as text."""
    return ", ".join([f"{route['length']} {route['color']}", *mark_texts(board, "routes", route)])


def mark_texts(board: Board, where: str, record: Route | Location | dict[str, Any]) -> list[str]:
    """Return the descriptions of the marks of a route, location or ticket, as rules declare them.
    For a mark without a value, return only the words before the colon."""
    values: dict[str, Any] = {**record}
    marks: dict[str, Any] = board["declared"].get(where, {})
    said = {
        name: str(sentence(mark["says"], values, READERS))
        for name, mark in marks.items()
        if values.get(name) and "says" in mark
    }
    return [
        words.partition(":")[0] if values[name] is True else words for name, words in said.items()
    ]


def places_text(board: Board) -> str:
    """Return the locations grouped by their marks; an empty text if none has a mark."""
    inside: dict[str, list[str]] = {}
    for place in board["locations"]:
        for said in mark_texts(board, "locations", place):
            inside.setdefault(said, []).append(place["id"])
    return " ".join(
        f"{said.capitalize()}: {', '.join(places)}." for said, places in sorted(inside.items())
    )


def ticket_text(board: Board, ticket: str) -> str:
    [one] = [one for one in board["tickets"] if one["id"] == ticket]
    facts = [str(one["points"])]
    if one.get("long"):
        facts.append("long")
    facts += mark_texts(board, "tickets", {**one})
    return f"{ticket} ({', '.join(facts)})"


def counts(cards: dict[str, int]) -> str:
    """Return cards, colour by colour."""
    return ", ".join(f"{color} {n}" for color, n in cards.items()) or "none"


def numbers(of: Any) -> list[str]:
    """Return all members that are integers: trains, points, and those that rules add."""
    return [f"{name.replace('_', ' ')} {n}" for name, n in of.items() if type(n) is int]


def pieces(view: View) -> Iterator[tuple[str, int]]:
    """Yield (location, seat) for each piece on a place of the map."""
    for rows in view.values():
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict) and "location" in row:
                yield row["location"], row["seat"]


def owners(view: View) -> dict[str, int]:
    """Return the owners of claimed routes: route id -> seat."""
    return {claim["route"]: claim["seat"] for claim in view.get("claims", [])}


def is_closed(board: Board, view: View, route: Route) -> bool:
    """Return whether a free route is closed because its twin is claimed (4.2)."""
    return len(view["seats"]) in board["doubles_closed_for"] and route.get("twin") in owners(view)


def free_routes(board: Board, view: View) -> list[Route]:
    """Return the routes that nobody has claimed, without those that are closed."""
    had = owners(view)
    return [
        route
        for route in board["routes"]
        if route["id"] not in had and not is_closed(board, view, route)
    ]


def routes_of(board: Board, view: View, seat: int) -> list[Route]:
    had = owners(view)
    return [route for route in board["routes"] if had.get(route["id"]) == seat]


def network_text(board: Board, view: View, seat: int) -> str:
    """Return a seat's routes, each once, as the places along trails, and its stations."""
    left, trails = routes_of(board, view, seat), list[str]()
    while left:
        ends = Counter(end for route in left for end in (route["a"], route["b"]))
        trail = [max(ends, key=lambda place: ends[place] % 2)]  # an odd place is a trail's end
        while step := next((one for one in left if trail[-1] in (one["a"], one["b"])), None):
            left.remove(step)
            trail.append(step["b"] if step["a"] == trail[-1] else step["a"])
        trails.append(" - ".join(trail))
    stations = [place for place, owner in pieces(view) if owner == seat]
    return f"Routes of seat {seat}: {'; '.join(trails) or 'none'}." + (
        f" Its stations: {', '.join(stations)}." if stations else ""
    )


def longest_path(board: Board, view: View, seat: int) -> int:
    """Return the length of a seat's longest path so far, in trains (7.2)."""
    return longest_trail_length(
        [(route["a"], route["b"], route["length"]) for route in routes_of(board, view, seat)]
    )


def homes(board: Board, view: View, seat: int) -> dict[str, str]:
    """Return place -> the representative of all places that a seat's own routes connect to it."""
    return connections((one["a"], one["b"]) for one in routes_of(board, view, seat))


def connected(board: Board, view: View, ticket: str) -> bool:
    """Return whether one's own routes connect a ticket's places, in any of its ways."""
    home = homes(board, view, view["you"]["seat"])
    [one] = [one for one in board["tickets"] if one["id"] == ticket]
    return any(home[way["a"]] == home[way["b"]] for way in one.get("ways", [one]))
