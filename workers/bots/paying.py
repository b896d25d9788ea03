"""Which cards the planner gives away, the measure being one that a needed route lacks."""

from __future__ import annotations

from workers.bots.atlas import WILD
from workers.bots.plan import Plan
from workers.bots.position import Position

NEEDED = 1.0
FOR_EXTRA = 0.6  # one that a route for points lacks
FOR_NOTHING = 0.15  # one that nothing planned lacks
A_WILD = 1.3
A_WILD_FOR_FERRIES = 0.5  # more while needed ferries wait for wilds
FOR_THE_FLAG = 3  # what keeping a card for the flag is worth
DEAR = 2.7  # so much more for a tunnel, and it is better to come back another turn
SOON = 2  # turns to the end, in which there will be no other turn


def cheapest(actions: list[dict], plan: Plan, route: str = "") -> dict:
    """Return the action whose cards the rest of the plan, one route aside, misses least."""
    price = _prices(route, plan)
    return min(actions, key=lambda action: _bill(action, price))


def pay_or_withdraw(by_type: dict[str, list[dict]], plan: Plan, position: Position) -> dict:
    """Return the cheapest way to pay what a tunnel asks for, or the withdrawal if it is dear."""
    if pays := by_type.get("pay_tunnel"):
        route = position.view["tunnel"]["route"]
        pay = cheapest(pays, plan, route)
        if _bill(pay, _prices(route, plan)) <= DEAR or position.turns_left <= SOON:
            return pay
    return by_type["withdraw_tunnel"][0]


def _prices(route: str, plan: Plan) -> dict[str, float]:
    """Return what a card of each colour is worth to the plan, one route aside."""
    price = dict.fromkeys(plan.shares.spare, FOR_NOTHING) | {WILD: A_WILD}
    for routes, worth in ((plan.extra, FOR_EXTRA), (plan.needed, NEEDED)):
        price |= {plan.shares.color[r.id]: worth for r in routes if r.id != route}
    if any(r.ferry for r in plan.needed if r.id != route):
        price[WILD] += A_WILD_FOR_FERRIES
    return price


def _bill(action: dict, price: dict[str, float]) -> float:
    """Return what the cards of an action are worth, less what one kept for the flag brings."""
    kept = FOR_THE_FLAG if action.get("keep_for_flag") else 0
    return sum([n * price[card] for card, n in action["cards"].items()]) - kept
