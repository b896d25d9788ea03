"""The numbered actions of a board: the command that each stands for, and its description."""

from collections.abc import Sequence

from domain.board.board import Board
from domain.codec import Json
from domain.game import commands
from domain.rules.paying import payment
from domain.rules.stations import BuildStation
from domain.rules.tunnels import PayTunnel, WithdrawTunnel
from fogg_simulator.arrays import BUILD, CLAIM, DRAW, DRAW_TICKETS, KEEP, NONE, PASS, PAY, WITHDRAW
from fogg_simulator.tables import Tables, Way


class Actions:
    """The actions of a board by number."""

    def __init__(self, board: Board, tables: Tables):
        self.board = board
        self._ways: list[Way] = [tuple(way) for way in tables.ways.tolist()]

    def command(self, action: int, offered: Sequence[int]) -> commands.Command:
        kind, what, color, wilds, last = self._way(action)
        board = self.board
        if kind == DRAW:
            return (
                commands.DrawCard("deck")
                if what == NONE
                else (commands.DrawCard("row", board.colors[what]))
            )
        if kind == KEEP:
            return commands.KeepTickets(
                tuple(board.tickets[ticket].id for i, ticket in enumerate(offered) if what >> i & 1)
            )
        if kind == CLAIM:
            route = board.routes[what]
            cards = payment(board, color, wilds, route.length)
            return commands.ClaimRoute(route.id, cards, True if last else None)
        if kind == BUILD:
            return BuildStation(board.locations[what].id, payment(board, color, wilds, last))
        if kind == PAY:
            return PayTunnel(payment(board, color, wilds, last))
        return {
            DRAW_TICKETS: commands.DrawTickets,
            WITHDRAW: WithdrawTunnel,
            PASS: commands.Pass,
        }.get(kind, commands.Resign)()

    def json(self, action: int, offered: Sequence[int]) -> Json:
        made = self.command(action, offered).json
        return made | {"tickets": [*made["tickets"]]} if "tickets" in made else made

    def describe(self, action: int) -> str:
        """Return an action's description in words; raise IndexError if there is no such action."""
        kind, what, color, wilds, last = self._way(action)
        board = self.board
        if kind == DRAW:
            return (
                "draw the top card of the deck"
                if what == NONE
                else f"take a {board.colors[what]} card of the row"
            )
        if kind == KEEP:
            places = [str(i + 1) for i in range(what.bit_length()) if what >> i & 1]
            return f"keep of the offered tickets number {', '.join(places) or 'none'}"
        if kind == CLAIM:
            route = board.routes[what]
            keeps = f", and keep a {route.color} card for the flag" if last else ""
            return f"claim {route.id} with {self._cards(color, wilds, route.length)}{keeps}"
        if kind == BUILD:
            place = board.locations[what].id
            return f"build a station in {place} with {self._cards(color, wilds, last)}"
        if kind == PAY:
            return f"pay {self._cards(color, wilds, last)} more for the tunnel"
        return {
            DRAW_TICKETS: "draw tickets",
            WITHDRAW: "withdraw from the tunnel",
            PASS: "pass",
        }.get(kind, f"seat {what} resigns")

    def _way(self, action: int) -> Way:
        if not 0 <= action < len(self._ways):
            raise IndexError(
                f"{action} is no action of this board: they are 0 to {len(self._ways) - 1}"
            )
        return self._ways[action]

    def _cards(self, color: int, wilds: int, count: int) -> str:
        cards = payment(self.board, color, wilds, count)
        return " and ".join(f"{n} {name}" for name, n in cards.items())
