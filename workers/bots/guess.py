"""What may be hidden behind a view: other hands, tickets, decks. Each guess fits the view."""

from __future__ import annotations

from math import exp
from random import Random

from workers.bots.atlas import Atlas
from workers.bots.playout import FAR, OPEN, Playout
from workers.bots.position import Position
from workers.bots.sketch import Sketch

LEANING = 4.0  # how much likelier, as a power of e, a ticket is whose way a seat has built
LONG_KEPT = 0.7  # how often a seat has kept a long ticket, where there are any
TUNNEL_ASKS = 0.4  # how often a tunnel asks for a card more
DEALT = 2  # cards of a hand that were not chosen
STATION = 4  # points for one that is not built (6.3)
AT_LEAST = 2  # tickets that a seat which has not chosen yet will hold


class Guesses:
    """A view of a seat that is to choose tickets, and games that it may be a view of."""

    def __init__(self, sketch: Sketch, atlas: Atlas, view: dict):
        position = Position(atlas, view)
        self._sketch, self._view = sketch, view
        self.seat = position.seat
        self.in_setup = not view["you"]["tickets"]  # all choose then, and the first seat begins
        self._seen = self._visible(position)
        known = [*view["row"], *(c for row in view["seats"] for c in row.get("flag", ()))]
        known = [sketch.colors[color] for color in known]
        mine = self._seen.hands[self.seat]
        self._unseen = [color for color, n in enumerate(sketch.cards)
                        for _ in range(n - known.count(color) - mine[color])]
        offered = {*view["you"]["tickets"], *view["you"]["offered"]}
        unseen = [t for t in atlas.tickets.values() if t.id not in offered]
        self._long = [sketch.ticket(t) for t in unseen if t.long]
        self._short = [sketch.ticket(t) for t in unseen if not t.long]
        self._likely = {seat: self._leanings(seat) for seat in self._others}

    @property
    def _others(self) -> list[int]:
        return [row["seat"] for row in self._view["seats"]
                if row["seat"] != self.seat and "left" not in row]

    def _visible(self, position: Position) -> Playout:
        """Return the game with what everybody sees and the seat's own cards."""
        sketch, view = self._sketch, self._view
        seats = view["seats"]
        game = Playout(sketch, len(seats))
        for claim in view["claims"]:
            game.own(claim["seat"], sketch.number[claim["route"]])
        game.trains = [row["trains"] for row in seats]
        game.scores = [float(row["score"]) + STATION * row.get("stations", 0) for row in seats]
        game.gone = {row["seat"] for row in seats if "left" in row}
        game.final = view.get("final_turns")
        game.turn = min([self.seat, *self._others]) if self.in_setup else self.seat
        game.tickets[self.seat] = [sketch.ticket(ticket) for ticket in position.tickets]
        game.hands[self.seat] = [view["you"]["hand"].get(color, 0) for color in sketch.colors]
        game.row = [sketch.colors[color] for color in view["row"]]
        for station in view.get("stations", ()):
            lent = [sketch.number[route] for route, owner in position.owners.items()
                    if owner != station["seat"] and station["location"] in
                    (position.atlas.routes[route].a, position.atlas.routes[route].b)]
            game.lent[station["seat"]] += lent[:1]
        return game

    def _leanings(self, seat: int) -> dict[tuple[int, int, int], float]:
        """Return how likely unseen tickets are a seat's, judging by what it has built."""
        game, sketch = self._seen, self._sketch
        costs = [0.0 if owner == seat else float(length) if owner == OPEN else FAR
                 for owner, length in zip(game.owner, sketch.length, strict=True)]
        empty = [float(length) for length in sketch.length]
        weights = {}
        for ticket in self._long + self._short:
            left = game.way(costs, *ticket[:2])[0]
            done = 1 - left / game.way(empty, *ticket[:2])[0]
            weights[ticket] = exp(LEANING * max(0.0, done))
        return weights

    def sample(self, random: Random) -> Playout:
        """Return a game that fits the view."""
        game = self._seen.copy()
        game.asks = [random.random() < TUNNEL_ASKS for _ in self._sketch.routes]
        long, short = self._long[:], self._short[:]
        for seat in self._others:
            for n in range(self._view["seats"][seat]["tickets"] or AT_LEAST):
                pool = long if long and n == 0 and random.random() < LONG_KEPT else short
                if pool:
                    likely = self._likely[seat]
                    ticket = random.choices(pool, [likely[t] for t in pool])[0]
                    pool.remove(ticket)
                    game.tickets[seat].append(ticket)
        random.shuffle(short)
        game.ticket_deck = short[: self._view["ticket_deck"]]
        unseen = self._unseen[:]
        random.shuffle(unseen)
        for seat in self._others:
            self._deal_cards(game, seat, unseen)
        discarded = max(0, len(unseen) - self._view["discards"])
        game.discards = unseen[discarded:]
        piles = game.seats + 1
        game.piles = [unseen[n:discarded:piles] for n in range(piles)]
        return game

    def _deal_cards(self, game: Playout, seat: int, unseen: list[int]) -> None:
        """Give a seat its cards: most were chosen, so of two that it may hold it has the one that
        its plan wants more; what it has begun with was not."""
        worth: list[float] = []
        for n in range(min(self._view["seats"][seat]["cards"], len(unseen))):
            if n >= DEALT and len(unseen) > 1:
                if not worth or n % 4 == 0:
                    game.plan(seat)
                    worth = game.worth(seat)
                if worth[unseen[-2]] > worth[unseen[-1]]:
                    unseen[-1], unseen[-2] = unseen[-2], unseen[-1]
            game.hands[seat][unseen.pop()] += 1
        game.needed[seat] = None
