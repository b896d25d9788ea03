"""The bot that plans connections for its tickets. It makes a new plan from every view."""

from math import comb
from random import Random

from fogg_client import types
from fogg_client.types import Action, ClaimRouteAction, DrawCardAction, KeepTicketsAction, View

from workers.bots.board import WILD, Board, Route
from workers.bots.costs import FLAG, STATION, a_turn
from workers.bots.paying import A_WILD, FOR_EXTRA, FOR_NOTHING, NEEDED, cheapest
from workers.bots.plan import Plan, connections, make_plan
from workers.bots.position import Legal, Position, homes_after
from workers.bots.withdrawn import Withdrawn

LACKING = 0.15  # extra value of a card for every missing card of its route
FOR_A_FERRY = 0.7  # extra value of a wild while a needed ferry waits for it
SECOND_CARD = 0.8  # minimum loss of taking a face-up wild, as it ends the turn

LONG = 5  # routes for points of this length are claimed before the needed ones ...
RESERVE = 3  # ... if so many trains remain for detours
SOON = 2  # turns to the end at which tunnels are tried without a spare card
NEARLY_DONE = 3  # turns to the last needed route at which it looks for new tickets
BOTH_WAYS = 2  # the points of an incomplete ticket are lost as well as not won
Last = ClaimRouteAction | types.BuildStationAction
Claims = dict[str, list[ClaimRouteAction]]  # by route: one for each payment


class Planner:
    """Keeps the tickets it can connect, collects cards for its plan and claims routes."""

    def __init__(self, board: types.Board, _rng: Random):
        self._board, self._withdrawn = Board(board), Withdrawn()

    def choose(self, view: View) -> Action:
        legal = Legal(self._withdrawn.avoid(view))
        position = Position(self._board, view)
        if legal.keeps:
            return max(legal.keeps, key=lambda keep: self._value(keep, position))
        plan = make_plan(position)
        if legal.withdrawals:
            return cheapest(legal.pays or legal.withdrawals, plan, view["tunnel"]["route"])
        if position.turns_left <= 1 and (last := best_last(legal.claims + legal.builds, position)):
            return last
        claims = by_route(legal.claims)
        if route := self._to_claim(claims, plan, position):
            return cheapest(claims[route.id], plan, route.id)
        stations = _stations(plan, position)
        if builds := [build for build in legal.builds if build["location"] in stations]:
            return cheapest(builds, plan)
        if (
            legal.new_tickets
            and plan.turns(position.wilds) <= NEARLY_DONE
            and tickets_are_worth(plan, position) > a_turn(self._board)
        ):
            return legal.new_tickets[0]
        if legal.draws:
            return best_draw(legal.draws, plan, position)
        if not claims:
            return legal.all[0]
        best = max(claims, key=lambda route: self._board.routes[route].points)
        return cheapest(claims[best], plan, best)

    def _value(self, keep: KeepTicketsAction, position: Position) -> float:
        more = [self._board.tickets[ticket] for ticket in keep["tickets"]]
        return connections(position, position.tickets + more).value

    def _to_claim(self, claims: Claims, plan: Plan, position: Position) -> Route | None:
        if needed := [r for r in plan.needed if r.id in claims and _is_safe(r, plan, position)]:
            return max(needed, key=lambda route: _urgency(route, plan, position))
        spare = position.trains - plan.trains - RESERVE
        extra = [
            r
            for r in plan.extra
            if r.id in claims
            and plan.shares.short[r.id] <= position.wilds
            and (not plan.needed or (r.length >= LONG and r.trains <= spare))
        ]
        return max(extra, key=lambda route: route.points, default=None)


def by_route(claims: list[ClaimRouteAction]) -> Claims:
    ways: Claims = {}
    for claim in claims:
        ways.setdefault(claim["route"], []).append(claim)
    return ways


def best_draw(draws: list[DrawCardAction], plan: Plan, position: Position) -> DrawCardAction:
    """Return the draw that helps the plan most; the deck's has the mean value of unseen cards."""
    worth = _worth_of_cards(plan, position)
    blind = _worth_of_a_blind_draw(worth, position)
    if position.board.wild_takes_turn:
        worth[WILD] -= max(blind, SECOND_CARD)

    def help_of(draw: DrawCardAction) -> float:
        return blind if draw["from"] == "deck" else worth[draw["card"]]

    return max(draws, key=help_of)


