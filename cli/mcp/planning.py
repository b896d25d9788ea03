"""Plans for tickets: the cheapest open routes that complete them together, and missing cards."""

import heapq
from collections import Counter
from math import comb, inf
from operator import itemgetter
from typing import Any

from fogg_client.types import Board, View

from cli.mcp.boards import (
    connected,
    free_routes,
    homes,
    owners,
    pieces,
    route_text,
    ticket_text,
)
from domain.sentences import plural

WILD, GREY = "wild", "grey"
TRAIN, ROUTE = 1000, 1  # costs: the fewest trains, then routes
STATIONS = (1000 * TRAIN, 16 * TRAIN, 8 * TRAIN, 4 * TRAIN)  # costs, tried until trains suffice
TURNED = 3  # cards turned for a tunnel
LONG_ROUTES = 3  # routes that are named once all tickets are complete
MAX_ENDS = 10  # places to connect by one plan: each of them takes three times as long
Route = dict[str, Any]  # as the board has it; with ``lenders``: stations for it
Ways = dict[str, tuple[int, tuple[Route, ...]]]  # place -> cost and routes from there
Near = dict[str, dict[str, tuple[int, Route]]]  # place -> place -> cost and route
Net = tuple[Near, dict[str, set[str]]]  # routes between connected places; each ticket's ends


class Plan:
    """Routes that complete tickets: those to claim, with the viewer's cards for each, and those
    that stations lend, with the place of each station, which is empty if none is left."""

    def __init__(self, view: View, way: list[Route]):
        routes = sorted((one for one in way if "lenders" not in one), key=itemgetter("id"))
        self.claims = [*zip(routes, paid_cards(routes, view["you"]["hand"]), strict=True)]
        self.trains = sum(route["length"] for route in routes)
        self.missing = self.trains - sum(sum(cards.values()) for _, cards in self.claims)  # cards
        self.lent, self._taken = dict[str, str](), dict(pieces(view))
        for route in sorted(
            (one for one in way if "lenders" in one),
            key=lambda route: (len(self._taken.keys() & route["lenders"]), route["id"]),
        ):
            free = [place for place in route["lenders"] if place not in self.lent.values()]
            self.lent[route["id"]] = next(iter(free), "")  # each lends one route
        self.built = [place for place in self.lent.values() if place not in self._taken]

    def numbers(self, has: str = "") -> str:
        """Return as text how many routes, trains, stations and cards it takes."""
        wilds = sum(
            max(0, route.get("ferry", 0) - cards.get(WILD, 0)) for route, cards in self.claims
        )
        routes, stations = len(self.claims), len(self.built)
        return (
            f"{routes} {plural('route', routes)} to claim, {self.trains} trains{has}"
            + f", {stations} {plural('station', stations)}" * bool(stations)
            + f", {self.missing} {plural('card', self.missing)} missing"
            + f", {wilds} of them wild" * bool(wilds)
        )

    def stations(self) -> list[str]:
        """Return as text which station lends which route."""
        return [
            f"{'your' if place in self._taken else 'a'} station in {place} lends {route}"
            if place
            else f"no station is left to lend {route}"
            for route, place in self.lent.items()
        ]


def plan_text(board: Board, view: View, tickets: list[str]) -> str:
    """Return a plan that completes tickets together: the routes, each once, and the trains,
    stations and cards missing. Then, the trains that each ticket takes alone and adds to the
    others; and how many are left with more stations, if these save some."""
    net, ways, together = _planned(board, view, tickets)
    has = f" (you have {view['seats'][view['you']['seat']]['trains']})"
    lines = [
        ticket_text(board, one)
        + (" is done." if connected(board, view, one) else ": no way is open any more.")
        for one in tickets
        if one not in ways
    ]
    for ticket, way in ways.items() if len(ways) > 1 else ():
        others = Plan(view, _cheapest(*net, [one for one in ways if one != ticket]))
        more = f"; it adds {together.trains - others.trains}" * (
            len(others.built) == len(together.built)
        )
        lines.append(f"{ticket_text(board, ticket)}: alone {Plan(view, way).trains} trains{more}.")
    if not ways:
        return "\n".join(lines)
    what = f"{len(ways)} tickets together" if len(ways) > 1 else ticket_text(board, *ways)
    routes = []
    for route, cards in together.claims:
        lack = route["length"] - sum(cards.values())
        later = {} if route["color"] == GREY else {route["color"]: lack}
        odds = (
            ""
            if not route.get("tunnel")
            else f", {tunnel_text(board, view, later if lack else cards)}"
        )
        routes.append(
            f"{route['id']} ({route_text(board, route)}{odds}): "
            + (f"{lack} {plural('card', lack)} missing" if lack else "you have the cards")
        )
    lines = [f"{what}: {together.numbers(has)}.", *routes, *together.stations(), *lines]
    most = Plan(view, _cheapest(*_net(board, view, STATIONS[-1], [*ways]), [*ways]))
    if most.trains < together.trains:
        lines.append(f"With more stations: {most.numbers(has)}; {'; '.join(most.stations())}.")
    return "\n".join(lines)


