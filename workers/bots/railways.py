"""The cheapest ways to connect tickets over what is open: a Steiner forest, near enough."""

from __future__ import annotations

from collections.abc import Iterable

import networkx as nx

from workers.bots.atlas import Route, Ticket
from workers.bots.costs import cost
from workers.bots.position import Position

Ways = dict[str, list[Route]]  # ticket -> the routes still to be built for it


class Railways:
    """The routes a seat may still claim, as a graph in which what it has connected is one place.

    ``thrift`` adds so many points to the cost of each train, which makes ways shorter.
    """

    def __init__(self, position: Position, thrift: float = 0):
        self._home = position.home
        self._graph = graph = nx.Graph()
        graph.add_nodes_from(self._home.values())
        for route in position.open:
            a, b = self._home[route.a], self._home[route.b]
            price = cost(route, position) + thrift * route.length
            if a != b and (not graph.has_edge(a, b) or graph[a][b]["cost"] > price):
                graph.add_edge(a, b, cost=price, route=route)

    def connect(self, tickets: list[Ticket]) -> tuple[Ways, list[Ticket]]:
        """Return the cheapest ways found for these tickets, and those that cannot be connected.

        Routes serve several tickets, so the order matters: the most expensive first, or last.
        """
        alone = {t.id: self._lone_cost(t) for t in tickets}
        lost = [t for t in tickets if alone[t.id] is None]
        some = sorted((t for t in tickets if alone[t.id] is not None), key=lambda t: alone[t.id])
        tries = [self._lay(some), self._lay(some[::-1])] if len(some) > 1 else [self._lay(some)]
        return self._improve(some, min(tries, key=self.cost_of)), lost

    def cost_of(self, ways: Ways) -> float:
        """Return what all ways together cost, each route counted once."""
        return sum(self._edge(route)["cost"] for route in union(ways))

    def from_(self, place: str, free: Iterable[Route]) -> tuple[dict, dict]:
        """Return cost and routes of the cheapest way to every place, some routes being free."""
        with self._for_nothing(free):
            costs, paths = nx.single_source_dijkstra(self._graph, self._home[place], weight="cost")
        return costs, paths

    def detour(self, route: Route, free: Iterable[Route]) -> float:
        """Return what it costs more to do without a route, other routes being free."""
        edge = self._edge(route)
        price, edge["cost"] = edge["cost"], 999.0
        with self._for_nothing(r for r in free if r is not route):
            costs, _ = self._way(route.a, route.b)
        edge["cost"] = price
        return costs - price

    def routes_along(self, path: list[str]) -> list[Route]:
        """Return the routes of a path of places."""
        return [self._graph[a][b]["route"] for a, b in zip(path, path[1:], strict=False)]

    def _lone_cost(self, ticket: Ticket) -> float | None:
        try:
            return self._way(ticket.a, ticket.b)[0]
        except nx.NetworkXNoPath:
            return None

    def _way(self, a: str, b: str) -> tuple[float, list[str]]:
        home = self._home
        return nx.single_source_dijkstra(self._graph, home[a], home[b], weight="cost")

    def _lay(self, tickets: list[Ticket]) -> Ways:
        """Return ways found one after the other, each using those before for nothing."""
        ways: Ways = {}
        for ticket in tickets:
            with self._for_nothing(union(ways)):
                ways[ticket.id] = self.routes_along(self._way(ticket.a, ticket.b)[1])
        return ways

    def _improve(self, tickets: list[Ticket], ways: Ways) -> Ways:
        """Return the ways after each ticket has once looked for a better one beside the others."""
        if len(tickets) < 2:
            return ways
        for ticket in tickets:
            others = {t: way for t, way in ways.items() if t != ticket.id}
            with self._for_nothing(union(others)):
                way = self.routes_along(self._way(ticket.a, ticket.b)[1])
            better = others | {ticket.id: way}
            if self.cost_of(better) < self.cost_of(ways):
                ways = better
        return ways

    def _edge(self, route: Route) -> dict:
        return self._graph[self._home[route.a]][self._home[route.b]]

    def _for_nothing(self, routes: Iterable[Route]) -> _Free:
        return _Free([self._edge(route) for route in routes])


class _Free:
    """Edges that cost nothing for as long as this context lasts."""

    def __init__(self, edges: list[dict]):
        self._edges, self._costs = edges, [edge["cost"] for edge in edges]

    def __enter__(self):
        for edge in self._edges:
            edge["cost"] = 0.0

    def __exit__(self, *_error):
        for edge, price in zip(self._edges, self._costs, strict=True):
            edge["cost"] = price


def union(ways: Ways) -> set[Route]:
    """Return the routes of all ways."""
    return {route for way in ways.values() for route in way}
