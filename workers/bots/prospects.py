"""What a seat may hope for from drawing tickets."""

from __future__ import annotations

from math import comb

from workers.bots.board import Route
from workers.bots.plan import Plan
from workers.bots.position import Position


def tickets_are_worth(plan: Plan, position: Position) -> float:
    """Return what the best of the unseen tickets drawn brings, on the average, less what it costs.

    Planned routes count as built; a way that takes more trains or turns than the plan leaves is
    no way.
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
        within = routes is not None and sum(r.length for r in routes) <= trains and (
            sum(1 + r.length / 2 for r in routes) <= turns)
        worth.append(max(-ticket.points, ticket.points - cost) if within else -ticket.points)
    return best_of(position.board.tickets_drawn, worth)


def best_of(count: int, values: list[float]) -> float:
    """Return the mean of the highest of so many values drawn at random, of fewer the highest."""
    values = sorted(values)
    if len(values) < count:
        return values[-1] if values else 0
    return sum(v * comb(i, count - 1) for i, v in enumerate(values)) / comb(len(values), count)
