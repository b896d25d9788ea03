"""A view for bots: its legal actions by type, and combined with its board, a bot's knowledge in the
middle of a game."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cached_property
from itertools import product
from typing import Any

from fogg_client import types
from fogg_client.types import Seat, View

from workers.bots.board import GREY, WILD, Board, Route, Ticket

FEW_TRAINS = 2  # a seat with so few trains starts the final turns
TRAINS_A_CLAIM = 3.5  # mean trains of a claim


class Legal:
    """A view's legal actions: ``all`` of them, and by type, in the order of the list."""

    def __init__(self, view: View):
        self.all: list[types.Action] = view["you"]["legal_actions"]
        by_type: dict[str, list[Any]] = defaultdict(list)
        for action in self.all:
            by_type[action["type"]] += [action]
        self.keeps: list[types.KeepTicketsAction] = by_type["keep_tickets"]
        self.claims: list[types.ClaimRouteAction] = by_type["claim_route"]
        self.builds: list[types.BuildStationAction] = by_type["build_station"]
        self.pays: list[types.PayTunnelAction] = by_type["pay_tunnel"]
        self.withdrawals: list[types.WithdrawTunnelAction] = by_type["withdraw_tunnel"]
        self.draws: list[types.DrawCardAction] = by_type["draw_card"]
        self.new_tickets: list[types.DrawTicketsAction] = by_type["draw_tickets"]


class Position:
    """A seat's knowledge, computed from each view."""

    def __init__(self, board: Board, view: View):
        you = view["you"]
        self.board, self.view = board, view
        self.seat: int = you["seat"]
        self.trains: int = view["seats"][self.seat]["trains"]
        tunnel = view.get("tunnel")  # laid cards are the seat's own while it may withdraw
        laid = tunnel["laid"] if tunnel and tunnel["seat"] == self.seat else {}
        held = Counter(you["hand"]) + Counter(laid)
        self.hand = {color: held[color] for color in board.colors}
        self.wilds: int = held[WILD]
        self.tickets = [board.tickets[ticket] for ticket in you["tickets"]]
        self.ways = sorted(
            [way for ticket in self.tickets for way in ticket.ways or (ticket,)],
            key=lambda way: way.points,
        )  # of each ticket, the best is the last
        self.owners: dict[str, int] = {c["route"]: c["seat"] for c in view["claims"]}
        self.gains: dict[str, float] = {}  # cache of gains.gain

    @cached_property
    def mine(self) -> list[Route]:
        return [self.board.routes[r] for r, seat in self.owners.items() if seat == self.seat]

    @cached_property
    def home(self) -> dict[str, str]:
        """Location -> the representative of the locations that the seat has connected, by its own
        routes and by the routes that its stations lend for the most points."""
        home = homes_after({location: location for location in self.board.locations}, self.mine)
        stations = [s["location"] for s in self.view.get("stations", ()) if s["seat"] == self.seat]
        lent = [self.routes_of_others_at(place) for place in stations]
        choices = product(*filter(None, lent))
        return max((homes_after(home, routes) for routes in choices), key=self.points_completed)

    def points_completed(self, home: dict[str, str]) -> int:
        return sum({t.id: t.points for t in self.ways if home[t.a] == home[t.b]}.values())

    @cached_property
    def of_others(self) -> list[Route]:
        return [self.board.routes[r] for r, seat in self.owners.items() if seat != self.seat]

    def routes_of_others_at(self, location: str) -> list[Route]:
        """Return the routes that a station in a location could lend; it lends one."""
        return [route for route in self.of_others if location in (route.a, route.b)]

    @cached_property
    def stations_left(self) -> int:
        """The number of stations that the seat may still build."""
        return self.view["seats"][self.seat].get("stations", 0)

    @cached_property
    def lent(self) -> list[Route]:
        """The routes that one more station could lend, as routes that take no trains."""
        if not self.stations_left:
            return []
        taken = {station["location"] for station in self.view["stations"]}
        return [
            Route(f"{route.id} lent", route.a, route.b, 0, 0, GREY, 0, None, station=place)
            for route in self.of_others
            for place in [route.b if route.a in taken else route.a]
            if place not in taken
        ]

    @cached_property
    def open(self) -> list[Route]:
        closed = len(self.view["seats"]) in self.board.doubles_closed_for
        owners = self.owners
        return [
            route
            for route in self.board.routes.values()
            if route.trains <= self.trains
            and route.id not in owners
            and not (route.twin in owners and (closed or owners[route.twin] == self.seat))
        ]

    @cached_property
    def rivals(self) -> list[Seat]:
        return [s for s in self.view["seats"] if s["seat"] != self.seat and "left" not in s]

    @cached_property
    def crowd(self) -> dict[str, int]:
        """Location -> number of rivals' routes that end there."""
        crowd = dict.fromkeys(self.board.locations, 0)
        rivals = {rival["seat"] for rival in self.rivals}
        for route, seat in self.owners.items():
            if seat in rivals:
                crowd[self.board.routes[route].a] += 1
                crowd[self.board.routes[route].b] += 1
        return crowd

    @cached_property
    def turns_left(self) -> float:
        """The expected number of turns left, with the present one."""
        if "final_turns" in self.view:
            return 1
        return 1 + min((_turns_to_the_end(rival) for rival in self.rivals), default=0)

    @cached_property
    def most_held(self) -> int:
        """The number of cards of the commonest colour in hand."""
        return max(self.hand.values())

    def cards_held(self, route: Route) -> int:
        held = self.most_held if route.color == GREY else self.hand[route.color]
        return min(route.cards - route.ferry, held)

    @cached_property
    def flag_lacks(self) -> frozenset[str]:
        """The colours that the seat's flag lacks; empty on boards without flags."""
        return self.board.flag.difference(self.view["seats"][self.seat].get("flag", ()))

    @cached_property
    def districts(self) -> list[tuple[int, set[str]]]:
        """The points of each incomplete district, and the homes that are to be connected."""
        homes = (
            (points, {self.home[place] for place in places})
            for points, places in self.board.districts.items()
        )
        return [(points, apart) for points, apart in homes if len(apart) > 1]

    def is_connected(self, ticket: Ticket) -> bool:
        return self.home[ticket.a] == self.home[ticket.b]

    def ends(self, route: Route) -> tuple[str, str]:
        return self.home[route.a], self.home[route.b]


def homes_after(home: dict[str, str], routes: Iterable[Route]) -> dict[str, str]:
    for route in routes:
        old, new = home[route.a], home[route.b]
        if old != new:
            home = {place: new if h == old else h for place, h in home.items()}
    return home


def _turns_to_the_end(rival: Seat) -> float:
    """Return the turns in which a seat can draw its missing cards and lay its trains."""
    trains = max(0, rival["trains"] - FEW_TRAINS)
    return max(0, trains - rival["cards"]) / 2 + trains / TRAINS_A_CLAIM
