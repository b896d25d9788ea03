"""Countries: a ticket may end in any place of several countries, each with a value of its own.

An end in one of the ticket's countries stands for all places of these; the other end, if it is in
a country, for all places of that."""

from __future__ import annotations

from collections.abc import Iterator

from domain.board.board import Board
from domain.board.parts import Ticket, Way
from domain.board.shapes import Shape
from domain.rules.rule import InTable, Rule

COUNTRY = Shape(
    "Its country, if it is in one.", lambda table: table.slug(), {"type": "string"}, required=False
)
VALUES = Shape(
    "The points for each country that it may end in.",
    lambda table: table.counts(),
    {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}},
    required=False,
)


def countries(board: Board) -> dict[str, str]:
    """Return place -> country."""
    return {
        place.id: place.marks["country"] for place in board.locations if "country" in place.marks
    }


def ways(board: Board, ticket: Ticket) -> Iterator[Way]:
    """Yield all pairs of places that complete a ticket, but for its own."""
    of, values = board.once(countries), ticket.marks.get("countries", {})
    start, _ = sorted((ticket.a, ticket.b), key=lambda end: of.get(end) in values)
    starts = [place for place in of if of[place] == of.get(start)] or [start]
    for a in starts if values else ():
        for b in of:
            if of[b] in values and {a, b} != {ticket.a, ticket.b}:
                yield a, b, values[of[b]]


def check(board: Board) -> str | None:
    """Return why a board's tickets are wrong, None if they are not."""
    of = board.once(countries)
    for ticket in board.tickets:
        if values := ticket.marks.get("countries"):
            ends = [of.get(end) for end in (ticket.a, ticket.b)]
            if (
                not values.keys() <= {*of.values()}
                or sum(end in values for end in ends) != 1
                or (ticket.points not in [values.get(end) for end in ends])
            ):
                return (
                    f"needs one end of {ticket.id} in one of its countries, for the points of "
                    "that, and places in all of them"
                )
    return None


RULE = Rule(
    name="countries",
    table=InTable(
        location={"country": COUNTRY},
        ticket={"countries": VALUES},
        check=check,
        is_printed=lambda board: any("countries" in t.marks for t in board.tickets),
    ),
    ways=ways,
)
