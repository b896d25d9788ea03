"""The parts of a board, read from its table and checked.

Every function here raises BrokenTable where the table is wrong, naming the path and the line.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from domain.board.parts import FLAG, GREY, WILD, Location, Offer, Route, Ticket
from domain.board.table import Table

if TYPE_CHECKING:
    from domain.board.board import Board


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


def locations(rows: Table) -> tuple[Location, ...]:
    """Return the locations, in the table's order."""
    found = tuple(
        Location(
            r["id"].slug(), r["name"].text(), r["lat"].number(), r["lon"].number(),
            r["district"].whole(1) if "district" in r else None,
        )
        for r in rows.records({"id", "name", "lat", "lon"}, {"district"})
    )
    rows.distinct([location.id for location in found])
    return found


def _ends(record: dict[str, Table], places: set[str]) -> tuple[str, str]:
    a, b = (record[end].one_of(places, "location") for end in "ab")
    if a >= b:
        record["b"].refuse("the two ends are written in alphabetical order and differ")
    return a, b


def routes(rows: Table, places: set[str], cards: dict, points: dict) -> tuple[Route, ...]:
    """Return the routes, in the table's order; the same pair of places twice is a double (4.2)."""
    found: list[Route] = []
    first: dict[tuple[str, str], int] = {}
    colors = (cards.keys() - {WILD}) | {GREY}
    for record in rows.records({"a", "b", "length", "color"}, {"tunnel", "ferry"}):
        a, b = _ends(record, places)
        length = record["length"].whole(1)
        if length not in points:
            record["length"].refuse(f"{length} has no entry in points")
        route = Route(
            f"{a}--{b}", a, b, length, record["color"].one_of(colors, "colour"), None,
            record["tunnel"].truth() if "tunnel" in record else False,
            record["ferry"].whole(0, length) if "ferry" in record else 0,
        )
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
    has = {
        "ferries": any(board.ferries),
        "tunnels": any(route.tunnel for route in board.routes),
        "stations": board.stations > 0,
        "districts": bool(board.districts),
    }
    for rule, there in has.items():
        if there != (rule in board.rules):
            table.member("rules").refuse(
                f"{rule} is {'missing' if there else 'named, but the table has none'}")
    if "flags" in board.rules and not set(FLAG) <= board.cards.keys():
        table.member("rules").refuse(f"flags needs the colours {', '.join(FLAG)}")
    linked = Counter(end for route in board.routes for end in (route.a, route.b))
    for i, location in enumerate(board.locations):
        if not linked[location.id]:
            place.member("locations")[i].refuse(f"no route reaches {location.id}")
