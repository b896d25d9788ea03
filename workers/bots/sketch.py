"""A board in numbers, for playing games out by the thousand: what the atlas knows, as tuples."""

from __future__ import annotations

from workers.bots.atlas import GREY, WILD, Atlas, Ticket
from workers.bots.costs import a_card, a_turn

NO_TWIN = -1
ANY = -1  # the colour of a grey route


class Sketch:
    """Locations, colours and routes by their places in the atlas; ``wild`` is the last colour."""

    def __init__(self, atlas: Atlas):
        self.atlas = atlas
        self.places = {place: n for n, place in enumerate(atlas.locations)}
        self.colors = {color: n for n, color in enumerate([*atlas.colors, WILD])}
        self.wild = len(self.colors) - 1
        self.cards = [atlas.cards[color] for color in self.colors]
        self.all_cards = sum(self.cards)
        routes = list(atlas.routes.values())
        self.number = {route.id: n for n, route in enumerate(routes)}
        self.routes = range(len(routes))
        self.a = [self.places[r.a] for r in routes]
        self.b = [self.places[r.b] for r in routes]
        self.length = [r.length for r in routes]
        self.cards_for = [r.cards for r in routes]
        self.color = [ANY if r.color == GREY else self.colors[r.color] for r in routes]
        self.points = [r.points for r in routes]
        self.twin = [self.number[r.twin] if r.twin else NO_TWIN for r in routes]
        self.ferry = [r.ferry for r in routes]
        self.tunnel = [r.tunnel for r in routes]
        self.card = a_card(atlas)
        self.turn = a_turn(atlas)
        self.base = [self.card * r.cards + self.turn - r.points for r in routes]
        self.around: list[list[tuple[int, int]]] = [[] for _ in self.places]
        for n in self.routes:
            self.around[self.a[n]].append((self.b[n], n))
            self.around[self.b[n]].append((self.a[n], n))
        self.districts = [(points, [self.places[place] for place in places])
                          for points, places in atlas.districts.items()]

    def ticket(self, ticket: Ticket) -> tuple[int, int, int]:
        """Return the two locations of a ticket and its points."""
        return self.places[ticket.a], self.places[ticket.b], ticket.points
