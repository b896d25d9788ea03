"""The bot that makes a plan for its tickets, anew from every view, and sees it through."""

from __future__ import annotations

from math import comb
from random import Random

from workers.bots.atlas import GREY, WILD, Atlas, Route, Ticket
from workers.bots.costs import TURN
from workers.bots.plan import Plan, make_plan, connections, fits
from workers.bots.position import Position

WILD_VALUE = 1.3
WILD_TURN = 0.8
SHORT = 0.15
EXTRA_VALUE = 0.6
IDLE = 0.15
TICKET_RISK = 2.0
RESERVE = 3
LONG = 5
PRESS = -9
EXTRA_WILDS = 9
NEED_WILDS = 9
TAIL = 0
TICKET_TURNS = 6

class Planner:
    """Keeps the tickets it can connect, collects and claims for them, replans when blocked."""

    def __init__(self, board: dict, rng: Random):
        """``board``: as served; ``rng``: for choices between equals."""
        self._atlas, self._rng = Atlas(board), rng

    def choose(self, view: dict) -> dict:
        """Return one of the view's legal actions."""
        actions = view["you"]["legal_actions"]
        if len(actions) == 1:
            return actions[0]
        position = Position(self._atlas, view)
        kinds: dict[str, list[dict]] = {}
        for action in actions:
            kinds.setdefault(action["type"], []).append(action)
        if "keep_tickets" in kinds:
            return max(kinds["keep_tickets"], key=lambda keep: self._value(keep, position))
        plan = make_plan(position, position.tickets)
        if "claim_route" in kinds:
            claim = self._claim(kinds["claim_route"], plan, position)
            if claim:
                return claim
        if "draw_tickets" in kinds and self._wants_tickets(plan, position):
            return kinds["draw_tickets"][0]
        if "draw_card" in kinds:
            return self._draw(kinds["draw_card"], plan, position)
        if "claim_route" in kinds:
            return max(kinds["claim_route"], key=lambda c: self._atlas.routes[c["route"]].points)
        return kinds.get("pass", actions)[0]

    def _value(self, keep: dict, position: Position) -> float:
        new = [self._atlas.tickets[t] for t in keep["tickets"]]
        return connections(position, position.tickets + new).value

    def _claim(self, claims: list[dict], plan: Plan, position: Position) -> dict | None:
        payments: dict[str, list[dict]] = {}
        for claim in claims:
            payments.setdefault(claim["route"], []).append(claim)
        if position.turns_left <= 1 + TAIL:
            return self._last_claim(payments, plan, position)
        payable = [r for r in plan.needed + plan.extra if r.id in payments]
        pressed = position.turns_left - PRESS < len(payable)
        needed = [r for r in plan.needed if r.id in payments
                  and (pressed or plan.short[r.id] <= NEED_WILDS or r.color == GREY)]
        if needed:
            route = max(needed, key=lambda r: self._urgency(r, plan, position))
            return self._cheapest(payments[route.id], plan, position)
        spare = position.trains - plan.length
        extra = [r for r in plan.extra if r.id in payments
            and plan.short[r.id] <= min(position.wilds, EXTRA_WILDS if plan.needed else 9)
            and (pressed or not plan.needed or r.length >= LONG and spare - r.length >= RESERVE)]
        if extra:
            route = max(extra, key=lambda r: r.points)
            return self._cheapest(payments[route.id], plan, position)
        return None

    def _urgency(self, route: Route, plan: Plan, position: Position) -> float:
        crowd = position.crowd[route.a] + position.crowd[route.b]
        return (0.5 + crowd) * min(30, plan.railways.detour(route, plan.needed)) + route.length

    def _cheapest(self, claims: list[dict], plan: Plan, position: Position) -> dict:
        """Return the payment that the rest of the plan misses least."""
        route = claims[0]["route"]
        want: dict[str, float] = dict.fromkeys(position.hand, 0.1)
        for weight, routes in ((1.0, plan.needed), (EXTRA_VALUE, plan.extra)):
            for r in routes:
                if r.id != route:
                    c = plan.color[r.id]
                    want[c] = max(want[c], weight)
        want[WILD] = WILD_VALUE
        return min(claims, key=lambda c: sum(n * want[card] for card, n in c["cards"].items()))

    def _last_claim(self, payments, plan: Plan, position: Position) -> dict | None:
        def gain(route_id: str) -> float:
            route = self._atlas.routes[route_id]
            a, b = position.home[route.a], position.home[route.b]
            ends = {a, b}
            done = sum(t.points for t in position.tickets
                if a != b and {position.home[t.a], position.home[t.b]} == ends)
            return route.points + 2 * done
        best = max(payments, key=gain)
        return self._cheapest(payments[best], plan, position)

    def _wants_tickets(self, plan: Plan, position: Position) -> bool:
        missing = sum(plan.short[r.id] for r in plan.needed) - position.wilds
        if missing / 2 + len(plan.needed) > TICKET_TURNS or position.turns_left < 3:
            return False
        return self._ticket_gain(plan, position) > TURN + TICKET_RISK

    def _ticket_gain(self, plan: Plan, position: Position) -> float:
        """Return what the best of three unseen tickets is worth."""
        known = {t.id for t in position.tickets}
        spare = position.trains - plan.length
        time = position.turns_left - 2 - len(plan.needed) - max(
            0, sum(plan.short[r.id] for r in plan.needed) - position.wilds) / 2
        planned = set(plan.needed)
        values = []
        reach = {}
        for t in self._atlas.tickets.values():
            if t.id in known:
                continue
            if t.a not in reach:
                reach[t.a] = plan.railways.from_(t.a, plan.needed)
            costs, paths = reach[t.a]
            b = position.home[t.b]
            value = -t.points
            if b in costs:
                routes = set(plan.railways.routes_along(paths[b])) - planned
                length = sum(r.length for r in routes)
                if length <= spare and length / 2 + len(routes) <= time:
                    value = max(value, t.points - costs[b])
            values.append(value)
        return best_of_three(sorted(values))

    def _draw(self, draws: list[dict], plan: Plan, position: Position) -> dict:
        value = self._card_values(plan, position)
        unseen = {c: n - position.hand.get(c, 0) - position.view["row"].count(c)
                  for c, n in self._atlas.cards.items()}
        unseen[WILD] -= position.wilds
        total = sum(unseen.values())
        blind = sum(value[c] * n for c, n in unseen.items()) / total
        second = position.view["deciding"][0]["decision"] == "second_card"
        def worth(draw: dict) -> float:
            if draw["from"] == "deck":
                return blind + 0.01
            if draw["card"] == WILD:
                return value[WILD] - max(blind, WILD_TURN)
            return value[draw["card"]]
        return max(draws, key=worth)

    def _card_values(self, plan: Plan, position: Position) -> dict[str, float]:
        value = dict.fromkeys(position.hand, IDLE)
        for weight, routes in ((EXTRA_VALUE, plan.extra), (1.0, plan.needed)):
            for r in routes:
                short, c = plan.short[r.id], plan.color[r.id]
                if short:
                    value[c] = max(value[c], weight + SHORT * short)
        value[WILD] = WILD_VALUE
        return value


def best_of_three(values: list[float]) -> float:
    """Return the mean of the highest of three of the values, which are sorted upwards."""
    n = len(values)
    if n < 3:
        return max(values, default=-99)
    return sum(v * comb(i, 2) for i, v in enumerate(values)) / comb(n, 3)