def _worth_of_cards(plan: Plan, position: Position) -> dict[str, float]:
    worth = dict.fromkeys(plan.shares.spare, FOR_NOTHING)
    for routes, least in ((plan.extra, FOR_EXTRA), (plan.needed, NEEDED)):
        for route in routes:
            color, short = plan.shares.color[route.id], plan.shares.short[route.id]
            if short > route.ferry:  # the missing ones are wilds
                worth[color] = max(worth[color], least + LACKING * short)
    waiting = sum(route.ferry for route in plan.needed) > position.wilds
    return worth | {WILD: A_WILD + (FOR_A_FERRY if waiting else 0)}


def _worth_of_a_blind_draw(worth: dict[str, float], position: Position) -> float:
    row, held = position.view["row"], position.hand | {WILD: position.wilds}
    unseen = {
        color: n - held[color] - row.count(color) for color, n in position.board.cards.items()
    }
    return sum(worth[color] * n for color, n in unseen.items()) / max(1, sum(unseen.values()))


def _is_safe(route: Route, plan: Plan, position: Position) -> bool:
    """Return whether to try a route now: a tunnel needs a spare card, if there is time."""
    return (
        not route.tunnel
        or plan.shares.short[route.id] <= position.wilds
        or position.turns_left < SOON
    )


def _stations(plan: Plan, position: Position) -> set[str]:
    """Return the location of a station to build now: as late as possible, if at all."""
    locations = {route.station for route in plan.needed if route.station}
    early = len(plan.needed) > len(locations) and position.turns_left > len(locations) + 1
    return set() if early else locations


def _urgency(route: Route, plan: Plan, position: Position) -> float:
    crowd = position.crowd[route.a] + position.crowd[route.b]
    return (0.5 + crowd) * min(30, plan.network.detour(route, plan.needed)) + route.length


def tickets_are_worth(plan: Plan, position: Position) -> float:
    """Return the expected value of the best ticket drawn, less its costs.

    Planned routes count as built. A ticket that needs more trains or turns than the plan leaves
    counts as impossible.
    """
    held = {ticket.id for ticket in position.tickets}
    trains = position.trains - plan.trains
    turns = position.turns_left - 1 - plan.turns(position.wilds)
    ways: dict[str, dict[str, tuple[float, list[Route]]]] = {}
    worth = []
    for ticket in position.board.tickets.values():
        if ticket.id in held or ticket.long:
            continue
        if ticket.a not in ways:
            ways[ticket.a] = plan.network.from_home(ticket.a, plan.needed)
        cost, way = ways[ticket.a].get(position.home[ticket.b], (0.0, None))
        routes = None if way is None else [r for r in way if r not in plan.needed]
        within = (
            routes is not None
            and sum(r.trains for r in routes) <= trains
            and (sum(1 + r.length / 2 for r in routes) <= turns)
        )
        worth.append(max(-ticket.points, ticket.points - cost) if within else -ticket.points)
    return best_of(position.board.tickets_drawn, worth)


def best_of(count: int, values: list[float]) -> float:
    """Return the expected maximum of ``count`` values drawn at random, or of all if fewer."""
    values = sorted(values)
    if len(values) < count:
        return values[-1] if values else 0
    return sum(v * comb(i, count - 1) for i, v in enumerate(values)) / comb(len(values), count)


def best_last(actions: list[Last], position: Position) -> Last | None:
    """Return the action that adds most to the final score, if it is the seat's last; None if none
    adds anything."""
    known: dict[tuple[object, ...], float] = {}

    def worth(action: Last) -> float:
        same = (action.get("route"), action.get("location"), action.get("keep_for_flag"))
        if same not in known:
            known[same] = adds(action, position)
        return known[same]

    best = max(actions, key=worth, default=None)
    return best if best and worth(best) > 0 else None


def adds(action: Last, position: Position) -> float:
    """Return the gain of an action for the final score, if it is the seat's last."""
    if action["type"] == "build_station":
        lent = position.routes_of_others_at(action["location"])
        best = max(
            [_tickets(position, homes_after(position.home, [route])) for route in lent], default=0
        )
        return best - STATION
    route = position.board.routes[action["route"]]
    home = homes_after(position.home, [route])
    completed = sum(
        [
            points
            for points, apart in position.districts
            if len({home[place] for place in apart}) == 1
        ]
    )
    completes_flag = action.get("keep_for_flag") and len(position.flag_lacks) == 1
    return route.points + completed + _tickets(position, home) + (FLAG if completes_flag else 0)


def _tickets(position: Position, home: dict[str, str]) -> int:
    return BOTH_WAYS * (position.points_completed(home) - position.points_completed(position.home))
