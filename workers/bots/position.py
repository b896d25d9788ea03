"""A view, read with the atlas: what a bot knows in the middle of a game."""

from __future__ import annotations

from functools import cached_property

from workers.bots.atlas import GREY, WILD, Atlas, Route, Ticket

FEW_TRAINS = 2  # so few left to somebody, and the final turns begin
TRAINS_A_CLAIM = 3.5  # laid at once, on the average


class Position:
    """What a seat can tell from its view, computed anew from every view."""

    def __init__(self, atlas: Atlas, view: dict):
        you = view["you"]
        self.atlas, self.view = atlas, view
        self.seat: int = you["seat"]
        self.trains: int = view["seats"][self.seat]["trains"]
        self.hand = {color: you["hand"].get(color, 0) for color in atlas.colors}
        self.wilds: int = you["hand"].get(WILD, 0)
        self.tickets = [atlas.tickets[ticket] for ticket in you["tickets"]]
        self.owners: dict[str, int] = {c["route"]: c["seat"] for c in view["claims"]}

    @cached_property
    def mine(self) -> list[Route]:
        """The seat's own routes."""
        return [self.atlas.routes[r] for r, seat in self.owners.items() if seat == self.seat]

    @cached_property
    def home(self) -> dict[str, str]:
        """Location -> the one that stands for all those which the seat has connected with it."""
        home = {location: location for location in self.atlas.locations}
        for route in self.mine:
            old, new = home[route.a], home[route.b]
            if old != new:
                home = {place: new if h == old else h for place, h in home.items()}
        return home

    @cached_property
    def open(self) -> list[Route]:
        """The routes that the seat may still claim once it has the cards."""
        closed = len(self.view["seats"]) in self.atlas.doubles_closed_for
        owners = self.owners
        return [
            route for route in self.atlas.routes.values()
            if route.length <= self.trains and route.id not in owners
            and not (route.twin in owners and (closed or owners[route.twin] == self.seat))
        ]

    @cached_property
    def rivals(self) -> list[dict]:
        """The other seats in play, as the view has them."""
        return [s for s in self.view["seats"] if s["seat"] != self.seat and "left" not in s]

    @cached_property
    def crowd(self) -> dict[str, int]:
        """Location -> how many of the rivals' routes end there."""
        crowd = dict.fromkeys(self.atlas.locations, 0)
        rivals = {rival["seat"] for rival in self.rivals}
        for route, seat in self.owners.items():
            if seat in rivals:
                crowd[self.atlas.routes[route].a] += 1
                crowd[self.atlas.routes[route].b] += 1
        return crowd

    @cached_property
    def turns_left(self) -> float:
        """How many turns the seat may hope for, the present one included."""
        if "final_turns" in self.view:
            return 1
        return 1 + min((_turns_to_the_end(rival) for rival in self.rivals), default=0)

    @cached_property
    def most_held(self) -> int:
        """How many cards there are of the colour held most."""
        return max(self.hand.values())

    def held(self, route: Route) -> int:
        """Return how many cards of one colour fit a route, wilds aside."""
        held = self.most_held if route.color == GREY else self.hand[route.color]
        return min(route.length, held)

    def connected(self, ticket: Ticket) -> bool:
        """Return whether the seat's own routes complete a ticket."""
        return self.home[ticket.a] == self.home[ticket.b]

    def ends(self, route: Route) -> tuple[str, str]:
        """Return the two homes that a route connects."""
        return self.home[route.a], self.home[route.b]


def _turns_to_the_end(rival: dict) -> float:
    """Return in how many turns a seat can have laid its trains: drawing what it lacks, claiming."""
    trains = max(0, rival["trains"] - FEW_TRAINS)
    return max(0, trains - rival["cards"]) / 2 + trains / TRAINS_A_CLAIM