def short_plan_text(board: Board, view: View) -> list[str]:
    """Return a line with the numbers of the plan for the viewer's tickets, and the cards missing by
    colour, those for each of its routes; a line with tickets that cannot be completed; and one with
    what more is worth once all are complete."""
    plan, lost = _own_plan(board, view)
    missing = dict[str, list[str]]()
    for route, cards in plan.claims:
        if lack := route["length"] - sum(cards.values()):
            missing.setdefault(route["color"], []).append(str(lack))
    by_color = ", ".join(f"{color} {'+'.join(some)}" for color, some in missing.items())
    said = (
        plan.numbers() if plan.claims or plan.built else "your stations complete these tickets"
    ) + f" ({by_color})" * bool(by_color)
    return [
        *[f"Plan: {said}."] * bool(plan.claims or plan.lent),
        *[f"No way is open any more: {', '.join(lost)}."] * bool(lost),
        *_more(board, view),
    ]


def _more(board: Board, view: View) -> list[str]:
    """Return a line with what is worth points once all of the viewer's tickets are complete; no
    line before that."""
    you = view["you"]
    if not you["tickets"] or not all(connected(board, view, one) for one in you["tickets"]):
        return []
    trains, points = view["seats"][you["seat"]]["trains"], board["points"]
    plans = {
        route["id"]: Plan(view, [{**route}])
        for route in free_routes(board, view)
        if route["length"] <= trains
    }
    best = sorted(plans, key=lambda route: (-plans[route].trains, plans[route].missing))
    worth = []
    for route in best[:LONG_ROUTES]:
        plan = plans[route]
        its_points = points[str(plan.trains)]
        worth.append(f"{route} (points {its_points}, cards missing {plan.missing})")
    if bonus := board.get("longest_path_bonus"):
        worth.append(f"the longest path ({bonus})")
    if view["ticket_deck"]:
        worth.append("new tickets, but each that fails costs its points")
    return [f"All your tickets are done. Worth more: {'; '.join(worth)}."]


def serving(board: Board, view: View) -> dict[str, dict[str, int]]:
    """Return the routes of the plan for the viewer's tickets, with the cards for each, as far as
    the viewer has them. If there are none, or in the last round, return the places for stations as
    well, without cards."""
    plan, _ = _own_plan(board, view)
    built = plan.built if "final_turns" in view or not plan.claims else []
    return {
        **{route["id"]: cards for route, cards in plan.claims},
        **{place: {} for place in built if place},
    }


def _own_plan(board: Board, view: View) -> tuple[Plan, list[str]]:
    """Return the plan for the viewer's tickets, and those for which no way is open."""
    tickets = [one for one in view["you"]["tickets"] if not connected(board, view, one)]
    _, ways, together = _planned(board, view, tickets)
    return together, [one for one in tickets if one not in ways]


def _planned(
    board: Board, view: View, tickets: list[str]
) -> tuple[Net, dict[str, list[Route]], Plan]:
    """Return the network, the way for each ticket that one is open for, and the plan for these
    together: with the fewest stations for which the viewer has enough trains, or in the last round
    with those that save turns. If the tickets are too many, it joins their ways."""
    for station in STATIONS[-1:] if "final_turns" in view else STATIONS:
        net = _net(board, view, station, tickets)
        ways = {one: way for one in tickets if (way := _cheapest(*net, [one]))}
        each = {route["id"]: route for way in ways.values() for route in way}
        together = Plan(view, _cheapest(*net, [*ways]) or [*each.values()])
        if together.trains <= view["seats"][view["you"]["seat"]]["trains"]:
            break
    return net, ways, together


def tunnel_text(board: Board, view: View, cards: dict[str, int]) -> str:
    """Return the chances that a tunnel asks for more cards, if it is paid with some: without any,
    in the colour of which the viewer has most. They are unknown if the deck is shuffled first."""
    if view["deck"] < TURNED:
        return "cards more unknown"
    unseen, hand = unseen_cards(board, view), view["you"]["hand"]
    colors = [color for color in cards or unseen if color != WILD]
    color = max(colors, key=lambda one: hand.get(one, 0), default=WILD)
    fits, total = sum(unseen[one] for one in {color, WILD}), unseen.total()
    odds = {
        more: comb(fits, more) * comb(total - fits, TURNED - more) / comb(total, TURNED)
        for more in range(1, TURNED + 1)
    }
    said = ", ".join(f"{more}: {share:.0%}" for more, share in odds.items() if round(share, 2))
    return f"cards more {said or '0'}"


