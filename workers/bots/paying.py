"""Choice of the cards to pay with. A card that a needed route lacks has the value 1."""

from collections.abc import Sequence
from typing import TypeVar

from fogg_client import types

from workers.bots.board import WILD
from workers.bots.plan import Plan

NEEDED = 1.0
FOR_EXTRA = 0.6  # value of a card that a route for points lacks
FOR_NOTHING = 0.15  # value of a card that no planned route lacks
A_WILD = 1.3
FOR_THE_FLAG = 3  # value of keeping a card for the flag
Payment = (
    types.ClaimRouteAction
    | types.BuildStationAction
    | types.PayTunnelAction
    | types.WithdrawTunnelAction
)
A = TypeVar("A", bound=Payment)


def cheapest(actions: Sequence[A], plan: Plan, route: str = "") -> A:
    """Return the payment that costs the rest of the plan least; ``route`` is the one paid for."""
    price = _prices(route, plan)
    return min(actions, key=lambda action: _bill(action, price))


def _prices(route: str, plan: Plan) -> dict[str, float]:
    price = dict.fromkeys(plan.shares.spare, FOR_NOTHING) | {WILD: A_WILD}
    for routes, worth in ((plan.extra, FOR_EXTRA), (plan.needed, NEEDED)):
        price |= {plan.shares.color[r.id]: worth for r in routes if r.id != route}
    return price


def _bill(action: Payment, price: dict[str, float]) -> float:
    if action["type"] == "withdraw_tunnel":
        return 0.0
    kept = FOR_THE_FLAG if action.get("keep_for_flag") else 0
    return sum([n * price.get(card, FOR_NOTHING) for card, n in action["cards"].items()]) - kept
