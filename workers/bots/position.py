"""A view, read with the atlas: what a bot knows in the middle of a game."""

from __future__ import annotations

from functools import cached_property

from workers.bots.atlas import GREY, WILD, Atlas, Route, Ticket

FEW_TRAINS = 2  # so few left and the final turns begin
TRAINS_A_CLAIM = 3.5  # what players lay down at once, on the average


class Position:
    """What the seat that a view is made for can tell from it; computed anew from every view."""

    def __init__(self, atlas: Atlas, view: dict):
        you = view["you"]
        self.atlas, self.view = atlas, view
        self.seat: int = you["seat"]
        self.trains: int = view["seats"][self.seat]["trains"]
        self.hand = {color: you["hand"].get(color, 0) for color in atlas.colors}
        self.wilds: int = you["hand"].get(WILD, 0)
        self.owners = {claim["route"]: claim["seat"] for claim in view["claims"]}
        self.tickets = [atlas.tickets[ticket] for ticket in you["tickets"]]

    @cached_property
    def mine(self) -> list[Route]:
        """The routes of the seat."""
        return [self.atlas.routes[r] for r, seat in self.owners.items() if seat == self.seat]

    @cached_property
    def home(self) -> dict[str, str]:
        """Location -> one location that stands for all those the seat has connected with it."""
        home = {location: location for location in self.atlas.locations}
        for route in self.mine:
            old, new = home[route.a], home[route.b]
            if old != new:
                home = {place: new if h == old else h for place, h in home.items()}
        return home

    @cached_property
    def open(self) -> list[Route]:
        """The routes that the seat may still claim, cards aside."""
        closing = len(self.view["seats"]) in self.atlas.doubles_closed_for
        return [
            route for route in self.atlas.routes.values()
            if route.length <= self.trains and route.id not in self.owners
            and not (route.twin in self.owners
                     and (closing or self.owners[route.twin] == self.seat))
        ]

    @cached_property
    def rivals(self) -> list[dict]:
        """The other seats in play."""
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
        """How many turns the seat can hope for, the present one included."""
        if "final_turns" in self.view:
            return 1
        return 1 + min((_turns_to_the_end(rival) for rival in self.rivals), default=99)

    def held(self, route: Route) -> int:
        """Return how many cards of the hand fit a route, wilds aside."""
        if route.color == GREY:
            return min(route.length, self._most_held)
        return min(route.length, self.hand[route.color])

    @cached_property
    def _most_held(self) -> int:
        return max(self.hand.values())

    def connected(self, ticket: Ticket) -> bool:
        """Return whether the seat's own routes complete a ticket."""
        return self.home[ticket.a] == self.home[ticket.b]


def _turns_to_the_end(rival: dict) -> float:
    """Return in how many turns a seat will have laid its trains, if it does nothing else."""
    trains = max(0, rival["trains"] - FEW_TRAINS)
    return max(0, trains - rival["cards"]) / 2 + trains / TRAINS_A_CLAIM
