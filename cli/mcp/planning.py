"""Plans for tickets: the cheapest open routes that complete them together, and the missing
cards."""

from __future__ import annotations

import heapq
from collections import Counter
from typing import Any

from fogg_client.types import Board, View

from cli.mcp.boards import homes, is_closed, owners, pieces, route_text, ticket_text

WILD, GREY = "wild", "grey"
STATION, TRAIN, ROUTE = 1_000_000, 1000, 1  # costs: the fewest stations, then trains, then routes
MAX_ENDS = 10  # places to connect by one plan: each of them takes three times as long
Route = dict[str, Any]  # as the board has it; with ``lenders``: stations for it
Ways = dict[str, tuple[int, tuple[Route, ...]]]  # place -> cost and routes from there
Near = dict[str, dict[str, tuple[int, Route]]]  # place -> place -> cost and route


def plan_text(board: Board, view: View, tickets: list[str]) -> str:
    """Return a plan that completes tickets together: the routes, each once, and the trains,
    stations and cards missing. Then, for each ticket, the trains that it takes alone, and those
    that it adds to the others."""
    home, near = _net(board, view)
    ways, lines = dict[str, list[Route]](), list[str]()
    for ticket in tickets:
        start, end = (home[place] for place in ticket.split("--")[:2])
        if way := _cheapest(home, near, [ticket]):
            ways[ticket] = way
        else:
            said = " is done" if start == end else ": no way is open any more"
            lines.append(f"{ticket_text(board, ticket)}{said}.")
    together = _cheapest(home, near, [*ways])
    for ticket, way in ways.items() if len(ways) > 1 else ():
        others = together and _cheapest(home, near, [one for one in ways if one != ticket])
        more = f"; it adds {_trains(together) - _trains(others)}" if others else ""
        lines.append(f"{ticket_text(board, ticket)}: alone {_trains(way)} trains{more}.")
    if together:
        what = f"{len(ways)} tickets together" if len(ways) > 1 else ticket_text(board, *ways)
        lines = [*_routes_text(board, view, what, together), *lines]
    elif ways:
        lines.append("These are too many to plan together: name fewer.")
    return "\n".join(lines)


def _routes_text(board: Board, view: View, what: str, way: list[Route]) -> list[str]:
    you, taken, rows, places = view["you"], dict(pieces(view)), list[str](), set[str]()
    way.sort(key=lambda route: ("lenders" in route, route["id"]))
    missing = missing_cards(way, you["hand"])
    for route, lack in zip(way, missing, strict=True):
        if "lenders" not in route:
            lacking = f"{_number(lack, 'card')} missing" if lack else "you have the cards"
            rows.append(f"{route['id']} ({route_text(board, route)}): {lacking}")
        elif free := [place for place in route["lenders"] if place not in places]:
            places.add(free[0])  # each lends one route
            whose = "your" if free[0] in taken else "a"
            rows.append(f"{whose} station in {free[0]} lends {route['id']}")
    wilds = sum(route.get("ferry", 0) for route in way) - you["hand"].get(WILD, 0)
    stations = len(places - taken.keys())
    if any(route.get("tunnel") for route in way):
        rows.append("Cards that tunnels may ask for are not counted.")
    return [f"{what}: {_number(len(way) - len(places), 'route')} to claim, {_trains(way)} trains "
            f"(you have {view['seats'][you['seat']]['trains']})"
            + f", {_number(stations, 'station')}" * (stations > 0)
            + f", {_number(sum(missing), 'card')} missing" + f", {wilds} of them wild" * (wilds > 0)
            + ".", *rows]


def _number(number: int, of: str) -> str:
    return f"{number} {of}{'s' * (number != 1)}"


def _trains(way: list[Route]) -> int:
    return sum(route["trains"] for route in way)


def serving(board: Board, view: View) -> set[str]:
    """Return the free routes of the plans for each ticket, and for all tickets together."""
    (home, near), tickets = _net(board, view), view["you"]["tickets"]
    return {route["id"] for some in (*([ticket] for ticket in tickets), tickets)
            for route in _cheapest(home, near, some) if "lenders" not in route}


