"""What a seat means to build: the ways of the tickets it can complete, then routes for points."""

from __future__ import annotations

from dataclasses import dataclass, field

from workers.bots.atlas import GREY, Route, Ticket
from workers.bots.costs import TURN
from workers.bots.position import Position
from workers.bots.railways import Railways, Ways, union

THRIFT = (0.0, 1.0, 4.0)  # points a train, tried in turn until the plan fits the trains
SLACK = 1.15
LINK = 2.0
KEEP = 1.0


@dataclass
class Plan:
    """``needed``: routes for tickets. ``extra``: routes for points. ``given_up``: tickets that
    will not be completed. ``short``: cards missing by route, wilds aside; ``color``: what the
    route is paid with."""

    railways: Railways
    needed: list[Route]
    ways: Ways
    given_up: list[Ticket]
    value: float
    extra: list[Route] = field(default_factory=list)
    short: dict[str, int] = field(default_factory=dict)
    color: dict[str, str] = field(default_factory=dict)
    spare: dict[str, int] = field(default_factory=dict)

    @property
    def length(self) -> int:
        """The trains that the needed routes take."""
        return sum(route.length for route in self.needed)


def make_plan(position: Position, tickets: list[Ticket]) -> Plan:
    """Return a plan for these tickets (and routes for points) from where the seat stands."""
    plan = connections(position, tickets)
    allot(plan, position)
    fill_up(plan, position)
    return plan


def connections(position: Position, tickets: list[Ticket]) -> Plan:
    """Return the plan for tickets alone: as many as can be connected in trains and time."""
    done = sum(t.points for t in tickets if position.connected(t))
    todo = [t for t in tickets if not position.connected(t)]
    given_up: list[Ticket] = []
    plain = railways = Railways(position)
    while True:
        for thrift in THRIFT:
            railways = Railways(position, thrift) if thrift else plain
            ways, lost = railways.connect(todo)
            given_up += lost
            todo = [t for t in todo if t not in lost]
            if fits(union(ways), position):
                break
        else:
            worst = min(todo, key=lambda t: worth(t, ways))
            given_up.append(worst)
            todo.remove(worst)
            continue
        poor = [t for t in todo if 2 * t.points < sum(
            plain._edge(r)["cost"] for r in only_for(t, ways))]
        if not poor:
            break
        worst = min(poor, key=lambda t: worth(t, ways))
        given_up.append(worst)
        todo.remove(worst)
    needed = union(ways)
    value = done + sum(t.points for t in todo) - sum(t.points for t in given_up)
    value -= KEEP * sum(plain._edge(r)["cost"] for r in needed)
    order = sorted(needed, key=lambda r: (-r.length, r.id))
    return Plan(railways, order, ways, given_up, value)


def only_for(ticket: Ticket, ways: Ways) -> set[Route]:
    """Return the routes that are planned for no other ticket."""
    return union({ticket.id: ways[ticket.id]}) - union(
        {t: way for t, way in ways.items() if t != ticket.id})


def worth(ticket: Ticket, ways: Ways) -> float:
    """Return the points at stake for each train that only this ticket asks for."""
    return 2 * ticket.points / max(0.1, sum(r.length for r in only_for(ticket, ways)))


def fits(routes: set[Route], position: Position) -> bool:
    """Return whether there are trains and turns enough for these routes."""
    trains = sum(route.length for route in routes)
    if trains > position.trains:
        return False
    short, _, _ = shares(list(routes), position.hand)
    missing = max(0, sum(short.values()) - position.wilds)
    return not routes or missing / 2 * SLACK + len(routes) <= max(position.turns_left, 1)


def shares(routes: list[Route], hand: dict[str, int]) -> tuple[dict, dict, dict]:
    """Share a hand out among routes: what is missing, in which colour, and what is left over."""
    left = dict(hand)
    short: dict[str, int] = {}
    color: dict[str, str] = {}
    for route in sorted(routes, key=lambda r: r.color == GREY):
        paid = max(left, key=left.get) if route.color == GREY else route.color
        given = min(left[paid], route.length)
        left[paid] -= given
        short[route.id], color[route.id] = route.length - given, paid
    return short, color, left


def allot(plan: Plan, position: Position) -> None:
    """Share the hand out among the plan's routes, those for tickets first."""
    plan.short, plan.color, left = shares(plan.needed, position.hand)
    more, color, plan.spare = shares(plan.extra, left)
    plan.short |= more
    plan.color |= color


def fill_up(plan: Plan, position: Position) -> None:
    """Add routes for points: the best for the turns they take, while there are trains."""
    trains = position.trains - plan.length
    taken = {route.id for route in plan.needed} | {route.twin for route in plan.needed}
    ends = {position.home[e] for r in position.mine + plan.needed for e in (r.a, r.b)}
    while True:
        best, rate = None, 0.0
        for route in position.open:
            if route.length > trains or route.id in taken:
                continue
            held = max(plan.spare.values()) if route.color == GREY else plan.spare[route.color]
            turns = 1 + max(0, route.length - held) / 2
            r = (route.points + LINK * ((position.home[route.a] in ends) + (position.home[route.b] in ends))) / turns
            if r > rate:
                best, rate = route, r
        if best is None:
            break
        plan.extra.append(best)
        ends |= {position.home[best.a], position.home[best.b]}
        taken |= {best.id, best.twin}
        trains -= best.length
        allot(plan, position)
