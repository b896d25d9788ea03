"""The bot that takes the most points available now."""

from random import Random

from fogg_client import types
from fogg_client.types import Action, ClaimRouteAction, DrawCardAction, KeepTicketsAction, View

from workers.bots.board import GREY, WILD, Board, Route
from workers.bots.position import Legal
from workers.bots.withdrawn import Withdrawn

FEW_POINTS = 1  # points of a claim that is not worth a turn while there are better routes


class Greedy:
    """Claims the affordable route with the most points; otherwise draws cards for one."""

    def __init__(self, board: types.Board, rng: Random):
        self._board, self._rng, self._withdrawn = Board(board), rng, Withdrawn()

    def choose(self, view: View) -> Action:
        legal = Legal(self._withdrawn.avoid(view))
        if legal.keeps:
            return min(legal.keeps, key=self._burden)
        claim = max(legal.claims, key=self._gain, default=None)
        if claim and (not legal.draws or self._is_worth_a_turn(claim, view)):
            return claim
        return self._draw(legal.draws, view) if legal.draws else legal.all[0]

    def _burden(self, keep: KeepTicketsAction) -> tuple[int, float]:
        tickets = [self._board.tickets[ticket] for ticket in keep["tickets"]]
        far = float("inf")
        return len(tickets), sum(self._board.trains_between[t.a].get(t.b, far) for t in tickets)

    def _gain(self, claim: ClaimRouteAction) -> tuple[int, int, float]:
        route = self._board.routes[claim["route"]]
        return route.points, -claim["cards"].get(WILD, 0), self._rng.random()

    def _is_worth_a_turn(self, claim: ClaimRouteAction, view: View) -> bool:
        return (
            self._board.routes[claim["route"]].points > FEW_POINTS
            or "final_turns" in view
            or all(route.points <= FEW_POINTS for route in self._open(view))
        )

    def _draw(self, draws: list[DrawCardAction], view: View) -> DrawCardAction:
        wanted = self._wanted_color(view)
        for card in (wanted, WILD):
            for draw in draws:
                if draw.get("card") == card:
                    return draw
        return draws[0]

    def _wanted_color(self, view: View) -> str:
        """Return the colour of the open route with the most points for each missing card."""
        hand = view["you"]["hand"]
        most_held = max(self._board.colors, key=lambda color: hand.get(color, 0))

        def promise(route: Route) -> float:
            held = hand.get(most_held if route.color == GREY else route.color, 0)
            return route.points / max(1, route.length - held)

        best = max(self._open(view), key=promise, default=None)
        return most_held if best is None or best.color == GREY else best.color

    def _open(self, view: View) -> list[Route]:
        claimed = {claim["route"] for claim in view["claims"]}
        trains = view["seats"][view["you"]["seat"]]["trains"]
        return [
            route
            for route in self._board.routes.values()
            if route.id not in claimed and route.trains <= trains
        ]
