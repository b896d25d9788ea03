"""Short text about a board and the pieces on it; each route is named once."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, product
from typing import Any

from fogg_client.types import Board, Location, Route, Seat, View

from domain.network import connections, longest_trail_length
from domain.sentences import plain_readers, seat_text, sentence

READERS = plain_readers(seat=seat_text)
MAX_CHOICES = 10_000  # of routes that stations lend, to try
Said = Callable[[Route], str]  # text about a route's owner, empty for a free route


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
        "--2 after that.", *map_lines(board, board["routes"], lambda route: ""),
        "Tickets (points):", "; ".join(ticket_text(board, one["id"]) for one in board["tickets"])]
    if places := places_text(board):
        lines.append(places)
    return "\n".join(lines)


def map_lines(board: Board, routes: Iterable[Route], said: Said) -> list[str]:
    """Return a line for each place with the routes of which it is the first end."""
    by_place: dict[str, list[str]] = {}
    for route in routes:
        by_place.setdefault(route["a"], []).append(
            f"{route['b']}{'--2' * route['id'].endswith('--2')} "
            f"({route_text(board, route)}{said(route)})")
    return [f"{place}: {', '.join(by_place[place])}" for place in sorted(by_place)]


def rule_lines(board: Board) -> list[str]:
    """Return a line for each rule that a board adds to the common ones, as the board declares
    it."""
    rules = board["declared"]["rules"]
    return ["Rules of this board:", *(
        f"- {name} (rule {about['number']}): {sentence(about['says'], {**board}, READERS)}"
        for name, about in rules.items())] if rules else ["Rules of this board: none of its own."]


def route_text(board: Board, route: Route) -> str:
    """Return a route's spaces, colour and marks as text."""
    return ", ".join([f"{route['length']} {route['color']}", *mark_texts(board, "routes", route)])


def mark_texts(board: Board, where: str, record: Route | Location | dict[str, Any]) -> list[str]:
    """Return the descriptions of the marks of a route, location or ticket, as rules declare them.
    For a mark without a value, return only the words before the colon."""
    values: dict[str, Any] = {**record}
    marks: dict[str, Any] = board["declared"].get(where, {})
    said = {name: str(sentence(mark["says"], values, READERS)) for name, mark in marks.items()
            if values.get(name) and "says" in mark}
    return [words.partition(":")[0] if values[name] is True else words
            for name, words in said.items()]


def places_text(board: Board) -> str:
    """Return the locations grouped by their marks; an empty text if none has a mark."""
    inside: dict[str, list[str]] = {}
    for place in board["locations"]:
        for said in mark_texts(board, "locations", place):
            inside.setdefault(said, []).append(place["id"])
    return " ".join(f"{said.capitalize()}: {', '.join(places)}."
                    for said, places in sorted(inside.items()))


def ticket_text(board: Board, ticket: str) -> str:
    [one] = [one for one in board["tickets"] if one["id"] == ticket]
    return f"{ticket} ({', '.join([str(one['points']), *mark_texts(board, 'tickets', {**one})])})"


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
    return (len(view["seats"]) in board["doubles_closed_for"]
            and route.get("twin") in owners(view))


def routes_of(board: Board, view: View, seat: int) -> list[Route]:
    had = owners(view)
    return [route for route in board["routes"] if had.get(route["id"]) == seat]


def longest_path(board: Board, view: View, seat: int) -> int:
    """Return the length of a seat's longest path so far, in trains (7.2)."""
    return longest_trail_length(
        [(route["a"], route["b"], route["length"]) for route in routes_of(board, view, seat)])


def homes(board: Board, view: View, seat: int, more: Iterable[Any] = ()) -> dict[str, str]:
    """Return place -> the representative of all places that a seat's own routes, and ``more``
    links, connect to it."""
    return connections([*((one["a"], one["b"]) for one in routes_of(board, view, seat)), *more])


def connected(board: Board, view: View, ticket: str) -> bool:
    """Return whether one's own routes connect a ticket's places, in any of its ways."""
    home = homes(board, view, view["you"]["seat"])
    [one] = [one for one in board["tickets"] if one["id"] == ticket]
    return any(home[way["a"]] == home[way["b"]] for way in one.get("ways", [one]))


def completed(board: Board, view: View, seat: Seat) -> set[str]:
    """Return the tickets that a seat has completed at the end of the game, with its own routes and
    those lent by its stations: a set that fits the seat's result. If none is found, return all its
    tickets."""
    number, result, tickets = seat["seat"], seat["result"], seat["revealed"]["tickets"]
    worth, had = {one["id"]: one["points"] for one in board["tickets"]}, owners(view)
    lent = [[(place, place), *((route["a"], route["b"]) for route in board["routes"]
             if place in (route["a"], route["b"]) and had.get(route["id"], number) != number)]
            for place, owner in pieces(view) if owner == number]
    for links in islice(product(*lent), MAX_CHOICES):
        home = homes(board, view, number, links)
        done = {one for one in tickets if home[one.split("--")[0]] == home[one.split("--")[1]]}
        points = sum(worth[one] if one in done else -worth[one] for one in tickets)
        if (len(done), points) == (result["tickets_completed"], result["tickets"]):
            return done
    return {*tickets} if result["tickets_completed"] else set()


def place_called(board: Board, name: str) -> str | None:
    """Return the id of the place with this name or a similar one; None if there is none."""
    ids = {word: place["id"] for place in board["locations"]
           for word in (place["id"], place["name"].lower())}
    matches = difflib.get_close_matches(name.strip().lower(), ids, 1, 0.7)
    return ids[matches[0]] if matches else None


def near_text(board: Board, view: View, place: str, steps: int) -> str:
    """Return the routes within a number of steps of a place, and the viewer's tickets that end
    there."""
    lines, reached, shown = [], {place}, set[str]()
    for step in range(1, steps + 1):
        routes = [route for route in board["routes"]
                  if {route["a"], route["b"]} & reached and route["id"] not in shown]
        shown |= {route["id"] for route in routes}
        reached |= {end for route in routes for end in (route["a"], route["b"])}
        lines.append(f"{step} step{'s' * (step > 1)} away: " + "; ".join(
            f"{route['id']} ({route_text(board, route)}, {_whose(board, view, route)})"
            for route in routes))
    lines += [f"Station of {seat_text(seat)}: {location}." for location, seat in pieces(view)
              if location in reached]
    mine = view.get("you", {}).get("tickets", [])
    if ending := [one for one in mine if place in one.split("--")]:
        lines.append("Your tickets that end here: "
                     + ", ".join(ticket_text(board, ticket) for ticket in ending) + ".")
    return "\n".join([f"Near {place}:", *lines])


def _whose(board: Board, view: View, route: Route) -> str:
    owner = owners(view).get(route["id"])
    if owner is None:
        return "closed" if is_closed(board, view, route) else "free"
    return "yours" if owner == view.get("you", {}).get("seat") else f"{seat_text(owner)}'s"