def unseen_cards(board: Board, view: View) -> Counter[str]:
    """Return the cards that the viewer has not seen: in the deck, or drawn unseen by others."""
    unseen, open_tunnel = Counter(board["cards"]), view.get("tunnel", {})
    taken = [seat["taken"] for seat in view["seats"] if seat["seat"] != view["you"]["seat"]]
    for seen in (
        view["you"]["hand"],
        view["row"],
        view["discarded"],
        *taken,
        *(seat.get("flag", ()) for seat in view["seats"]),
        open_tunnel.get("laid", {}),
        open_tunnel.get("turned", ()),
    ):
        unseen.subtract(seen)
    return unseen


def paid_cards(way: list[Route], hand: dict[str, int]) -> list[dict[str, int]]:
    """Return the cards for each route of a path if the hand is spent on all of them: coloured
    routes first, short before long, then grey ones, long before short, each in the best colour,
    wilds last. A ferry's required wilds are taken first."""
    left, paid = Counter(hand), [Counter[str]() for _ in way]
    wilds = left.pop(WILD, 0)
    order = sorted(range(len(way)), key=lambda i: (way[i]["color"] == GREY, -way[i]["length"]))
    colored = [place for place in reversed(order) if way[place]["color"] != GREY]
    for place in (*colored, *order[len(colored) :]):
        color, need = way[place]["color"], way[place]["length"] - way[place].get("ferry", 0)
        if color == GREY:
            fits = {one: (n < need, abs(n - need)) for one, n in left.items()}
            color = min(fits, key=fits.__getitem__, default=GREY)
        paid[place][color] = min(left[color], need)
        left[color] -= paid[place][color]
    for part in ("ferry", "length"):  # the wilds that ferries ask for come first
        for place in order:
            lack = min(way[place]["length"] - paid[place].total(), way[place].get(part, 0))
            paid[place][WILD] += min(wilds, lack)
            wilds -= min(wilds, lack)
    return [{color: n for color, n in cards.items() if n} for cards in paid]


def _net(board: Board, view: View, station: int, tickets: list[str]) -> Net:
    """Return the cheapest route, open or lent by a station, between any two places, each of which
    represents those that one's own routes connect to it; and the ends of these tickets."""
    seat, had, taken = view["you"]["seat"], owners(view), dict(pieces(view))
    free = {route["id"] for route in free_routes(board, view)}
    home, mine, declared = homes(board, view, seat), view["seats"][seat], board["declared"]
    left = any(mine[name] for name in declared["seat_view"] if name in declared["view"])
    ranked = list[tuple[int, int, Route]]()
    for known in board["routes"]:
        route: Route = {**known}
        if route["id"] in free:
            [cards] = paid_cards([route], view["you"]["hand"])
            lacking = route["length"] - sum(cards.values())
            ranked.append((route["length"] * TRAIN + ROUTE, lacking, route))
        ends = sorted((route["a"], route["b"]), key=lambda place: place not in taken)
        places = [place for place in ends if taken.get(place, seat if left else None) == seat]
        if places and had.get(route["id"], seat) != seat:
            cost = ROUTE if places[0] in taken else station
            ranked.append((cost, 0, route | {"lenders": places}))
    near: Near = {home[place["id"]]: {} for place in board["locations"]}
    for cost, _, route in sorted(ranked, key=lambda row: row[:2]):
        for a, b in ((route["a"], route["b"]), (route["b"], route["a"])):
            if home[a] != home[b]:
                near[home[a]].setdefault(home[b], (cost, route))
    ways = [
        (one["id"], _best_way(home, near, one["ways"]) if "ways" in one else one)
        for one in board["tickets"]
        if one["id"] in tickets
    ]
    return near, {ticket: {home[way["a"]], home[way["b"]]} for ticket, way in ways}


def _best_way(home: dict[str, str], near: Near, ways: list[Any]) -> Any:
    """Return the way of a ticket with the most points less the trains that it takes."""

    def worth(way: Any) -> float:
        cost, _ = from_places[way["a"]].get(home[way["b"]], (inf, ()))
        return way["points"] - cost / TRAIN

    from_places = {way["a"]: _spread(near, {home[way["a"]]: (0, ())}) for way in ways}
    return max(ways, key=worth)


def _cheapest(near: Near, ends_of: dict[str, set[str]], tickets: list[str]) -> list[Route]:
    """Return the routes that complete all these tickets at the least cost. Return none if no way is
    open, or if there are too many places to connect.

    The algorithm is Dreyfus and Wagner's (1971) for the cheapest tree that connects some places: it
    finds the cheapest tree from each place to each set of these. A set whose tickets are complete
    costs the same from any place here, since its tree need not reach that place."""
    ends = sorted({end for ticket in tickets for end in ends_of[ticket]})
    if not 1 < len(ends) <= MAX_ENDS:
        return []
    bits = {end: 1 << n for n, end in enumerate(ends)}
    wanted = [sum(bits[end] for end in ends_of[ticket]) for ticket in tickets]
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
