"""What a board is, and how a table becomes one.

A table is a JSON file (``boards/*.json``): numbers, cards, locations, routes, tickets, and the
names of the rule modules that the board adds to the common ones. ``load`` checks it and says where
it is wrong (domain/board/reading.py). docs/boards.md describes every member.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path

from domain.board import reading
from domain.board.parts import (
    FLAG,
    GREY,
    REMOVED,
    RULES,
    TIE_BREAKS,
    UNDER_THE_DECK,
    WILD,
    Location,
    Offer,
    Route,
    Ticket,
)
from domain.board.table import Table
from domain.game.commands import BuildStation, ClaimRoute, DrawCard

MEMO = 20_000  # answers kept of each question that positions ask again and again
FOLDER = Path(__file__).parent / "boards"
FORMER = FOLDER / "former"  # tables as they were before a correction, for the games played on them


@dataclass(frozen=True)
class Board:
    """One board: the facts of its table. Colours, routes and tickets are numbered by position."""

    id: str
    name: str
    players: range
    trains: int
    stations: int
    cards: dict[str, int]  # colour -> count, ``wild`` last
    hand: int
    points: dict[int, int]  # length of a route -> points
    tickets_at_start: Offer
    tickets_on_a_turn: Offer
    refused_at_start: str
    doubles_closed_for: frozenset[int]  # numbers of players
    rules: tuple[str, ...]  # rule modules beside the common ones
    longest_path_bonus: int
    tie_breaks: tuple[str, ...]
    locations: tuple[Location, ...]
    routes: tuple[Route, ...]
    tickets: tuple[Ticket, ...]
    table: dict  # as read, that of its map included; a table in itself
    digest: str  # SHA-256 of ``table``, so that a game can name the very table it used

    @cached_property
    def described(self) -> dict:
        """The table as the API serves it: with the ids of routes and tickets."""
        routes = [
            {"id": r.id, "a": r.a, "b": r.b, "length": r.length, "color": r.color}
            | ({} if r.twin is None else {"twin": self.routes[r.twin].id})
            | ({"tunnel": True} if r.tunnel else {}) | ({"ferry": r.ferry} if r.ferry else {})
            for r in self.routes
        ]
        tickets = [{"id": t.id, "a": t.a, "b": t.b, "points": t.points}
                   | ({"long": True} if t.long else {}) for t in self.tickets]
        rest = {name: value for name, value in self.table.items() if name != "board"}
        return {"id": self.id, "digest": self.digest} | rest | {
            "routes": routes, "tickets": tickets,
        }

    def statistics(self) -> dict[str, object]:
        """Return what the table holds, in numbers that show a slip at a glance."""
        lengths = Counter(self.lengths)
        colors = Counter(route.color for route in self.routes)
        return {
            "board": self.id,
            "players": f"{self.players[0]} to {self.players[-1]}",
            "cards": sum(self.cards.values()),
            "locations": len(self.locations),
            "routes": len(self.routes),
            "double_routes": sum(route.twin is not None for route in self.routes) // 2,
            "spaces": sum(self.lengths),
            "spaces_by_color": dict(sorted(
                (color, sum(r.length for r in self.routes if r.color == color)) for color in colors
            )),
            "routes_by_length": dict(sorted(lengths.items())),
            "tunnels": sum(route.tunnel for route in self.routes),
            "ferries": sum(n > 0 for n in self.ferries),
            "tickets": len(self.tickets),
            "ticket_points": sum(ticket.points for ticket in self.tickets),
            "digest": self.digest,
        }

    @cached_property
    def colors(self) -> tuple[str, ...]:
        """The colours of the cards in the table's order; the joker ``wild`` is the last."""
        return tuple(self.cards)

    @cached_property
    def color_index(self) -> dict[str, int]:
        """Colour -> its number."""
        return {color: i for i, color in enumerate(self.colors)}

    @cached_property
    def route_index(self) -> dict[str, int]:
        """Route id -> its number."""
        return {route.id: i for i, route in enumerate(self.routes)}

    @cached_property
    def ticket_index(self) -> dict[str, int]:
        """Ticket id -> its number."""
        return {ticket.id: i for i, ticket in enumerate(self.tickets)}

    @cached_property
    def location_index(self) -> dict[str, int]:
        """Location id -> its number."""
        return {location.id: i for i, location in enumerate(self.locations)}

    @cached_property
    def districts(self) -> dict[int, tuple[str, ...]]:
        """District -> the ids of its locations (7.3)."""
        found: dict[int, tuple[str, ...]] = {}
        for place in self.locations:
            if place.district is not None:
                found[place.district] = (*found.get(place.district, ()), place.id)
        return found

    @cached_property
    def ferries(self) -> tuple[int, ...]:
        """How many wilds each route needs at least, by number (4.3)."""
        return tuple(route.ferry for route in self.routes)

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """The routes' lengths in spaces, by number."""
        return tuple(route.length for route in self.routes)

    @cached_property
    def routes_for(self) -> tuple[tuple[int, ...], ...]:
        """``routes_for[color][n]``: the set, as bits, of the routes of up to n spaces that a set
        of that colour claims (4.1). ``wild`` claims any."""
        most = max(self.trains, max(self.lengths))
        wild = len(self.colors) - 1
        return tuple(
            tuple(
                sum(
                    1 << i
                    for i, route in enumerate(self.routes)
                    if route.length <= n and (c == wild or route.color in (color, GREY))
                )
                for n in range(most + 1)
            )
            for c, color in enumerate(self.colors)
        )

    @cached_property
    def claims(self) -> tuple[tuple[tuple[ClaimRoute, ...], ...], ...]:
        """``claims[route][color][k]``: the claim that pays k wilds and the rest in that colour;
        for the colour ``wild`` the one claim with wilds alone. Shared, never to be changed."""
        return tuple(
            tuple(self._claims(route, c) for c in range(len(self.colors))) for route in self.routes
        )

    def _claims(self, route: Route, color: int) -> tuple[ClaimRoute, ...]:
        n = route.length
        if self.colors[color] == WILD:
            return (ClaimRoute(route.id, {WILD: n}),)
        if route.color not in (self.colors[color], GREY):
            return ()
        return tuple(ClaimRoute(route.id, self.payment(color, k, n)) for k in range(n))

    @cached_property
    def keeping(self) -> dict[tuple[str, int], ClaimRoute]:
        """(route, wilds) -> the claim that keeps a card for the flag (4.5). Shared."""
        return {
            (claim.route, claim.cards.get(WILD, 0)): ClaimRoute(claim.route, claim.cards, True)
            for route, by_color in zip(self.routes, self.claims, strict=True)
            if route.color in FLAG
            for claim in by_color[self.color_index[route.color]]
        }

    @cached_property
    def stations_at(self) -> tuple[dict[tuple[int, int, int], BuildStation], ...]:
        """``stations_at[location][count, color, k]``: building a station there for ``count`` cards,
        k of them wild. Shared."""
        wild = len(self.colors) - 1
        sets = [(n, c, k) for n in range(1, self.stations + 1) for c in range(wild)
                for k in range(n)] + [(n, wild, n) for n in range(1, self.stations + 1)]
        payments = {key: self.payment(key[1], key[2], key[0]) for key in sets}
        return tuple(
            {key: BuildStation(place.id, cards) for key, cards in payments.items()}
            for place in self.locations
        )

    def payment(self, color: int, wilds: int, count: int) -> dict[str, int]:
        """Return a set of ``count`` cards: so many wilds, the rest in the colour."""
        if wilds == count:
            return {WILD: count}
        name = self.colors[color]
        return {name: count - wilds, WILD: wilds} if wilds else {name: count}

    @cached_property
    def draws(self) -> Callable[[tuple[int, ...], bool, bool], tuple[DrawCard, ...]]:
        """``draws(row, first, blind)``: the blind draw, if there is one, then those from a row,
        each colour once in the row's order, a wild only as the first card (3.1, 3.2)."""
        wild, from_row, deck = len(self.colors) - 1, self.draws_from_row, DrawCard("deck")

        @lru_cache(maxsize=MEMO)
        def draws(row: tuple[int, ...], first: bool, blind: bool) -> tuple[DrawCard, ...]:
            cards = [from_row[card] for card in dict.fromkeys(row) if first or card != wild]
            return (deck, *cards) if blind else tuple(cards)

        return draws

    @cached_property
    def claims_with(self) -> Callable[[int, int, int, int], tuple[ClaimRoute, ...]]:
        """``claims_with(color, held, wilds, routes)``: every claim of a set of routes, given as
        bits, with so many cards of a colour and up to so many wilds beside (4.1)."""
        claims, lengths, ferries = self.claims, self.lengths, self.ferries
        wild = len(self.colors) - 1

        @lru_cache(maxsize=MEMO)
        def claims_with(color: int, held: int, wilds: int, routes: int) -> tuple[ClaimRoute, ...]:
            found: list[ClaimRoute] = []
            while routes:  # from the lowest bit up
                lowest = routes & -routes
                routes ^= lowest
                route = lowest.bit_length() - 1
                if color == wild:
                    found += claims[route][wild]
                    continue
                fewest = max(ferries[route], lengths[route] - held)
                found += claims[route][color][fewest : wilds + 1]
            return tuple(found)

        return claims_with

    @cached_property
    def draws_from_row(self) -> tuple[DrawCard, ...]:
        """The action of taking a card from the row, by colour number. Shared."""
        return tuple(DrawCard("row", color) for color in self.colors)

    @cached_property
    def deck(self) -> bytes:
        """All the board's cards as colour numbers, in the order that is shuffled first (2.1)."""
        return self.cards_of(self.cards.values())

    def cards_of(self, counts: Iterable[int]) -> bytes:
        """Return colour numbers, sorted, as often as the counts say."""
        return b"".join(bytes((color,)) * count for color, count in enumerate(counts))

    def names(self, colors: Iterable[int]) -> tuple[str, ...]:
        """Return the names of colour numbers."""
        names = self.colors
        return tuple([names[c] for c in colors])

    def numbers(self, names: Iterable[str]) -> bytes:
        """Return the numbers of colour names."""
        index = self.color_index
        return bytes([index[name] for name in names])

    def as_set(self, counts: Iterable[int]) -> dict[str, int]:
        """Return counts by colour number as colour name -> count, without the zeros."""
        return {color: n for color, n in zip(self.colors, counts, strict=True) if n}

    def counts(self, cards: dict[str, int]) -> tuple[int, ...]:
        """Return colour name -> count as counts by colour number."""
        return tuple([cards.get(color, 0) for color in self.colors])


