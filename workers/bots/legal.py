"""A view's legal actions, grouped by type."""

from __future__ import annotations

from functools import cached_property

from fogg_client.types import (
    Action,
    BuildStationAction,
    ClaimRouteAction,
    DrawCardAction,
    DrawTicketsAction,
    KeepTicketsAction,
    PayTunnelAction,
    View,
    WithdrawTunnelAction,
)


class Legal:
    """A view's legal actions: ``all`` of them, and by type, in the order of the list."""

    def __init__(self, view: View):
        self.all: list[Action] = view["you"]["legal_actions"]

    @cached_property
    def keeps(self) -> list[KeepTicketsAction]:
        """Choices of tickets to keep."""
        return [action for action in self.all if action["type"] == "keep_tickets"]

    @cached_property
    def claims(self) -> list[ClaimRouteAction]:
        """Claims, one for each payment of a route."""
        return [action for action in self.all if action["type"] == "claim_route"]

    @cached_property
    def builds(self) -> list[BuildStationAction]:
        """Stations, one for each payment."""
        return [action for action in self.all if action["type"] == "build_station"]

    @cached_property
    def pays(self) -> list[PayTunnelAction]:
        """Payments for a tunnel's extra cost."""
        return [action for action in self.all if action["type"] == "pay_tunnel"]

    @cached_property
    def withdrawals(self) -> list[WithdrawTunnelAction]:
        """Withdrawals from a tunnel, if allowed."""
        return [action for action in self.all if action["type"] == "withdraw_tunnel"]

    @cached_property
    def draws(self) -> list[DrawCardAction]:
        """Cards to draw."""
        return [action for action in self.all if action["type"] == "draw_card"]

    @cached_property
    def new_tickets(self) -> list[DrawTicketsAction]:
        """The action that draws tickets, if there are any."""
        return [action for action in self.all if action["type"] == "draw_tickets"]
