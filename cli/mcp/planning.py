"""Plans for tickets: the cheapest open way, and the missing cards."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator

from fogg_client.types import Board, Route, View

from cli.mcp.boards import connected, is_closed, owners, route_text, ticket_text

WILD, GREY = "wild", "grey"
Distances = dict[str, tuple[int, int]]  # place -> trains and routes that lack to get there


def plan_text(board: Board, view: View, ticket: str) -> str:
    """Return the cheapest open way of a ticket: its routes, and the trains and cards missing."""
    said = ticket_text(board, ticket)
    if connected(board, view, ticket):
        return f"{said} is done."
    way = cheapest_way(board, view, ticket)
    if way is None:
        return f"{said}: no way is open any more."
    you = view["you"]
    missing = missing_cards(way, you["hand"])
    trains = sum(route["length"] for route in way)
    lines = [f"{said}: {len(way)} route{'s' * (len(way) != 1)} to claim, {trains} trains (you have "
             f"{view['seats'][you['seat']]['trains']}), {_cards(sum(missing))} missing."]
    lines += [f"{route['id']} ({route_text(board, route)}): "
              + (f"{_cards(lack)} missing" if lack else "you have the cards")
              for route, lack in zip(way, missing, strict=True)]
    return "\n".join(lines)


def _cards(number: int) -> str:
    return f"{number} card{'s' * (number != 1)}"


def serving(board: Board, view: View) -> set[str]:
    """Return the free routes that lie on a cheapest open way of a ticket that is not done."""
    routes = set[str]()
    for ticket in view["you"]["tickets"]:
        if connected(board, view, ticket):
            continue
        start, end = ticket.split("--")[:2]
        there, back = _distances(board, view, start), _distances(board, view, end)
        if end not in there:
            continue
        for route, cost, a, b in _open(board, view):
            if cost and a in there and b in back and (
                    there[a][0] + cost + back[b][0] == there[end][0]):
                routes.add(route["id"])
    return routes


def cheapest_way(board: Board, view: View, ticket: str) -> list[Route] | None:
    """Return the routes to claim for a ticket with the fewest trains, in order from its first
    place; None if no way is open."""
    start, end = ticket.split("--")[:2]
    back, here, way = _distances(board, view, end), start, list[Route]()
    if start not in back:
        return None
    routes = [*_open(board, view)]
    while here != end:
        left = back[here]
        route, cost, there = next(
            (route, cost, b) for route, cost, a, b in routes
            if a == here and b in back and (back[b][0] + cost, back[b][1] + 1) == left)
        way += [route] if cost else []
        here = there
    return way


def missing_cards(way: list[Route], hand: dict[str, int]) -> list[int]:
    """Return how many cards lack for each route of a way, if the hand is spent on all of them:
    coloured routes first, then grey ones, jokers last."""
    left, lacking = Counter(hand), [0] * len(way)
    order = sorted(range(len(way)), key=lambda i: (way[i]["color"] == GREY, -way[i]["length"]))
    for place in order:
        color = way[place]["color"]
        if color == GREY:
            color = max((one for one in left if one != WILD), key=left.__getitem__, default=WILD)
        paid = min(left[color], way[place]["length"])
        left[color] -= paid
        lacking[place] = way[place]["length"] - paid
    for place in order:
        paid = min(left[WILD], lacking[place])
        left[WILD] -= paid
        lacking[place] -= paid
    return lacking


def _open(board: Board, view: View) -> Iterator[tuple[Route, int, str, str]]:
    """Yield the routes that the viewer has or may claim, once in each direction: the route, the
    trains that it still takes, from where, to where."""
    had, seat = owners(view), view["you"]["seat"]
    for route in board["routes"]:
        if had.get(route["id"]) == seat:
            cost = 0
        elif route["id"] not in had and not is_closed(board, view, route):
            cost = route["length"]
        else:
            continue
        yield route, cost, route["a"], route["b"]
        yield route, cost, route["b"], route["a"]


def _distances(board: Board, view: View, place: str) -> Distances:
    """Return the trains and routes that lack from a place to each other place that is in reach."""
    nearby: dict[str, list[tuple[str, int]]] = {}
    for _, cost, a, b in _open(board, view):
        nearby.setdefault(a, []).append((b, cost))
    distances: Distances = {}
    queue = [(0, 0, place)]
    while queue:
        trains, routes, here = heapq.heappop(queue)
        if here in distances:
            continue
        distances[here] = trains, routes
        for there, cost in nearby.get(here, ()):
            heapq.heappush(queue, (trains + cost, routes + 1, there))
    return distances
