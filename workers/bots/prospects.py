"""The expected value of drawing tickets."""

from __future__ import annotations

from math import comb

from workers.bots.board import Route
from workers.bots.plan import Plan
from workers.bots.position import Position


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
        within = routes is not None and sum(r.trains for r in routes) <= trains and (
            sum(1 + r.length / 2 for r in routes) <= turns)
        worth.append(max(-ticket.points, ticket.points - cost) if within else -ticket.points)
    return best_of(position.board.tickets_drawn, worth)


def best_of(count: int, values: list[float]) -> float:
    """Return the expected maximum of ``count`` values drawn at random, or of all if fewer."""
    values = sorted(values)
    if len(values) < count:
        return values[-1] if values else 0
    return sum(v * comb(i, count - 1) for i, v in enumerate(values)) / comb(len(values), count)
