"""The parts of a board, read from its table and checked.

Every function here raises BrokenTable where the table is wrong, naming the path and the line.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import accumulate
from typing import Any

from domain.board.board import Board
from domain.board.parts import GREY, REMOVED, UNDER_THE_DECK, WILD, Location, Offer, Route, Ticket
from domain.board.ruleset import Ruleset
from domain.board.table import Table

# The largest counts of a board for new games: any view, list of actions or final scoring takes less
# than 100 ms and 1 MB. docs/boards.md gives the reason for each.
ENTRIES = {"cards": 20, "locations": 100, "routes": 250, "tickets": 200}
LETTERS, CARDS, WILDS, OFFERED = 40, 500, 30, 10
ACTIONS, ROUTES, CHOICES, WAYS, TABLE_BYTES = 4_500, 40, 5_000, 2_000, 100_000


def points(member: Table) -> dict[int, int]:
    """Return the points by length of a route (4.1)."""
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


def _players(member: Table) -> range:
    return range(member.member("least").whole(2), member.member("most").whole(2, 8) + 1)


def _cards(member: Table) -> dict[str, int]:
    cards = member.counts()
    if list(cards)[-1:] != [WILD] or len(cards) < 2:
        member.refuse("needs a colour or more and then, last, wild")
    return cards


def _refused_at_start(start: Table) -> str:
    if not isinstance(start.value, dict) or "refused" not in start.value:
        return UNDER_THE_DECK
    return start["refused"].one_of((UNDER_THE_DECK, REMOVED), "place for refused tickets")


Fact = tuple[str, Callable[[Table], Any]]  # a member of a table, and how its value is read
_FACTS: dict[str, Fact] = {  # the data that comes from the table alone
    "id": ("board", Table.slug),
    "name": ("name", Table.text),
    "players": ("players", _players),
    "trains": ("trains", lambda member: member.whole(1, 99)),
    "cards": ("cards", _cards),
    "hand": ("hand", lambda member: member.whole(0)),
    "points": ("points", points),
    "tickets_at_start": ("tickets_at_start", offer),
    "tickets_on_a_turn": ("tickets_on_a_turn", offer),
    "refused_at_start": ("tickets_at_start", _refused_at_start),
    "doubles_closed_for": (
        "doubles_closed_for",
        lambda member: frozenset(number.whole(2) for number in member.items()),
    ),
}


MEMBERS = {  # of a table, without those of rules
    *(name for name, _ in _FACTS.values()),
    *("rules", "tie_breaks", "locations", "routes", "tickets", "map"),
    *("rulebook", "vocabulary", "provenance"),
}


def facts(table: Table, rules: Iterable[str], tie_breaks: Iterable[str]) -> dict[str, Any]:
    """Return the data that comes from the table alone; note faults and leave faulty members out."""

    def names(known: Iterable[str], what: str) -> Callable[[Table], tuple[str, ...]]:
        return lambda member: tuple([name.one_of(known, what) for name in member.items()])

    return table.all_of(
        {
            fact: _of_member(*read)
            for fact, read in (
                _FACTS
                | {
                    "rules": ("rules", names(rules, "rule module")),
                    "tie_breaks": ("tie_breaks", names(tie_breaks, "tie-break")),
                }
            ).items()
        }
    )


def _of_member(name: str, read: Callable[[Table], Any]) -> Callable[[Table], Any]:
    return lambda table: read(table.member(name))


def settings(table: Table, rules: Ruleset) -> dict[str, Any]:
    return table.all_of(
        {
            name: _of_member(name, shape.read)
            for rule in rules.known
            for name, shape in rule.table.members.items()
            if (rule in rules.in_force if shape.required else name in table.value)
        }
    )


def ids(place: Table) -> set[str]:
    rows = place.value.get("locations")
    return (
        {row["id"] for row in rows if isinstance(row, dict) and isinstance(row.get("id"), str)}
        if isinstance(rows, list)
        else set()
    )


def locations(rows: Table, rules: Ruleset) -> tuple[Location, ...]:
    marks = {name: shape for rule in rules.known for name, shape in rule.table.location.items()}

    def location(r: dict[str, Table]) -> Location:
        return Location(
            r["id"].slug(),
            r["name"].text(),
            r["lat"].number(),
            r["lon"].number(),
            {name: shape.read(r[name]) for name, shape in marks.items() if name in r},
        )

    read = rows.records(location, {"id", "name", "lat", "lon"}, marks)
    if not rows.faults:
        rows.distinct([location.id for location in read])
    return tuple(read)


def _ends(record: dict[str, Table], places: set[str]) -> tuple[str, str]:
    a, b = (record[end].one_of(places, "location") for end in "ab")
    if a >= b:
        record["b"].refuse("the two ends are written in alphabetical order and differ")
    return a, b


def routes(
    rows: Table, places: set[str], cards: dict[str, int], points: dict[int, int], rules: Ruleset
) -> tuple[Route, ...]:
    """Return the routes, in the table's order; the same pair of places twice is a double (4.2)."""
    tracks: list[Route] = []
    first: dict[tuple[str, str], int] = {}
    colors = (cards.keys() - {WILD}) | {GREY}
    marks = {name: shape for rule in rules.known for name, shape in rule.table.route.items()}

    def add(record: dict[str, Table]) -> None:
        a, b = _ends(record, places)
        length = record["length"].whole(1)
        if length not in points:
            record["length"].refuse(f"{length} has no entry in points")
        route = Route(
            f"{a}--{b}",
            a,
            b,
            length,
            record["color"].one_of(colors, "colour"),
            None,
            {name: shape.read(record[name]) for name, shape in marks.items() if name in record},
        )
        for rule in rules.known:
            if rule.table.check_route:
                rule.table.check_route(record)
        twin = first.setdefault((a, b), len(tracks))
        if twin < len(tracks):
            if tracks[twin].twin is not None:
                record["a"].refuse(f"{a} and {b} are connected by more than two tracks")
            tracks[twin] = replace(tracks[twin], twin=len(tracks))
            route = replace(route, id=f"{a}--{b}--2", twin=twin)
        tracks.append(route)

    rows.records(add, {"a", "b", "length", "color"}, marks)
    return tuple(tracks)


