"""A game played to its end in a hurry, all cards known: nearly by the rules, within milliseconds.

All seats play like simple planners. Left out is what matters little on the average: stations that
are still to be built, flags, withdrawing from tunnels. The longest path is taken to be that of the
largest network.
"""

from __future__ import annotations

from heapq import heappop, heappush
from random import Random

from workers.bots.costs import HELD, LEAST
from workers.bots.paying import A_WILD, FOR_EXTRA, FOR_NOTHING, NEEDED
from workers.bots.plan import WASTE
from workers.bots.planner import LACKING, LONG, RESERVE, SECOND_CARD
from workers.bots.position import FEW_TRAINS, TRAINS_A_CLAIM
from workers.bots.sketch import ANY, NO_TWIN, Sketch

OPEN, CLOSED = -1, -2  # who owns a route: nobody yet, nobody ever
FAR = 1e9  # dearer than any way round
ROW, TOO_MANY = 5, 3  # face-up cards; wilds among them
EXTRAS = 6  # routes for points that are planned at once
SPARE_TRAINS, SPARE_TURNS = 10, 9  # with so many and nothing to connect, a seat draws tickets
WORTH_KEEPING = 5  # points that a drawn ticket beside the best must promise
LATER = 1  # turns that a plan may take beyond those that are hoped for
LAST = 60  # turns of each seat after which a game is broken off


