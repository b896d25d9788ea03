"""The bot that takes the most points it can have now."""

from __future__ import annotations

from random import Random

from workers.bots.atlas import GREY, WILD, Atlas, Route

LITTLE = 1  # so few points are not worth a turn while there are better routes


class Greedy:
    """Claims the route of most points that it can pay for, and otherwise draws towards one."""

    def __init__(self, board: dict, rng: Random):
        """``board``: as served; ``rng``: for choices between equals."""
        self._atlas, self._rng = Atlas(board), rng

    def choose(self, view: dict) -> dict:
        """Return one of the view's legal actions."""
        by_type: dict[str, list[dict]] = {}
        for action in view["you"]["legal_actions"]:
            by_type.setdefault(action["type"], []).append(action)
        if "keep_tickets" in by_type:
            return min(by_type["keep_tickets"], key=self._burden)
        claim = max(by_type.get("claim_route", ()), key=self._gain, default=None)
        if claim and ("draw_card" not in by_type or self._is_worth_a_turn(claim, view)):
            return claim
        if "draw_card" in by_type:
            return self._draw(by_type["draw_card"], view)
        return view["you"]["legal_actions"][0]

    def _burden(self, keep: dict) -> tuple[int, float]:
        """Return how many tickets a choice keeps, and how many trains they ask for at least."""
        tickets = [self._atlas.tickets[ticket] for ticket in keep["tickets"]]
        far = float("inf")
        return len(tickets), sum(self._atlas.trains_between[t.a].get(t.b, far) for t in tickets)

    def _gain(self, claim: dict) -> tuple[int, int, float]:
        """Return the points of a claim, and how few wilds it uses up."""
        route = self._atlas.routes[claim["route"]]
        return route.points, -claim["cards"].get(WILD, 0), self._rng.random()

    def _is_worth_a_turn(self, claim: dict, view: dict) -> bool:
        """Return whether a claim brings more than a little, or nothing else ever could."""
        return (self._atlas.routes[claim["route"]].points > LITTLE or "final_turns" in view
                or all(route.points <= LITTLE for route in self._open(view)))

    def _draw(self, draws: list[dict], view: dict) -> dict:
        """Return the draw that helps towards the best route: from the row, or else blind."""
        wanted = self._wanted_color(view)
        for card in (wanted, WILD):
            for draw in draws:
                if draw.get("card") == card:
                    return draw
        return draws[0]

    def _wanted_color(self, view: dict) -> str:
        """Return the colour for the open route with the most points for each card missing."""
        hand = view["you"]["hand"]
        most_held = max(self._atlas.colors, key=lambda color: hand.get(color, 0))

        def promise(route: Route) -> float:
            held = hand.get(most_held if route.color == GREY else route.color, 0)
            return route.points / max(1, route.length - held)

        best = max(self._open(view), key=promise, default=None)
        return most_held if best is None or best.color == GREY else best.color

    def _open(self, view: dict) -> list[Route]:
        """Return the routes that nobody has claimed and the trains suffice for."""
        claimed = {claim["route"] for claim in view["claims"]}
        trains = view["seats"][view["you"]["seat"]]["trains"]
        return [route for route in self._atlas.routes.values()
                if route.id not in claimed and route.length <= trains]
