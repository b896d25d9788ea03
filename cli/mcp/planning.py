"""Plans for tickets: the open routes that complete them with the fewest trains, the cards that lack
for them, and stations that save a ticket."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from fogg_client.types import Board, Route, View

from cli.mcp.boards import (
    connected,
    homes,
    is_closed,
    mark_texts,
    owners,
    pieces,
    pieces_left,
    route_text,
    ticket_text,
)

WILD, GREY = "wild", "grey"
TRAIN = 1000  # the cost of a train; that of a route is 1
MAX_ENDS = 10  # places to connect by one plan: each of them takes three times as long
Ways = dict[str, tuple[int, tuple[Route, ...]]]  # place -> cost and routes from there
Near = dict[str, dict[str, tuple[int, Route]]]  # place -> place -> cost and route
Loan = tuple[str, Route]  # the place of a station, and the route that it lends


class Net(NamedTuple):
    """The map as the viewer's seat may use it. ``home``: place -> the representative of the places
    that its own routes connect to it; ``near``: the cheapest open route between two homes."""

    home: dict[str, str]
    near: Near


def plan_text(board: Board, view: View, tickets: list[str]) -> str:
    """Return how to complete tickets together: the routes with the fewest trains in all, each once,
    and the trains and cards missing. Then what each of the tickets takes, and which ones no open
    way completes."""
    net, ways, lines = _net(board, view), dict[str, list[Route]](), list[str]()
    for ticket in tickets:
        if connected(board, view, ticket):
            lines.append(f"{ticket_text(board, ticket)} is done.")
            continue
        if (way := _cheapest(net, [ticket])) is not None:
            ways[ticket] = way
        lines += _by_stations(board, view, net, ticket, way)
    if not ways:
        return "\n".join(lines)
    if len(ways) == 1:
        [(ticket, routes)] = ways.items()
        return "\n".join([*_routes_text(board, view, ticket_text(board, ticket), routes), *lines])
    together = _cheapest(net, [*ways])
    if together is None:
        first = ["These tickets are too many to plan together: name fewer."]
    else:
        first = _routes_text(board, view, f"{len(ways)} tickets together", together)
    for ticket, way in ways.items():
        others = together and _cheapest(net, [one for one in ways if one != ticket])
        more = "" if others is None else f"; it adds {_trains(together) - _trains(others)}"
        first.append(f"{ticket_text(board, ticket)}: alone {_trains(way)} trains{more}.")
    return "\n".join([*first, *lines])


def _routes_text(board: Board, view: View, what: str, routes: list[Route]) -> list[str]:
    you = view["you"]
    missing = missing_cards(routes, you["hand"])
    wilds = sum(route.get("ferry", 0) for route in routes) - you["hand"].get(WILD, 0)
    marks = {said for route in routes for said in mark_texts(board, "routes", route, whole=True)}
    marks -= {said for route in routes for said in mark_texts(board, "routes", route)}
    return [
        f"{what}: {_routes(routes)} (you have {view['seats'][you['seat']]['trains']}), "
        f"{_cards(sum(missing))} missing{f', {wilds} of them wild' * (wilds > 0)}.",
        *(f"{route['id']} ({route_text(board, route)}): "
          + (f"{_cards(lack)} missing" if lack else "you have the cards")
          for route, lack in zip(routes, missing, strict=True)),
        *(f"Not counted: {said}." for said in sorted(marks))]


def _by_stations(
    board: Board, view: View, net: Net, ticket: str, way: list[Route] | None
) -> Iterator[str]:
    """Yield that no way of a ticket is open, and how stations save it or its trains."""
    saved = _lent_way(board, view, net, ticket)
    if not (saved and saved[1]):
        if way is None:
            yield f"{ticket_text(board, ticket)}: no way is open any more."
        return
    routes, loans = saved
    mine = {place for place, seat in pieces(view) if seat == view["you"]["seat"]}
    why = "no way is open any more" if way is None else f"this takes {_trains(way)} trains"
    by = " and ".join(f"{'your' if place in mine else 'a'} station in {place}, which lends "
                      f"{route['id']}" for place, route in loans)
    claims = f": {', '.join(route['id'] for route in routes)}" if routes else ""
    yield f"{ticket_text(board, ticket)}: {why}. With {by}: {_routes(routes)}{claims}."


def _routes(routes: list[Route]) -> str:
    return (f"{len(routes)} route{'s' * (len(routes) != 1)} to claim, "
            f"{_trains(routes)} trains")


def _cards(number: int) -> str:
    return f"{number} card{'s' * (number != 1)}"


def _trains(routes: list[Route]) -> int:
    return sum(map(trains_of, routes))


def trains_of(route: Route) -> int:
    """Return how many trains a route takes."""
    return route.get("trains", route["length"])


def serving(board: Board, view: View) -> set[str]:
    """Return the free routes that lie on a cheapest open way of a ticket that is not done."""
    net, routes = _net(board, view), set[str]()
    for ticket in view["you"]["tickets"]:
        start, end = (net.home[place] for place in ticket.split("--")[:2])
        there, back = _spread(net.near, {start: (0, ())}), _spread(net.near, {end: (0, ())})
        if start == end or end not in there:
            continue
        for route in _open(board, view):
            for a, b in ((route["a"], route["b"]), (route["b"], route["a"])):
                a, b = net.home[a], net.home[b]
                if a != b and a in there and b in back and (
                        there[a][0] // TRAIN + trains_of(route) + back[b][0] // TRAIN
                        == there[end][0] // TRAIN):
                    routes.add(route["id"])
    return routes


def missing_cards(way: list[Route], hand: dict[str, int]) -> list[int]:
    """Return how many cards lack for each route of a way, if the hand is spent on all of them so
    that as few as possible lack in all. Some of a ferry's have to be wild."""
    left, lacking = Counter(hand), [route["length"] for route in way]
    wilds = left.pop(WILD, 0)
    colored = [route["length"] - route.get("ferry", 0) for route in way]
    grey = [place for place, route in enumerate(way) if route["color"] == GREY]
    for place, route in enumerate(way):
        if route["color"] != GREY:
            paid = min(left[route["color"]], colored[place])
            left[route["color"]] -= paid
            lacking[place] -= paid
    paid_grey = _most_paid(tuple(colored[place] for place in grey), tuple(sorted(left.values())))
    for place, paid in zip(grey, paid_grey, strict=True):
        lacking[place] -= paid
    for place in sorted(range(len(way)), key=lambda i: (i in grey, -way[i]["length"])):
        paid = min(wilds, lacking[place])
        wilds -= paid
        lacking[place] -= paid
    return lacking