def tickets(rows: Table, places: set[str], rules: Ruleset) -> tuple[Ticket, ...]:
    marks = {name: shape for rule in rules.known for name, shape in rule.table.ticket.items()}

    def ticket(record: dict[str, Table]) -> Ticket:
        a, b = _ends(record, places)
        long = record["long"].truth() if "long" in record else False
        return Ticket(
            f"{a}--{b}",
            a,
            b,
            record["points"].whole(1),
            long,
            {name: shape.read(record[name]) for name, shape in marks.items() if name in record},
        )

    read = rows.records(ticket, {"a", "b", "points"}, {"long", "set", *marks})
    if not rows.faults:
        rows.distinct([ticket.id for ticket in read])
    return tuple(read)


def check_enough(table: Table, board: Board) -> None:
    """Reject a table with too few cards or tickets for its largest number of players."""
    if not board.players:
        table.member("players").note("least is more than most")
        return
    most, offer = board.players[-1], board.tickets_at_start
    if sum(board.cards.values()) < most * board.hand + 5:
        table.member("cards").note(f"too few for {most} hands of {board.hand} and a row of 5")
    long = sum(ticket.long for ticket in board.tickets)
    if long < most * offer.long or len(board.tickets) - long < most * offer.deal:
        table.member("tickets").note(f"too few to deal to {most} players")


def check_rules(table: Table, place: Table, board: Board) -> None:
    """Reject a table with members that its rules do not use, or without members that they need."""
    rules = board.ruleset
    for rule in rules.known:
        in_force, table_part = rule in rules.in_force, rule.table
        is_there = table_part.is_printed(board) if table_part.is_printed else in_force
        if is_there != in_force:
            table.member("rules").note(
                f"{rule.name} is {'missing' if is_there else 'named, but the table has none'}"
            )
        if in_force and table_part.check and (wrong := table_part.check(board)):
            table.member("rules").note(f"{rule.name} {wrong}")
    linked = Counter(end for route in board.routes for end in (route.a, route.b))
    for i, location in enumerate(board.locations):
        if not linked[location.id]:
            place.member("locations")[i].note(f"no route reaches {location.id}")


