"""The parts of a board, read from its table and checked.

Every function here raises BrokenTable where the table is wrong, naming the path and the line.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from domain.board.board import Board
from domain.board.parts import GREY, WILD, Location, Offer, Route, Ticket
from domain.board.ruleset import Ruleset
from domain.board.table import Table


def points(member: Table) -> dict[int, int]:
    """Return points by length of a route (4.1)."""
    counts = member.counts(least=0)
    for length in counts:
        if not (length.isascii() and length.isdigit() and int(length)):
            member[length].refuse("is listed under something that is no length of a route")
    return {int(length): value for length, value in counts.items()}


def offer(member: Table) -> Offer:
    """Return how many tickets are dealt and must be kept (2.2, 5.1)."""
    deal = member.member("deal").whole(1)
    long = member["long"].whole(0) if "long" in member.value else 0
    return Offer(deal, member.member("keep").whole(1, deal + long), long)


def settings(table: Table, rules: Ruleset) -> dict[str, Any]:
    """Return what the rules read from the table's own members."""
    return {
        name: shape.read(table.member(name))
        for rule in rules.known
        for name, shape in rule.table.items()
        if (rule in rules.in_force if shape.required else name in table.value)
    }


def locations(rows: Table, rules: Ruleset) -> tuple[Location, ...]:
    """Return the locations, in the table's order."""
    marks = {name: shape for rule in rules.known for name, shape in rule.location.items()}
    found = tuple(
        Location(
            r["id"].slug(), r["name"].text(), r["lat"].number(), r["lon"].number(),
            {name: shape.read(r[name]) for name, shape in marks.items() if name in r},
        )
        for r in rows.records({"id", "name", "lat", "lon"}, marks)
    )
    rows.distinct([location.id for location in found])
    return found


def _ends(record: dict[str, Table], places: set[str]) -> tuple[str, str]:
    a, b = (record[end].one_of(places, "location") for end in "ab")
    if a >= b:
        record["b"].refuse("the two ends are written in alphabetical order and differ")
    return a, b


def routes(
    rows: Table, places: set[str], cards: dict[str, int], points: dict[int, int], rules: Ruleset
) -> tuple[Route, ...]:
    """Return the routes, in the table's order; the same pair of places twice is a double (4.2)."""
    found: list[Route] = []
    first: dict[tuple[str, str], int] = {}
    colors = (cards.keys() - {WILD}) | {GREY}
    marks = {name: shape for rule in rules.known for name, shape in rule.route.items()}
    for record in rows.records({"a", "b", "length", "color"}, marks):
        a, b = _ends(record, places)
        length = record["length"].whole(1)
        if length not in points:
            record["length"].refuse(f"{length} has no entry in points")
        route = Route(
            f"{a}--{b}", a, b, length, record["color"].one_of(colors, "colour"), None,
            {name: shape.read(record[name]) for name, shape in marks.items() if name in record},
        )
        for rule in rules.known:
            if rule.check_route:
                rule.check_route(record)
        twin = first.setdefault((a, b), len(found))
        if twin < len(found):
            if found[twin].twin is not None:
                record["a"].refuse(f"{a} and {b} are connected by more than two tracks")
            found[twin] = replace(found[twin], twin=len(found))
            route = replace(route, id=f"{a}--{b}--2", twin=twin)
        found.append(route)
    return tuple(found)


def tickets(rows: Table, places: set[str]) -> tuple[Ticket, ...]:
    """Return the tickets, in the table's order."""
    found = []
    for record in rows.records({"a", "b", "points"}, {"long", "set"}):
        a, b = _ends(record, places)
        long = record["long"].truth() if "long" in record else False
        found.append(Ticket(f"{a}--{b}", a, b, record["points"].whole(1), long))
    rows.distinct([ticket.id for ticket in found])
    return tuple(found)


def check_enough(table: Table, board: Board) -> None:
    """Refuse a table whose cards or tickets cannot be dealt to the most players."""
    if not board.players:
        table.member("players").refuse("least is more than most")
    most, offer = board.players[-1], board.tickets_at_start
    if sum(board.cards.values()) < most * board.hand + 5:
        table.member("cards").refuse(f"too few for {most} hands of {board.hand} and a row of 5")
    long = sum(ticket.long for ticket in board.tickets)
    if long < most * offer.long or len(board.tickets) - long < most * offer.deal:
        table.member("tickets").refuse(f"too few to deal to {most} players")


def check_rules(table: Table, place: Table, board: Board) -> None:
    """Refuse a table that has what its rules do not speak of, or the other way round."""
    rules = board.ruleset
    for rule in rules.known:
        is_there = rule.is_printed(board) if rule.is_printed else rule in rules.in_force
        if is_there != (rule in rules.in_force):
            table.member("rules").refuse(
                f"{rule.name} is {'missing' if is_there else 'named, but the table has none'}")
        if rule in rules.in_force and rule.check and (wrong := rule.check(board)):
            table.member("rules").refuse(f"{rule.name} {wrong}")
    linked = Counter(end for route in board.routes for end in (route.a, route.b))
    for i, location in enumerate(board.locations):
        if not linked[location.id]:
            place.member("locations")[i].refuse(f"no route reaches {location.id}")