@lru_cache(maxsize=4096)
def _most_paid(routes: tuple[int, ...], left: tuple[int, ...]) -> tuple[int, ...]:
    """Return how many of the cards left, by colour, can be paid for each of some routes, the most
    in all: one colour for each route."""
    if not routes:
        return ()
    ways = [(min(n, routes[0]), *_most_paid(routes[1:], tuple(
        sorted((*left[:place], max(0, n - routes[0]), *left[place + 1:])))))
        for place, n in enumerate(left) if n not in left[:place]]
    return max(ways, key=sum, default=(0,) * len(routes))


def _net(board: Board, view: View) -> Net:
    home = homes(board, view, view["you"]["seat"])
    near: Near = {home[place["id"]]: {} for place in board["locations"]}
    hand = view["you"]["hand"]
    rank = {route["id"]: (trains_of(route), *missing_cards([route], hand))
            for route in _open(board, view)}
    for route in sorted(_open(board, view), key=lambda route: rank[route["id"]]):
        a, b = home[route["a"]], home[route["b"]]
        if a != b and b not in near[a]:
            near[a][b] = near[b][a] = trains_of(route) * TRAIN + 1, route
    return Net(home, near)


def _open(board: Board, view: View) -> Iterator[Route]:
    """Yield the routes that the viewer may claim."""
    had = owners(view)
    return (route for route in board["routes"]
            if route["id"] not in had and not is_closed(board, view, route))


