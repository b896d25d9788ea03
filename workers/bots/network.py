"""The cheapest connections for tickets over open routes."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count, pairwise

from workers.bots.board import Route, Ticket
from workers.bots.position import Position

Ways = dict[Ticket, list[Route]]  # the routes still to be built for each ticket
FAR = 1_000.0  # more than any real path costs


@dataclass(slots=True)
class Edge:
    """The cheapest route between two homes, and its present cost."""

    cost: float
    route: Route


class Network:
    """The graph of open and lendable routes; the locations that the seat has connected are one
    node.

    ``costs`` are the routes' costs by id. ``thrift`` adds a cost for every train, which makes paths
    shorter.
    """

    def __init__(self, position: Position, costs: Mapping[str, float], thrift: float = 0):
        self._home = position.home
        self._graph: dict[str, dict[str, Edge]] = {home: {} for home in self._home.values()}
        for route in position.open + position.lent:
            a, b = position.ends(route)
            price = costs[route.id] + thrift * route.trains
            edge = self._graph[a].get(b)
            if edge is not None and edge.cost > price:
                edge.cost, edge.route = price, route
            elif edge is None and a != b:
                self._graph[a][b] = self._graph[b][a] = Edge(price, route)

    def reaches(self, ticket: Ticket) -> bool:
        end = self._home[ticket.b]
        return end in self._search(self._home[ticket.a], end)[0]

    def best_way(self, ticket: Ticket) -> Ticket:
        """Return the way of a ticket with the most points less its cost."""
        return max(
            filter(self.reaches, ticket.ways),
            default=ticket,
            key=lambda way: way.points - self._way(way)[0],
        )

    def connect(self, tickets: list[Ticket]) -> Ways:
        """Return cheap paths for the tickets that can be completed.

        Finding the cheapest forest is NP-hard. This heuristic lays one path after the other, each
        reusing those before it, once from the dearest and once from the cheapest ticket. Then each
        path is searched again, given all others.
        """
        order = sorted(tickets, key=lambda t: self._way(t)[0])
        ways = min((self._lay(order), self._lay(order[::-1])), key=self._cost)
        for ticket in order if len(order) > 1 else ():
            others = {t: way for t, way in ways.items() if t is not ticket}
            ways = min(ways, others | self._lay([ticket], union(others)), key=self._cost)
        return ways

    def from_home(self, place: str, free: Iterable[Route]) -> dict[str, tuple[float, list[Route]]]:
        """Return cost and routes of the cheapest path to each home, with some routes for free."""
        with self._priced(free, 0.0):
            costs, paths = self._search(self._home[place])
        return {home: (costs[home], self._routes(path)) for home, path in paths.items()}

    def detour(self, route: Route, free: Iterable[Route]) -> float:
        """Return the cost of the cheapest path around a route, with some routes for free."""
        with self._priced((r for r in free if r is not route), 0.0), self._priced([route], FAR):
            return self._way(route)[0]

    def _way(self, ends: Ticket | Route) -> tuple[float, list[str]]:
        end = self._home[ends.b]
        costs, paths = self._search(self._home[ends.a], end)
        return costs[end], paths[end]

    def _search(
        self, start: str, end: str | None = None
    ) -> tuple[dict[str, float], dict[str, list[str]]]:
        """Return cost and homes of the cheapest path to each home (Dijkstra). Paths dearer than the
        one to ``end`` are left out; of equal paths the first one counts."""
        costs: dict[str, float] = {}
        numbers = count()
        least, paths, queue = {start: 0.0}, {start: [start]}, [(0.0, next(numbers), start)]
        while queue:
            cost, _, home = heappop(queue)
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
                    heappush(queue, (price, next(numbers), other))
        return costs, paths

    def _lay(self, tickets: list[Ticket], free: Iterable[Route] = ()) -> Ways:
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
        prices = [(edge := self._edge(route), edge.cost) for route in routes]
        for edge, _ in prices:
            edge.cost = price
        yield
        for edge, before in reversed(prices):
            edge.cost = before


def union(ways: Ways) -> list[Route]:
    return list(dict.fromkeys([route for way in ways.values() for route in way]))