class Playout:
    """A game under way. Who makes one fills in what is known and what is guessed.

    ``piles`` are what blind draws come from: one for each seat and the last for the row, so that
    what one seat does changes little for the others. ``asks`` says of each route whether, as a
    tunnel, it will ask for a card more. ``final`` counts the turns left once the end has begun;
    ``lent`` are routes of others that a seat's stations lend; ``gone`` are the seats that left.
    ``needed`` is a seat's plan, None when it has to be made anew, ``extra`` its routes for points.
    """

    random: Random

    def __init__(self, sketch: Sketch, seats: int):
        self.sketch, self.seats = sketch, seats
        self.shut = seats in sketch.atlas.doubles_closed_for
        self.turn, self.final = 0, None
        self.gone: set[int] = set()
        self.owner = [OPEN] * len(sketch.routes)
        self.hands = [[0] * len(sketch.cards) for _ in range(seats)]
        self.trains = [0] * seats
        self.scores = [0.0] * seats
        self.tickets: list[list[tuple[int, int, int]]] = [[] for _ in range(seats)]
        self.lent: list[list[int]] = [[] for _ in range(seats)]
        self.needed: list[list[int] | None] = [None] * seats
        self.extra: list[list[int]] = [[] for _ in range(seats)]
        self.row: list[int] = []
        self.piles: list[list[int]] = [[] for _ in range(seats + 1)]
        self.discards: list[int] = []
        self.ticket_deck: list[tuple[int, int, int]] = []
        self.asks = [False] * len(sketch.routes)

    def copy(self) -> Playout:
        """Return a game that goes on from here without changing this one."""
        new = object.__new__(Playout)
        new.__dict__.update(self.__dict__)
        new.owner, new.trains, new.scores = self.owner[:], self.trains[:], self.scores[:]
        new.hands = [hand[:] for hand in self.hands]
        new.tickets = [held[:] for held in self.tickets]
        new.needed = [plan and plan[:] for plan in self.needed]
        new.extra = [plan[:] for plan in self.extra]
        new.piles = [pile[:] for pile in self.piles]
        new.discards, new.row = self.discards[:], self.row[:]
        new.ticket_deck = self.ticket_deck[:]
        return new

    # -- what is done

    def claim(self, seat: int, route: int, paid: list[tuple[int, int]]) -> None:
        """Give a route to a seat for (colour, number) cards."""
        sketch, hand = self.sketch, self.hands[seat]
        for color, n in paid:
            hand[color] -= n
            self.discards += [color] * n
        self.own(seat, route)
        self.trains[seat] -= sketch.length[route]
        self.scores[seat] += sketch.points[route]
        closed = {route, sketch.twin[route]} if self.shut else {route}
        for other in range(self.seats):
            needed, extra = self.needed[other], self.extra[other]
            if other == seat:
                if needed and route in needed:
                    needed.remove(route)
            elif needed and not closed.isdisjoint(needed):
                self.needed[other] = None
            if not closed.isdisjoint(extra):
                self.extra[other] = extra = [r for r in extra if r not in closed]
            if not (extra or needed):
                self.needed[other] = None

    def own(self, seat: int, route: int) -> None:
        """Enter the owner of a route."""
        self.owner[route] = seat
        twin = self.sketch.twin[route]
        if twin != NO_TWIN and self.shut and self.owner[twin] == OPEN:
            self.owner[twin] = CLOSED

    def take(self, seat: int, color: int | None) -> None:
        """Draw a card: of a colour from the row, or blind."""
        if color is None:
            if (card := self.top(seat)) is not None:
                self.hands[seat][card] += 1
            return
        self.row.remove(color)
        self.hands[seat][color] += 1
        self.fill()

    def top(self, pile: int) -> int | None:
        """Return the top card of a pile: each seat has its own, and the row, so that what one does
        changes little for others. An empty one is filled from the discards, or else shares the
        largest."""
        cards = self.piles[pile]
        if not cards:
            if not self.discards:
                cards = max(self.piles, key=len)
                return cards.pop() if cards else None
            self.random.shuffle(self.discards)
            cards = self.piles[pile] = self.discards
            self.discards = []
        return cards.pop()

    def fill(self) -> None:
        """Fill the row; three wilds in it are one too many."""
        wild = self.sketch.wild
        for _ in range(TOO_MANY):
            while len(self.row) < ROW and (card := self.top(-1)) is not None:
                self.row.append(card)
            if self.row.count(wild) < TOO_MANY:
                return
            self.discards += self.row
            self.row = []
        while len(self.row) < ROW and (card := self.top(-1)) is not None:
            self.row.append(card)

    def end_turn(self) -> None:
        """Let the next seat play."""
        seat = self.turn
        if self.final is not None:
            self.final -= 1
        elif self.trains[seat] <= FEW_TRAINS:
            self.final = self.seats - len(self.gone)
        self.turn = (seat + 1) % self.seats
        while self.turn in self.gone and len(self.gone) < self.seats:
            self.turn = (self.turn + 1) % self.seats

    # -- how it is played

    def run(self, random: Random) -> list[float]:
        """Play to the end; return each seat's total."""
        self.random = random
        for _ in range(LAST * self.seats):
            if self.final == 0:
                break
            self.play_turn(self.turn)
            self.end_turn()
        return self.totals()

    def play_turn(self, seat: int) -> None:
        """Claim, draw tickets or draw cards."""
        needed = self.needed[seat]
        if needed is None:
            needed = self.plan(seat)
        if (found := self.to_claim(seat, needed)) is not None:
            self.claim(seat, *found)
        elif not needed and self.wants_tickets(seat):
            self.draw_tickets(seat)
        else:
            self.draw_cards(seat, 2)

    def to_claim(self, seat: int, needed: list[int]) -> tuple[int, list] | None:
        """Return the route to claim now and what with, or None."""
        late = self.final is not None
        for route in needed:
            if paid := self.payment(seat, route, late):
                return route, paid
        trains = self.trains[seat]
        if late or len(self.extra[seat]) == 0:
            return self.longest(seat) if late or not needed else None
        owner, length = self.owner, self.sketch.length
        spare = trains - sum([length[r] for r in needed]) - RESERVE if needed else trains
        for route in self.extra[seat]:
            if owner[route] == OPEN and length[route] <= spare and (
                    not needed or length[route] >= LONG) and (
                    paid := self.payment(seat, route, late)):
                return route, paid
        return None

    def longest(self, seat: int) -> tuple[int, list] | None:
        """Return the claim of most points that can be paid for."""
        sketch, best, most = self.sketch, None, 0
        hand = self.hands[seat]
        reach = min(max(hand[:-1]) + hand[-1], self.trains[seat])
        for route in sketch.routes:
            if most < sketch.points[route] and sketch.length[route] <= reach and (
                    self.owner[route] == OPEN) and (paid := self.payment(seat, route, True)):
                best, most = (route, paid), sketch.points[route]
        return best

    def payment(self, seat: int, route: int, late: bool) -> list[tuple[int, int]] | None:
        """Return what a seat would pay for a route, None if it cannot."""
        sketch, hand = self.sketch, self.hands[seat]
        length, wild = sketch.length[route], sketch.wild
        wilds = hand[wild]
        color = sketch.color[route]
        if color == ANY:
            plain = hand[:-1]
            color = plain.index(max(plain))
        held = hand[color]
        ferry = sketch.ferry[route]
        use = held if held < length - ferry else length - ferry
        if use + wilds < length or length > self.trains[seat]:
            return None
        if sketch.tunnel[route]:
            if held + wilds <= length and not late:
                return None
            if self.asks[route]:
                if held + wilds <= length:
                    return None
                length += 1
                use = held if held < length - ferry else length - ferry
        twin = sketch.twin[route]
        if not self.shut and twin != NO_TWIN and self.owner[twin] == seat:
            return None
        if self.owner[route] != OPEN:
            return None
        return [(color, use), (wild, length - use)] if length > use else [(color, use)]

    def draw_cards(self, seat: int, count: int) -> None:
        """Draw cards, each the one that helps the plan most."""
        sketch, wild = self.sketch, self.sketch.wild
        worth = self.worth(seat)
        blind = sum([w * n for w, n in zip(worth, sketch.cards, strict=True)]) / sketch.all_cards
        while count > 0:
            best, most = None, blind
            for card in self.row:
                value = worth[card]
                if card == wild:
                    if count == 1:
                        continue
                    value -= blind if blind > SECOND_CARD else SECOND_CARD
                if value > most:
                    best, most = card, value
            self.take(seat, best)
            count -= 2 if best == wild else 1

    def worth(self, seat: int) -> list[float]:
        """Return what a card of each colour is worth to a seat's plan."""
        sketch, hand = self.sketch, self.hands[seat][:]
        worth = [FOR_NOTHING] * len(hand)
        for routes, least in ((self.needed[seat] or (), NEEDED), (self.extra[seat], FOR_EXTRA)):
            for route in routes:
                color = sketch.color[route]
                if color == ANY:
                    plain = hand[:-1]
                    color = plain.index(max(plain))
                cards = sketch.cards_for[route]
                held = hand[color]
                use = held if held < cards else cards
                hand[color] -= use
                if cards > use and (value := least + LACKING * (cards - use)) > worth[color]:
                    worth[color] = value
        worth[sketch.wild] = A_WILD
        return worth

    def wants_tickets(self, seat: int) -> bool:
        """Return whether there is time for another ticket."""
        return (self.final is None and len(self.ticket_deck) >= self.sketch.atlas.tickets_drawn
                and self.trains[seat] >= SPARE_TRAINS and self.turns_left(seat) >= SPARE_TURNS)

    def draw_tickets(self, seat: int) -> None:
        """Draw tickets; keep the best, and others that cost less than they bring."""
        count = min(self.sketch.atlas.tickets_drawn, len(self.ticket_deck))
        drawn = [self.ticket_deck.pop() for _ in range(count)]
        costs = self.costs(seat)
        promise = []
        for a, b, points in drawn:
            cost, way = self.way(costs, a, b)
            trains = sum([self.sketch.length[r] for r in way])
            fits = cost < FAR and trains <= self.trains[seat] - FEW_TRAINS
            promise.append((points - cost if fits else -points, (a, b, points)))
        (_, best), *others = sorted(promise, reverse=True)
        kept = [ticket for value, ticket in others if value > WORTH_KEEPING]
        self.tickets[seat] += [best, *kept]
        self.ticket_deck = [t for _, t in others if t not in kept] + self.ticket_deck
        self.needed[seat] = None

    def turns_left(self, seat: int) -> float:
        """Return how many turns a seat may hope for."""
        if self.final is not None:
            return 1
        least = FAR
        for rival in range(self.seats):
            if rival != seat and rival not in self.gone:
                trains = max(0, self.trains[rival] - FEW_TRAINS)
                turns = max(0, trains - sum(self.hands[rival])) / 2 + trains / TRAINS_A_CLAIM
                least = min(least, turns)
        return 1 + least

    # -- plans

    def costs(self, seat: int) -> list[float]:
        """Return what each route costs a seat: nothing if it is its own, all too much if it is
        closed to it."""
        sketch, hand, trains = self.sketch, self.hands[seat], self.trains[seat]
        share = sketch.card * HELD
        plain = hand[:-1]
        held = [*[n * share for n in plain], max(plain) * share]  # the last for grey, as -1
        most = [n * share for n in range(20)]
        costs = []
        for base, owner, color, cards, length in zip(
                sketch.base, self.owner, sketch.color, sketch.cards_for, sketch.length,
                strict=True):
            if owner == seat:
                costs.append(0.0)
            elif owner != OPEN or length > trains:
                costs.append(FAR)
            else:
                cost = base - min(held[color], most[cards])
                costs.append(cost if cost > LEAST else LEAST)
        if not self.shut:
            for route in sketch.routes:
                twin = sketch.twin[route]
                if twin != NO_TWIN and self.owner[twin] == seat:
                    costs[route] = FAR if self.owner[route] != seat else 0.0
        return costs

    def way(self, costs: list[float], start: int, end: int) -> tuple[float, list[int]]:
        """Return the cheapest way between two locations: its cost, and its routes that cost."""
        around = self.sketch.around
        best = [FAR] * len(around)
        by = [(-1, -1)] * len(around)
        best[start] = 0.0
        heap = [(0.0, start)]
        while heap:
            far, place = heappop(heap)
            if place == end:
                break
            if far > best[place]:
                continue
            for other, route in around[place]:
                cost = far + costs[route]
                if cost < best[other]:
                    best[other] = cost
                    by[other] = (place, route)
                    heappush(heap, (cost, other))
        if best[end] >= FAR:
            return FAR, []
        way, place = [], end
        while place != start:
            place, route = by[place]
            if costs[route] > 0:
                way.append(route)
        return best[end], way

    def plan(self, seat: int) -> list[int]:
        """Plan a seat's routes anew; return those that its tickets need."""
        sketch = self.sketch
        costs = self.costs(seat)
        length, cards_for, color = sketch.length, sketch.cards_for, sketch.color
        trains = self.trains[seat]
        hand = self.hands[seat][:]
        turns = self.turns_left(seat) + LATER
        have = hand[sketch.wild]
        needed: list[int] = []
        lacking, count = 0, 0
        for a, b, points in sorted(self.tickets[seat], key=_points):
            cost, way = self.way(costs, a, b)
            if cost <= 0 or cost >= FAR:
                continue
            used = sum([length[r] for r in way])
            plain = hand[:-1]
            short = 0
            for r in way:
                c = color[r] if color[r] != ANY else plain.index(max(plain))
                use = min(plain[c], cards_for[r])
                plain[c] -= use
                short += cards_for[r] - use
            if used > trains or (
                    max(0, lacking + short - have) * WASTE / 2 + count + len(way) > turns):
                continue
            if cost > 2 * points + 6:
                continue
            trains -= used
            lacking += short
            count += len(way)
            hand[:-1] = plain
            needed += way
            for r in way:
                costs[r] = 0.0
        needed.sort(key=lambda r: -length[r])
        self.needed[seat] = needed
        self.extra[seat] = self.plan_extra(seat, hand, trains, costs)
        return needed

    def plan_extra(self, seat: int, hand: list[int], trains: int, costs: list[float]) -> list[int]:
        """Return routes for points, those that bring most a turn."""
        sketch = self.sketch
        most = max(hand[:-1])
        rates = []
        for route in sketch.routes:
            n = sketch.length[route]
            if n <= trains and self.owner[route] == OPEN and 0 < costs[route] < FAR:
                color = sketch.color[route]
                held = most if color == ANY else hand[color]
                short = n - held if n > held else 0
                rates.append((sketch.points[route] / (1 + short / 2), route))
        rates.sort(reverse=True)
        extra: list[int] = []
        for _, route in rates:
            if sketch.length[route] <= trains and sketch.twin[route] not in extra:
                extra.append(route)
                trains -= sketch.length[route]
                if len(extra) == EXTRAS or trains < 1:
                    break
        return extra

    # -- what it comes to

    def totals(self) -> list[float]:
        """Return the totals as the game stands; the longest path is that of the largest network."""
        sketch = self.sketch
        totals, sizes = [], []
        for seat in range(self.seats):
            home = list(range(len(sketch.around)))

            def find(place: int, home: list[int] = home) -> int:
                while home[place] != place:
                    home[place] = home[home[place]]
                    place = home[place]
                return place

            mine = [route for route, owner in enumerate(self.owner) if owner == seat]
            for route in (*mine, *self.lent[seat]):
                home[find(sketch.a[route])] = find(sketch.b[route])
            total = self.scores[seat]
            for a, b, points in self.tickets[seat]:
                total += points if find(a) == find(b) else -points
            for points, places in sketch.districts:
                if len({find(place) for place in places}) == 1:
                    total += points
            size: dict[int, int] = {}
            for route in mine:
                root = find(sketch.a[route])
                size[root] = size.get(root, 0) + sketch.length[route]
            sizes.append(max(size.values(), default=0))
            totals.append(total)
        if sketch.atlas.longest_path:
            most = max(sizes)
            for seat, size_ in enumerate(sizes):
                if size_ == most:
                    totals[seat] += sketch.atlas.longest_path / sizes.count(most)
        return totals


def _points(ticket: tuple[int, int, int]) -> int:
    return -ticket[2]