def load(path: Path | str) -> Board:
    """Return the board in a table file; raise BrokenTable naming the line that is wrong.

    A table may name, as its ``map``, another in the same folder whose locations and routes it uses.
    """
    path = Path(path)
    return parse(path.read_text(encoding="utf-8"), path.parent)


def load_folder(folder: Path | str = FOLDER) -> dict[str, Board]:
    """Return the boards of every table in a folder, by id."""
    boards = [load(path) for path in sorted(Path(folder).glob("*.json"))]
    return {board.id: board for board in boards}


def boards_by_digest(folders: Iterable[str] = ()) -> dict[str, Board]:
    """Return our boards, as they are and as they were, and those in folders, by digest; raise
    BrokenTable where one is wrong."""
    paths = [path for folder in (FOLDER, FORMER, *map(Path, folders))
             for path in sorted(folder.glob("*.json"))]
    return {board.digest: board for board in map(load, paths)}


def parse(text: str, folder: Path = FOLDER) -> Board:
    """Return the board that a table's text describes; raise BrokenTable where it is wrong."""
    table = Table(text)
    place = _map_of(table, folder)
    content = {name: value for name, value in table.value.items() if name != "map"} | {
        name: place.value[name] for name in ("locations", "routes") if name in place.value
    }
    cards = table.member("cards").counts()
    if list(cards)[-1:] != [WILD] or len(cards) < 2:
        table.member("cards").refuse("needs a colour or more and then, last, wild")
    locations = reading.locations(place.member("locations"))
    places = {location.id for location in locations}
    points = reading.points(table.member("points"))
    start = table.member("tickets_at_start")
    board = Board(
        id=table.member("board").slug(),
        name=table.member("name").text(),
        players=range(
            table.member("players").member("least").whole(2),
            table.member("players").member("most").whole(2, 8) + 1,
        ),
        trains=table.member("trains").whole(1, 99),
        stations=table.member("stations").whole(0, 9) if "stations" in table.value else 0,
        cards=cards,
        hand=table.member("hand").whole(0),
        points=points,
        tickets_at_start=reading.offer(start),
        tickets_on_a_turn=reading.offer(table.member("tickets_on_a_turn")),
        refused_at_start=(
            start["refused"].one_of((UNDER_THE_DECK, REMOVED), "place for refused tickets")
            if "refused" in start.value else UNDER_THE_DECK
        ),
        doubles_closed_for=frozenset(
            number.whole(2) for number in table.member("doubles_closed_for").items()
        ),
        rules=tuple(r.one_of(RULES, "rule module") for r in table.member("rules").items()),
        longest_path_bonus=(
            table.member("longest_path_bonus").whole(0)
            if "longest_path" in table.value["rules"] else 0
        ),
        tie_breaks=tuple(
            t.one_of(TIE_BREAKS, "tie-break") for t in table.member("tie_breaks").items()
        ),
        locations=locations,
        routes=reading.routes(place.member("routes"), places, cards, points),
        tickets=reading.tickets(table.member("tickets"), places),
        table=content,
        digest=sha256(
            json.dumps(content, sort_keys=True, separators=(",", ":")).encode()
        ).hexdigest(),
    )
    reading.check_enough(table, board)
    reading.check_rules(table, place, board)
    return board


def _map_of(table: Table, folder: Path) -> Table:
    """Return the table that has the locations and routes: this one, or the one named as its map."""
    if "map" not in table.value:
        return table
    path = folder / f"{table.member('map').slug()}.json"
    if not path.is_file():
        table.member("map").refuse(f"there is no table {path.name} beside this one")
    return Table(path.read_text(encoding="utf-8"), name=path.name)