def too_much(board: Board) -> list[tuple[str, str]]:
    """Return the members of a table that ask for too much work, with the reasons (9.7)."""
    rules, start = board.ruleset.in_force, board.tickets_at_start
    by_trains = sorted(zip(board.trains_taken, board.routes, strict=True), key=lambda x: -x[0])
    trains = {(route.a, route.b): n for n, route in by_trains}  # of a double, the shorter track
    counts = [
        *((name, len(getattr(board, name)), "entries", most) for name, most in ENTRIES.items()),
        *(
            ("cards", len(color.encode(errors="replace")), "bytes in a name", LETTERS)
            for color in board.colors
        ),
        *(("locations", len(id_), "letters in an id", LETTERS) for id_ in board.location_index),
        ("cards", sum(board.cards.values()), "cards", CARDS),
        ("cards", board.cards[WILD], "wilds", WILDS),
        ("tickets", sum(map(len, board.ways)), "pairs of locations", WAYS),
        ("tickets_at_start", start.deal + start.long, "tickets at once", OFFERED),
        ("tickets_on_a_turn", board.tickets_on_a_turn.deal, "tickets at once", OFFERED),
        (
            "trains",
            sum(n <= board.trains for n in accumulate(sorted(trains.values()))),
            "routes in reach of one player",
            ROUTES,
        ),
        (
            "routes",
            sum(rule.table.listed(board) for rule in rules if rule.table.listed),
            "legal actions in a turn (fewer colours, grey routes or spaces would do)",
            ACTIONS,
        ),
        *(
            (
                rule.name if rule.name in board.table else "rules",
                rule.table.compared(board),
                "choices to compare in the scoring (fewer would do)",
                CHOICES,
            )
            for rule in rules
            if rule.table.compared
        ),
        ("board", len(json.dumps(board.table)), "bytes in all", TABLE_BYTES),
    ]
    return [
        (name, f"has {count} {unit}, {most} are the most")
        for name, count, unit, most in counts
        if count > most
    ]


def note_unknown(table: Table, rules: Ruleset) -> None:
    table.note_members(
        set(), MEMBERS.union(name for rule in rules.known for name in rule.table.members)
    )
    for name, known in (
        ("players", {"least", "most"}),
        ("tickets_on_a_turn", {"deal", "keep"}),
        ("tickets_at_start", {"deal", "keep", "long", "refused"}),
    ):
        if isinstance(table.value.get(name), dict):
            table[name].note_members(set(), known)


def check_use(table: Table, place: Table, board: Board) -> None:
    import networkx as nx  # imported late: rarely needed

    most = board.cards[WILD] + max(n for color, n in board.cards.items() if color != WILD)
    graph = nx.Graph()
    for i, route in enumerate(board.routes):
        cards = most if route.color == GREY else board.cards[WILD] + board.cards[route.color]
        taken = board.trains_taken[i]
        if taken > board.trains or route.length > cards:
            place.member("routes")[i].note(
                f"can never be claimed: a player has {board.trains} trains, and there are {cards} "
                "cards for it"
            )
        else:
            graph.add_edge(route.a, route.b, length=taken)
    near = dict(nx.all_pairs_dijkstra_path_length(graph, weight="length"))
    for i, ticket in enumerate(board.tickets):
        far = [near[a][b] for a, b, _ in board.ways[i] if b in near.get(a, ())]
        if not far:
            table.member("tickets")[i].note(
                f"can never be completed: no routes lead from {ticket.a} to {ticket.b}"
            )
            continue
        # where routes are lent, those of others help
        if min(far) > board.trains and not board.ruleset.lends:
            table.member("tickets")[i].note(
                f"can never be completed: that takes {min(far)} trains, a player has {board.trains}"
            )
