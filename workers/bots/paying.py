"""Which cards the planner gives away, the measure being one that a needed route lacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from fogg_client.types import (
    BuildStationAction,
    ClaimRouteAction,
    PayTunnelAction,
    WithdrawTunnelAction,
)

from workers.bots.board import WILD
from workers.bots.plan import Plan

NEEDED = 1.0
FOR_EXTRA = 0.6  # one that a route for points lacks
FOR_NOTHING = 0.15  # one that nothing planned lacks
A_WILD = 1.3
FOR_THE_FLAG = 3  # what keeping a card for the flag is worth
Payment = ClaimRouteAction | BuildStationAction | PayTunnelAction | WithdrawTunnelAction
A = TypeVar("A", bound=Payment)


def cheapest(actions: Sequence[A], plan: Plan, route: str = "") -> A:
    """Return the action whose cards the rest of the plan, one route aside, misses least."""
    price = _prices(route, plan)
    return min(actions, key=lambda action: _bill(action, price))


def _prices(route: str, plan: Plan) -> dict[str, float]:
    """Return what a card of each colour is worth to the plan, one route aside."""
    price = dict.fromkeys(plan.shares.spare, FOR_NOTHING) | {WILD: A_WILD}
    for routes, worth in ((plan.extra, FOR_EXTRA), (plan.needed, NEEDED)):
        price |= {plan.shares.color[r.id]: worth for r in routes if r.id != route}
    return price


def _bill(action: Payment, price: dict[str, float]) -> float:
    """Return what the cards of an action are worth, less what one kept for the flag brings."""
    if action["type"] == "withdraw_tunnel":
        return 0.0
    kept = FOR_THE_FLAG if action.get("keep_for_flag") else 0
    return sum([n * price[card] for card, n in action["cards"].items()]) - kept
