"""Features of a view and of each legal action, as numbers for machine learning.

    features = Features(board)   # as GET /v1/boards/{board} serves it
    features.of(view)            # an array: a row for each of view["you"]["legal_actions"]

A view is the API's, in a game or in a line of ``/decisions``; no hidden data is used. ``NAMES``
names the columns; all values are about 0 to 1. docs/research.md shows how to use them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from fogg_client import types
from fogg_client.types import Action, View

from workers.bots.board import GREY, WILD, Board, Route, Ticket
from workers.bots.network import Network, union
from workers.bots.position import Position

TYPES = ("keep_tickets", "draw_card", "claim_route", "pay_tunnel", "withdraw_tunnel",
         "build_station", "draw_tickets", "pass")
NAMES = (
    # the action's type
    *TYPES, "from_row", "wild",
    # a card: the share of the missing cards of the planned routes that it fills, and how close the
    # nearest of these routes is to being paid
    "wanted", "nearly",
    # a claim or a station: length, points, whether it is planned, wilds paid, and flags for a
    # tunnel or a grey route
    "length", "points", "needed", "jokers", "tunnel", "grey",
    # tickets to keep: their number, their points, and the share of the remaining trains that they
    # need
    "kept", "kept_points", "kept_trains", "kept_too_far",
    # the position: trains left, the fewest trains of a rival, cards in hand, trains that the
    # tickets need, incomplete tickets, whether a needed route can be claimed now
    "trains", "fewest_trains", "hand", "to_lay", "open_tickets", "can_claim", "second_card",
)
COLUMN = {name: place for place, name in enumerate(NAMES)}
Array = npt.NDArray[np.float32]


class Features:
    """Turns views of one board into arrays."""

    def __init__(self, board: types.Board):
        self._board = Board(board)

    def of(self, view: View) -> Array:
        """Return a row for each legal action of a view, in their order."""
        legal, position = view["you"]["legal_actions"], Position(self._board, view)
        needed = self._ways(position, position.tickets)
        rows = np.zeros((len(legal), len(NAMES)), np.float32)
        for name, value in self._of_position(view, position, needed, legal).items():
            rows[:, COLUMN[name]] = value
        for row, action in zip(rows, legal, strict=True):
            row[COLUMN[action["type"]]] = 1
            for name, value in self._of_action(action, position, needed).items():
                row[COLUMN[name]] = value
        return rows

    def _ways(self, position: Position, tickets: Iterable[Ticket]) -> list[Route]:
        """Return the unclaimed routes that connect the tickets, as far as possible."""
        network = Network(position, {route.id: route.trains for route in position.open
                                     + position.lent})
        return union(network.connect([ticket for ticket in tickets if network.reaches(ticket)]))

    def _of_position(
        self, view: View, position: Position, needed: list[Route], legal: list[Action]
    ) -> dict[str, float]:
        ids = {route.id for route in needed}
        return {
            "trains": position.trains / 45,
            "fewest_trains": min(seat["trains"] for seat in view["seats"]) / 45,
            "hand": sum(view["you"]["hand"].values()) / 20,
            "to_lay": sum(route.trains for route in needed) / 45,
            "open_tickets": sum(position.home[t.a] != position.home[t.b]
                                for t in position.tickets) / 5,
            "can_claim": any(action.get("route") in ids for action in legal),
            "second_card": any(row["decision"] == "second_card" for row in view["deciding"]),
        }

    def _of_action(
        self, action: Action, position: Position, needed: list[Route]
    ) -> dict[str, float]:
        if action["type"] == "draw_card":
            color = action.get("card")
            return {"from_row": color is not None, "wild": color == WILD} | (
                self._of_card(color, position, needed) if color else {})
        if action["type"] == "keep_tickets":
            return self._of_tickets(action["tickets"], position)
        asked: Mapping[str, Any] = action
        values = {"jokers": asked.get("cards", {}).get(WILD, 0) / 6}
        if route := self._board.routes.get(asked.get("route", "")):
            values |= {"length": route.length / 6, "points": route.points / 15,
                      "needed": route in needed, "tunnel": route.tunnel,
                      "grey": route.color == GREY}
        return values

    def _of_card(
        self, color: str, position: Position, needed: list[Route]
    ) -> dict[str, float]:
        lacking = {route.id: route.cards - self._held(route, position) for route in needed}
        helped = [route for route in needed
                  if lacking[route.id] > 0 and color in (route.color, WILD)]
        helped += [route for route in needed if route.color == GREY and lacking[route.id] > 0
                   and color == max(position.hand, key=position.hand.__getitem__)]
        if not helped:
            return {}
        return {"wanted": sum(lacking[route.id] for route in helped) / 10,
                "nearly": 1 / min(lacking[route.id] for route in helped)}

    def _held(self, route: Route, position: Position) -> int:
        """Return the number of cards in hand for a route, wilds included."""
        most = max(position.hand.values()) if route.color == GREY else position.hand[route.color]
        return most + position.wilds

    def _of_tickets(self, kept: list[str], position: Position) -> dict[str, float]:
        tickets = [self._board.tickets[ticket] for ticket in kept]
        takes = sum(route.trains for route in self._ways(position, [*position.tickets, *tickets]))
        return {"kept": len(kept) / 5, "kept_points": sum(t.points for t in tickets) / 40,
                "kept_trains": takes / 45, "kept_too_far": takes > position.trains}
