"""The cheapest connections for tickets over what is open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count, pairwise

from workers.bots.board import Route, Ticket
from workers.bots.position import Position

Ways = dict[Ticket, list[Route]]  # the routes still to be built for each ticket
FAR = 1_000.0  # dearer than any way round


@dataclass(slots=True)
class Edge:
    """The cheapest route between two homes, and what it costs now."""

    cost: float
    route: Route


class Network:
    """The routes that are open, or that a station would lend, as a graph in which all that the seat
    has connected is one place.

    ``costs`` are what the routes cost by id; ``thrift`` adds so much for every train that a route
    takes, which makes the ways shorter.
    """

    def __init__(self, position: Position, costs: Mapping[str, float], thrift: float = 0):
        self._home = position.home
        self._graph: dict[str, dict[str, Edge]] = {home: {} for home in self._home.values()}
        for route in position.open + position.lent:
            a, b = position.ends(route)
            price = costs[route.id] + thrift * route.length
            edge = self._graph[a].get(b)
            if edge is not None and edge.cost > price:
                edge.cost, edge.route = price, route
            elif edge is None and a != b:
                self._graph[a][b] = self._graph[b][a] = Edge(price, route)

    def reaches(self, ticket: Ticket) -> bool:
        """Return whether a ticket can still be completed."""
        end = self._home[ticket.b]
        return end in self._search(self._home[ticket.a], end)[0]

    def connect(self, tickets: list[Ticket]) -> Ways:
        """Return the cheapest ways found for tickets that can be completed.

        Finding the very cheapest forest is hard; good ones are found by laying one way after the
        other, each using those before it, from the dearest and from the cheapest ticket, and
        then letting every way look for a better one beside all the others.
        """
        order = sorted(tickets, key=lambda t: self._way(t)[0])
        ways = min((self._lay(order), self._lay(order[::-1])), key=self._cost)
        for ticket in order if len(order) > 1 else ():
            others = {t: way for t, way in ways.items() if t is not ticket}
            ways = min(ways, others | self._lay([ticket], union(others)), key=self._cost)
        return ways

    def from_home(self, place: str, free: Iterable[Route]) -> dict[str, tuple[float, list[Route]]]:
        """Return cost and routes of the cheapest way to each home, some routes being free."""
        with self._priced(free, 0.0):
            costs, paths = self._search(self._home[place])
        return {home: (costs[home], self._routes(path)) for home, path in paths.items()}

    def detour(self, route: Route, free: Iterable[Route]) -> float:
        """Return what the way round a route costs, the other routes given being free."""
        with self._priced((r for r in free if r is not route), 0.0), self._priced([route], FAR):
            return self._way(route)[0]

    def _way(self, ends: Ticket | Route) -> tuple[float, list[str]]:
        end = self._home[ends.b]
        costs, paths = self._search(self._home[ends.a], end)
        return costs[end], paths[end]

    def _search(
        self, start: str, end: str | None = None
    ) -> tuple[dict[str, float], dict[str, list[str]]]:
        """Return cost and homes of the cheapest way to each home (Dijkstra), those that are dearer
        than the way to ``end`` aside; of equal ways that which is found first."""
        costs: dict[str, float] = {}
        numbers = count()
        least, paths, found = {start: 0.0}, {start: [start]}, [(0.0, next(numbers), start)]
        while found:
            cost, _, home = heappop(found)
            if home in costs:
                continue
            costs[home] = cost
            if home == end:
                break
            for other, edge in self._graph[home].items():
                price = cost + edge.cost
                if other not in costs and (other not in least or price < least[other]):
                    least[other] = price
                    paths[other] = [*paths[home], other]
                    heappush(found, (price, next(numbers), other))
        return costs, paths

    def _lay(self, tickets: list[Ticket], free: Iterable[Route] = ()) -> Ways:
        """Return a way for each ticket in turn, over free routes and those of the ways before."""
        ways: Ways = {}
        for ticket in tickets:
            with self._priced([*free, *union(ways)], 0.0):
                ways[ticket] = self._routes(self._way(ticket)[1])
        return ways

    def _cost(self, ways: Ways) -> float:
        return sum([self._edge(route).cost for route in union(ways)])

    def _routes(self, path: list[str]) -> list[Route]:
        return [self._graph[a][b].route for a, b in pairwise(path)]

    def _edge(self, route: Route) -> Edge:
        return self._graph[self._home[route.a]][self._home[route.b]]

    @contextmanager
    def _priced(self, routes: Iterable[Route], price: float) -> Iterator[None]:
        """Give routes another price for as long as the context lasts."""
        prices = [(edge := self._edge(route), edge.cost) for route in routes]
        for edge, _ in prices:
            edge.cost = price
        yield
        for edge, before in reversed(prices):
            edge.cost = before


def union(ways: Ways) -> list[Route]:
    """Return the routes of all ways, each once."""
    return list(dict.fromkeys([route for way in ways.values() for route in way]))