def _cheapest(net: Net, tickets: list[str]) -> list[Route] | None:
    """Return the open routes that complete all these tickets with the fewest trains, then the
    fewest routes. None if there are none, or too many places to connect.

    The algorithm is Dreyfus and Wagner's (1971) for the cheapest tree that connects some places: it
    finds the cheapest tree from each place to each set of these. Here a set that needs no more
    connections costs the same from any place, as its tree may stay apart."""
    pairs = [tuple(net.home[place] for place in ticket.split("--")[:2]) for ticket in tickets]
    ends = sorted({end for pair in pairs for end in pair})
    if len(ends) > MAX_ENDS:
        return None
    bits = {home: 1 << n for n, home in enumerate(ends)}
    wanted = [bits[a] | bits[b] for a, b in pairs]
    best: list[Ways] = [{}]
    for group in range(1, bits[ends[-1]]):  # the last place is where all others are wanted
        ways: Ways = {home: (0, ()) for home, bit in bits.items() if bit == group}
        part = (group - 1) & group
        while part > group ^ part:  # each two parts once
            other = best[group ^ part]
            for home, (cost, routes) in best[part].items():
                if home in other and (
                        home not in ways or cost + other[home][0] < ways[home][0]):
                    ways[home] = cost + other[home][0], routes + other[home][1]
            part = (part - 1) & group
        ways = _spread(net.near, ways)
        if ways and all(group & pair in (0, pair) for pair in wanted):
            ways = dict.fromkeys(net.near, min(ways.values(), key=lambda way: way[0]))
        best.append(ways)
    way = best[-1].get(ends[-1])
    return None if way is None else sorted(way[1], key=lambda route: route["id"])


def _spread(near: Near, ways: Ways) -> Ways:
    """Return the cheapest ways to all places in reach, each after one of these (Dijkstra)."""
    ways = dict(ways)
    queue = [(cost, home) for home, (cost, _) in ways.items()]
    heapq.heapify(queue)
    while queue:
        cost, here = heapq.heappop(queue)
        if cost > ways[here][0]:
            continue
        for there, (more, route) in near[here].items():
            if there not in ways or cost + more < ways[there][0]:
                ways[there] = cost + more, (*ways[here][1], route)
                heapq.heappush(queue, (cost + more, there))
    return ways


def _lent_way(
    board: Board, view: View, net: Net, ticket: str
) -> tuple[list[Route], list[Loan]] | None:
    """Return the routes to claim and the stations for a ticket: with as few new stations as make
    the trains suffice, then with the fewest trains. None if no way is open."""
    seat, spots, had = view["you"]["seat"], dict(pieces(view)), owners(view)
    trains, most = view["seats"][seat]["trains"], pieces_left(board, view)
    start, end = (net.home[place] for place in ticket.split("--")[:2])
    lent = [(a, b, route) for route in board["routes"] if had.get(route["id"], seat) != seat
            for a, b in ((route["a"], route["b"]), (route["b"], route["a"]))]
    # new stations, cost, a number to order equals, home, the place of the last station, the way
    queue: list[tuple] = [(0, 0, 0, start, "", (), ())]
    seen, number = set(), 0
    while queue:
        built, cost, _, here, last, routes, loans = heapq.heappop(queue)
        if here == end and cost // TRAIN <= trains:
            return list(routes), list(loans)
        if (built, here, last) in seen:
            continue
        seen.add((built, here, last))
        steps = [(built, cost + more, there, "", (*routes, route), loans)
                 for there, (more, route) in net.near[here].items()]
        steps += [(built + (place not in spots), cost + 1, net.home[b], place, routes,
                   (*loans, (place, route)))
                  for a, b, route in lent if net.home[a] == here for place in (a, b)
                  if place != last and spots.get(place, seat) == seat]
        for step in steps:
            if step[0] <= most:
                number += 1
                heapq.heappush(queue, (*step[:2], number, *step[2:]))
    return None
