"""The bot that plans connections for its tickets, anew from every view, and builds them."""

from __future__ import annotations

from random import Random

from workers.bots.atlas import WILD, Atlas, Route
from workers.bots.costs import a_turn
from workers.bots.endgame import best_last
from workers.bots.paying import (
    A_WILD,
    FOR_EXTRA,
    FOR_NOTHING,
    NEEDED,
    cheapest,
)
from workers.bots.plan import Plan, connections, make_plan
from workers.bots.position import Position
from workers.bots.prospects import tickets_are_worth

LACKING = 0.15  # what a card is worth more for every card of its route that is lacking
FOR_A_FERRY = 0.7  # what a wild is worth more while a needed ferry waits for it
SECOND_CARD = 0.8  # what taking a face-up wild forgoes, at least

LONG = 5  # routes for points so long are claimed before the needed ones are ...
RESERVE = 3  # ... if so many trains remain to go round with
SOON = 2  # turns to the end, and a tunnel is tried with no card to spare
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
        if "withdraw_tunnel" in by_type:
            pays = by_type.get("pay_tunnel", by_type["withdraw_tunnel"])
            return cheapest(pays, plan, view["tunnel"]["route"])
        builds, claims = by_type.get("build_station", []), by_type.get("claim_route", [])
        if position.turns_left <= 1 and (last := best_last(claims + builds, position)):
            return last
        claims = by_route(claims)
        if route := self._to_claim(claims, plan, position):
            return cheapest(claims[route.id], plan, route.id)
        if builds := [b for b in builds if b["location"] in _stations(plan, position)]:
            return cheapest(builds, plan)
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
        if needed := [r for r in plan.needed if r.id in claims and _is_safe(r, plan, position)]:
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
            return cheapest(claims[best], plan, best)
        return next(iter(by_type.values()))[0]


def by_route(claims: list[dict]) -> dict[str, list[dict]]:
    """Return the claims by route: each is a way of paying for it."""
    ways: dict[str, list[dict]] = {}
    for claim in claims:
        ways.setdefault(claim["route"], []).append(claim)
    return ways


def best_draw(draws: list[dict], plan: Plan, position: Position) -> dict:
    """Return the draw that helps the plan most; a blind one helps as cards do on the average."""
    worth = _worth_of_cards(plan, position)
    blind = _worth_of_a_blind_draw(worth, position)
    worth[WILD] -= max(blind, SECOND_CARD)  # face up it is the whole turn

    def help_of(draw: dict) -> float:
        return blind if draw["from"] == "deck" else worth[draw["card"]]

    return max(draws, key=help_of)


def _worth_of_cards(plan: Plan, position: Position) -> dict[str, float]:
    """Return what a card of each colour is worth to the plan."""
    worth = dict.fromkeys(plan.shares.spare, FOR_NOTHING)
    for routes, least in ((plan.extra, FOR_EXTRA), (plan.needed, NEEDED)):
        for route in routes:
            color, short = plan.shares.color[route.id], plan.shares.short[route.id]
            if short > route.ferry:  # those are wilds
                worth[color] = max(worth[color], least + LACKING * short)
    waiting = sum(route.ferry for route in plan.needed) > position.wilds
    return worth | {WILD: A_WILD + (FOR_A_FERRY if waiting else 0)}


def _worth_of_a_blind_draw(worth: dict[str, float], position: Position) -> float:
    """Return what a card is worth that is neither in the hand nor in the row."""
    row, held = position.view["row"], position.hand | {WILD: position.wilds}
    unseen = {color: n - held[color] - row.count(color)
              for color, n in position.atlas.cards.items()}
    return sum(worth[color] * n for color, n in unseen.items()) / max(1, sum(unseen.values()))


def _wants_tickets(plan: Plan, position: Position) -> bool:
    """Return whether new tickets promise more than a turn is worth."""
    return (plan.turns(position.wilds) <= NEARLY_DONE
            and tickets_are_worth(plan, position) > a_turn(position.atlas))


def _is_safe(route: Route, plan: Plan, position: Position) -> bool:
    """Return whether to try a route now: a tunnel only with a card to spare, if there is time."""
    return (not route.tunnel or plan.shares.short[route.id] <= position.wilds
            or position.turns_left < SOON)


def _stations(plan: Plan, position: Position) -> set[str]:
    """Return where to build a station now: as late as possible, as each may turn out needless."""
    locations = {route.station for route in plan.needed if route.station}
    early = len(plan.needed) > len(locations) and position.turns_left > len(locations) + 1
    return set() if early else locations


def _urgency(route: Route, plan: Plan, position: Position) -> float:
    """Return how much there is to lose by leaving a needed route to others."""
    crowd = position.crowd[route.a] + position.crowd[route.b]
    return (0.5 + crowd) * min(30, plan.railways.detour(route, plan.needed)) + route.length
