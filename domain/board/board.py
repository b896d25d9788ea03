"""A board: the data of its table, and its rules.

docs/boards.md describes every member of a table; ``domain.boards`` reads one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from domain.board.parts import Location, Offer, Route, Ticket, Way
from domain.board.ruleset import Ruleset
from domain.codec import Json

if TYPE_CHECKING:
    from domain.shown import Showing

T = TypeVar("T")


@dataclass(frozen=True)
class Board:
    """One board: the data of its table. Colours, routes and tickets are numbered by position."""

    id: str
    name: str
    players: range
    trains: int
    cards: dict[str, int]  # colour -> count, ``wild`` last
    hand: int
    points: dict[int, int]  # length of a route -> points
    tickets_at_start: Offer
    tickets_on_a_turn: Offer
    refused_at_start: str
    doubles_closed_for: frozenset[int]  # numbers of players
    rules: tuple[str, ...]  # the rules added to the common ones
    settings: Mapping[str, Any]  # settings that these rules read from the table, by member
    tie_breaks: tuple[str, ...]
    locations: tuple[Location, ...]
    routes: tuple[Route, ...]
    tickets: tuple[Ticket, ...]
    table: Json  # the table, and that of its map, as read from the files
    digest: str  # SHA-256 of ``table``; a game names the exact table that it uses
    ruleset: Ruleset = field(compare=False, repr=False)
    shown: Showing = field(compare=False, repr=False)  # how the rules are shown
    _made: dict[Callable[[Board], Any], Any] = field(
        default_factory=dict, compare=False, repr=False
    )

    def once(self, make: Callable[[Board], T]) -> T:
        try:
            made: T = self._made[make]
        except KeyError:
            made = self._made.setdefault(make, make(self))
        return made

    @cached_property
    def described(self) -> Json:
        """The table as the API serves it: with the ids of routes and tickets, and the order of the
        colours, which an object such as ``cards`` does not have in JSON."""
        routes = [
            {"id": r.id, "a": r.a, "b": r.b, "length": r.length, "color": r.color}
            | ({} if trains == r.length else {"trains": trains})
            | ({} if r.twin is None else {"twin": self.routes[r.twin].id})
            | row
            for r, row, trains in zip(
                self.routes, self.table["routes"], self.trains_taken, strict=True
            )
        ]
        tickets = [
            {"id": ticket.id}
            | row
            | (
                {"ways": [dict(zip(("a", "b", "points"), way, strict=True)) for way in ways]}
                if len(ways) > 1
                else {}
            )
            for ticket, row, ways in zip(
                self.tickets, self.table["tickets"], self.ways, strict=True
            )
        ]
        rest = {name: value for name, value in self.table.items() if name != "board"}
        return (
            {"id": self.id, "digest": self.digest}
            | rest
            | {
                "routes": routes,
                "tickets": tickets,
                "declared": self.shown.declared(self)
                | {"colors": list(self.colors)}
                | (
                    {}
                    if [*self.draws_taken.values()] == [1] * (len(self.cards) - 1) + [2]
                    else {"draws": self.draws_taken}
                ),
            }
        )

    def statistics(self) -> dict[str, object]:
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
            "spaces_by_color": dict(
                sorted(
                    (color, sum(r.length for r in self.routes if r.color == color))
                    for color in colors
                )
            ),
            "routes_by_length": dict(sorted(lengths.items())),
            **self.shown.statistics(self),
            "tickets": len(self.tickets),
            "ticket_points": sum(ticket.points for ticket in self.tickets),
            "digest": self.digest,
        }

    @cached_property
    def colors(self) -> tuple[str, ...]:
        """The colours of the cards in the table's order; ``wild`` is the last."""
        return tuple(self.cards)

    @cached_property
    def color_index(self) -> dict[str, int]:
        return {color: i for i, color in enumerate(self.colors)}

    @cached_property
    def route_index(self) -> dict[str, int]:
        return {route.id: i for i, route in enumerate(self.routes)}

    @cached_property
    def ticket_index(self) -> dict[str, int]:
        return {ticket.id: i for i, ticket in enumerate(self.tickets)}

    @cached_property
    def location_index(self) -> dict[str, int]:
        return {location.id: i for i, location in enumerate(self.locations)}

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        return tuple(route.length for route in self.routes)

    @cached_property
    def trains_taken(self) -> tuple[int, ...]:
        """The number of trains for each route, by the route's number: its length plus
        ``extra_trains`` of rules, which may be negative; at least 0."""
        extra = self.ruleset.extra_trains
        return tuple(
            max(0, route.length + sum(more(route) for more in extra)) for route in self.routes
        )

    @cached_property
    def ways(self) -> tuple[tuple[Way, ...], ...]:
        """All ways to complete each ticket, that with the fewest points first (5.3)."""
        return tuple(
            tuple(
                sorted(
                    [
                        (ticket.a, ticket.b, ticket.points),
                        *(way for more in self.ruleset.ways for way in more(self, ticket)),
                    ],
                    key=lambda way: way[2],
                )
            )
            for ticket in self.tickets
        )

    @cached_property
    def draws_taken(self) -> dict[str, int]:
        """How many of a turn's two draws a face-up card takes, by colour (3.2)."""
        return dict.fromkeys(self.colors, 1) | {
            color: n for draws in self.ruleset.draws for color, n in draws(self).items()
        }

    @cached_property
    def deck(self) -> bytes:
        """All the board's cards as colour numbers, in their order before shuffling (2.1)."""
        return self.cards_of(self.cards.values())

    def cards_of(self, counts: Iterable[int]) -> bytes:
        """Return counts by colour as a sorted list of colour numbers."""
        return b"".join(bytes((color,)) * count for color, count in enumerate(counts))

    def names(self, colors: Iterable[int]) -> tuple[str, ...]:
        names = self.colors
        return tuple([names[c] for c in colors])

    def numbers(self, names: Iterable[str]) -> bytes:
        index = self.color_index
        return bytes([index[name] for name in names])

    def as_set(self, counts: Iterable[int]) -> dict[str, int]:
        """Convert counts by colour number to counts by colour name, without the zeros."""
        return {color: n for color, n in zip(self.colors, counts, strict=True) if n}

    def counts(self, cards: Mapping[str, int]) -> tuple[int, ...]:
        """Convert counts by colour name to counts by colour number."""
        return tuple([cards.get(color, 0) for color in self.colors])