def missing_cards(way: list[Route], hand: dict[str, int]) -> list[int]:
    """Return how many cards are missing for each route of a path if the hand is spent on all of
    them: coloured routes first, then long grey ones, each in the best colour, wilds last. A ferry's
    required wilds are taken first."""
    left, lacking = Counter(hand), [route["length"] for route in way]
    wilds = left.pop(WILD, 0)
    order = sorted(range(len(way)), key=lambda i: (way[i]["color"] == GREY, -way[i]["length"]))
    for place in order:
        color, need = way[place]["color"], way[place]["length"] - way[place].get("ferry", 0)
        if color == GREY:
            fits = {one: (n < need, abs(n - need)) for one, n in left.items()}
            color = min(fits, key=fits.__getitem__, default=GREY)
        paid = min(left[color], need)
        left[color] -= paid
        lacking[place] -= paid
    for part in ("ferry", "length"):  # the wilds that ferries ask for come first
        for place in order:
            paid = min(wilds, lacking[place], way[place].get(part, 0))
            wilds -= paid
            lacking[place] -= paid
    return lacking


def _net(board: Board, view: View) -> tuple[dict[str, str], Near]:
    """Return place -> the representative of the places that one's own routes connect to it; and the
    cheapest route between any two of these, open or lent by a station."""
    seat, had, taken = view["you"]["seat"], owners(view), dict(pieces(view))
    home, mine, declared = homes(board, view, seat), view["seats"][seat], board["declared"]
    left = any(mine[name] for name in declared["seat_view"] if name in declared["view"])
    ranked = list[tuple[int, int, Route]]()
    for known in board["routes"]:
        route: Route = {"trains": known["length"], **known}
        if route["id"] not in had and not is_closed(board, view, known):
            lacking = sum(missing_cards([route], view["you"]["hand"]))
            ranked.append((route["trains"] * TRAIN + ROUTE, lacking, route))
        ends = sorted((route["a"], route["b"]), key=lambda place: place not in taken)
        places = [place for place in ends if taken.get(place, seat if left else None) == seat]
        if places and had.get(route["id"], seat) != seat:
            cost = ROUTE if places[0] in taken else STATION
            free = {"length": 0, "trains": 0, "ferry": 0, "tunnel": False, "lenders": places}
            ranked.append((cost, 0, route | free))
    near: Near = {home[place["id"]]: {} for place in board["locations"]}
    for cost, _, route in sorted(ranked, key=lambda row: row[:2]):
        for a, b in ((route["a"], route["b"]), (route["b"], route["a"])):
            if home[a] != home[b]:
                near[home[a]].setdefault(home[b], (cost, route))
    return home, near


def _cheapest(home: dict[str, str], near: Near, tickets: list[str]) -> list[Route]:
    """Return the routes that complete all these tickets at the least cost. Return none if no way is
    open, or if there are too many places to connect.

    The algorithm is Dreyfus and Wagner's (1971) for the cheapest tree that connects some places: it
    finds the cheapest tree from each place to each set of these. A set whose tickets are complete
    costs the same from any place here, since its tree need not reach that place."""
    pairs = [tuple(home[place] for place in ticket.split("--")[:2]) for ticket in tickets]
    ends = sorted({end for pair in pairs for end in pair})
    if not 1 < len(ends) <= MAX_ENDS:
        return []
    bits = {end: 1 << n for n, end in enumerate(ends)}
    wanted = [bits[a] | bits[b] for a, b in pairs]
    best: list[Ways] = [{}]
    for group in range(1, bits[ends[-1]]):  # the last place is where all others are wanted
        ways: Ways = {end: (0, ()) for end, bit in bits.items() if bit == group}
        part = (group - 1) & group
        while part > group ^ part:  # each two parts once
            other = best[group ^ part]
            for here, (cost, routes) in best[part].items():
                if here in other and (here not in ways or cost + other[here][0] < ways[here][0]):
                    ways[here] = cost + other[here][0], routes + other[here][1]
            part = (part - 1) & group
        ways = _spread(near, ways)
        if ways and all(group & pair in (0, pair) for pair in wanted):
            ways = dict.fromkeys(near, min(ways.values(), key=lambda way: way[0]))
        best.append(ways)
    return [*best[-1].get(ends[-1], (0, ()))[1]]


def _spread(near: Near, ways: Ways) -> Ways:
    """Return the cheapest paths to all reachable places, as each place's last step (Dijkstra)."""
    ways = dict(ways)
    queue = sorted((cost, here) for here, (cost, _) in ways.items())
    while queue:
        cost, here = heapq.heappop(queue)
        if cost == ways[here][0]:
            for there, (more, route) in near[here].items():
                if there not in ways or cost + more < ways[there][0]:
                    ways[there] = cost + more, (*ways[here][1], route)
                    heapq.heappush(queue, (cost + more, there))
    return ways
