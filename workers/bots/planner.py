"""The bot that plans connections for its tickets, anew from every view, and builds them."""

from __future__ import annotations

from random import Random

from workers.bots.atlas import WILD, Atlas, Route
from workers.bots.costs import TURN
from workers.bots.plan import Plan, connections, make_plan
from workers.bots.position import Position
from workers.bots.prospects import tickets_are_worth

# what a card is worth, the measure being one that a needed route lacks
FOR_EXTRA = 0.6  # one that a route for points lacks
FOR_NOTHING = 0.15  # one that nothing planned lacks
LACKING = 0.15  # more for every card of it that is lacking
A_WILD = 1.3
SECOND_CARD = 0.8  # what taking a face-up wild forgoes, at least

LONG = 5  # routes for points so long are claimed before the needed ones are ...
RESERVE = 3  # ... if so many trains remain to go round with
NEARLY_DONE = 3  # turns to the last needed route, and it is time to look for tickets


class Planner:
    """Keeps the tickets it can connect, collects cards for its plan and claims what it can."""

    def __init__(self, board: dict, _rng: Random):
        """``board``: as served. It leaves nothing to chance."""
        self._atlas = Atlas(board)

    def choose(self, view: dict) -> dict:
        """Return one of the view's legal actions."""
        by_type: dict[str, list[dict]] = {}
        for action in view["you"]["legal_actions"]:
            by_type.setdefault(action["type"], []).append(action)
        position = Position(self._atlas, view)
        if "keep_tickets" in by_type:
            return max(by_type["keep_tickets"], key=lambda keep: self._value(keep, position))
        plan = make_plan(position)
        claims = by_route(by_type.get("claim_route", []))
        if route := self._to_claim(claims, plan, position):
            return cheapest(claims[route.id], plan)
        if "draw_tickets" in by_type and _wants_tickets(plan, position):
            return by_type["draw_tickets"][0]
        if "draw_card" in by_type:
            return best_draw(by_type["draw_card"], plan, position)
        return self._rather(claims, by_type, plan)

    def _value(self, keep: dict, position: Position) -> float:
        """Return what the tickets held are worth together with those of a choice."""
        more = [self._atlas.tickets[ticket] for ticket in keep["tickets"]]
        return connections(position, position.tickets + more).value

    def _to_claim(self, claims: dict, plan: Plan, position: Position) -> Route | None:
        """Return the route to claim now, if any: the needed one in most danger, or for points."""
        if position.turns_left <= 1:
            return max((self._atlas.routes[r] for r in claims), default=None,
                       key=lambda route: _at_the_end(route, position))
        if needed := [r for r in plan.needed if r.id in claims]:
            return max(needed, key=lambda route: _urgency(route, plan, position))
        spare = position.trains - plan.trains - RESERVE
        extra = [r for r in plan.extra if r.id in claims
                 and plan.shares.short[r.id] <= position.wilds
                 and (not plan.needed or LONG <= r.length <= spare)]
        return max(extra, key=lambda route: route.points, default=None)

    def _rather(self, claims: dict, by_type: dict, plan: Plan) -> dict:
        """Return what to do when no card can be drawn: a claim for points, new tickets, a pass."""
        if claims:
            best = max(claims, key=lambda route: self._atlas.routes[route].points)
            return cheapest(claims[best], plan)
        return next(iter(by_type.values()))[0]


def by_route(claims: list[dict]) -> dict[str, list[dict]]:
    """Return the claims by route: each is a way of paying for it."""
    ways: dict[str, list[dict]] = {}
    for claim in claims:
        ways.setdefault(claim["route"], []).append(claim)
    return ways


def cheapest(claims: list[dict], plan: Plan) -> dict:
    """Return the claim whose cards the rest of the plan misses least."""
    route = claims[0]["route"]
    price = dict.fromkeys(plan.shares.spare, FOR_NOTHING) | {WILD: A_WILD}
    for routes, worth in ((plan.extra, FOR_EXTRA), (plan.needed, 1.0)):
        price |= {plan.shares.color[r.id]: worth for r in routes if r.id != route}
    return min(claims, key=lambda c: sum(n * price[card] for card, n in c["cards"].items()))


def best_draw(draws: list[dict], plan: Plan, position: Position) -> dict:
    """Return the draw that helps the plan most; a blind one helps as cards do on the average."""
    worth = _worth_of_cards(plan)
    blind = _worth_of_a_blind_draw(worth, position)
    worth[WILD] -= max(blind, SECOND_CARD)  # face up it is the whole turn

    def help_of(draw: dict) -> float:
        return blind if draw["from"] == "deck" else worth[draw["card"]]

    return max(draws, key=help_of)


def _worth_of_cards(plan: Plan) -> dict[str, float]:
    """Return what a card of each colour is worth to the plan."""
    worth = dict.fromkeys(plan.shares.spare, FOR_NOTHING)
    for routes, least in ((plan.extra, FOR_EXTRA), (plan.needed, 1.0)):
        for route in routes:
            color, short = plan.shares.color[route.id], plan.shares.short[route.id]
            if short:
                worth[color] = max(worth[color], least + LACKING * short)
    return worth | {WILD: A_WILD}


def _worth_of_a_blind_draw(worth: dict[str, float], position: Position) -> float:
    """Return what a card is worth that is neither in the hand nor in the row."""
    row, held = position.view["row"], position.hand | {WILD: position.wilds}
    unseen = {color: n - held[color] - row.count(color)
              for color, n in position.atlas.cards.items()}
    return sum(worth[color] * n for color, n in unseen.items()) / max(1, sum(unseen.values()))


def _wants_tickets(plan: Plan, position: Position) -> bool:
    """Return whether new tickets promise more than a turn is worth."""
    return (plan.turns(position.wilds) <= NEARLY_DONE
            and tickets_are_worth(plan, position) > TURN)


def _urgency(route: Route, plan: Plan, position: Position) -> float:
    """Return how much there is to lose by leaving a needed route to others."""
    crowd = position.crowd[route.a] + position.crowd[route.b]
    return (0.5 + crowd) * min(30, plan.railways.detour(route, plan.needed)) + route.length


def _at_the_end(route: Route, position: Position) -> int:
    """Return the points that a route brings on the last turn, with the tickets it completes."""
    ends = set(position.ends(route))
    completed = [t for t in position.tickets if not position.connected(t)
                 and {position.home[t.a], position.home[t.b]} == ends]
    return route.points + sum(2 * t.points for t in completed)
