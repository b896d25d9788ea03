"""A view's legal actions, grouped by type."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from fogg_client import types


class Legal:
    """A view's legal actions: ``all`` of them, and by type, in the order of the list."""

    def __init__(self, view: types.View):
        self.all: list[types.Action] = view["you"]["legal_actions"]
        by_type: dict[str, list[Any]] = defaultdict(list)
        for action in self.all:
            by_type[action["type"]] += [action]
        self.keeps: list[types.KeepTicketsAction] = by_type["keep_tickets"]
        self.claims: list[types.ClaimRouteAction] = by_type["claim_route"]
        self.builds: list[types.BuildStationAction] = by_type["build_station"]
        self.pays: list[types.PayTunnelAction] = by_type["pay_tunnel"]
        self.withdrawals: list[types.WithdrawTunnelAction] = by_type["withdraw_tunnel"]
        self.draws: list[types.DrawCardAction] = by_type["draw_card"]
        self.new_tickets: list[types.DrawTicketsAction] = by_type["draw_tickets"]
