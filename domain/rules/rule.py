"""The type Rule: it declares in one place everything that one idea of the rulebooks adds.

A module of this folder declares a ``Rule``; ``domain/rules/__init__.py`` lists them. Code that
reads tables, lists legal actions, scores, shows or draws calls the rules that are in force on a
board. It names no rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from domain.board.board import Board
from domain.board.parts import Route
from domain.board.shapes import Shape
from domain.board.table import Table
from domain.codec import Json
from domain.drawing.marks import Drawing
from domain.game.commands import ClaimRoute, Command
from domain.game.state import Draft, State
from domain.secrecy import Shown

Numbers = Mapping[str, Sequence[int]]  # of a result: by name, then by seat


@dataclass(frozen=True)
class Number:
    """A number in a seat's result, and its description. It ``adds`` to the total, or only explains
    it. With ``everywhere`` all results have it, else only those of boards where its rule is in
    force. A table may break ties by it if ``breaks_ties``. ``least`` is its minimum, None if it may
    be negative."""

    name: str
    words: str
    adds: bool = True
    everywhere: bool = False
    breaks_ties: bool = False
    least: int | None = 0


@dataclass(frozen=True)
class Exported:
    """A column that a rule adds to exports: its name, type and description, and its value for the
    events of an entry (JSON objects), None if it has none."""

    name: str
    type: type
    words: str
    value: Callable[[Sequence[Json]], object]


@dataclass(frozen=True)
class Kept:
    """An attribute of a State that a rule adds: its initial value, one for each seat unless
    ``for_all``. ``packed`` converts it to JSON for the position of a fork, ``unpacked`` converts it
    back."""

    start: Any
    for_all: bool = False
    packed: Callable[[Any], Any] | None = None
    unpacked: Callable[[Any], Any] | None = None


@dataclass(frozen=True)
class Decision:
    """A decision of a seat: the types of its actions (none for a turn), the number of its rule,
    words that continue "you have to", and the function that lists its legal actions."""

    answers: tuple[str, ...]
    number: str
    words: str
    options: Callable[[State, int], list[Command]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Rule:
    """One idea of the rulebooks. A rule sets only the fields that it needs.

    A ``common`` rule is in force on every board, any other where a table names it.
    """

    name: str
    common: bool = False
    # For readers of a board, if a table names the rule: its number in docs/rules.md, and its
    # description, a template over the served board (``domain.sentences``).
    number: str = ""
    says: str = ""

    # Tables: members that it adds to the table, and to the records of locations and routes.
    table: Mapping[str, Shape] = field(default_factory=dict)
    location: Mapping[str, Shape] = field(default_factory=dict)
    route: Mapping[str, Shape] = field(default_factory=dict)
    check_route: Callable[[dict[str, Table]], None] | None = None
    is_printed: Callable[[Board], bool] | None = None  # whether a board has any, e.g. ferries
    check: Callable[[Board], str | None] | None = None  # why a board cannot be played
    statistics: Callable[[Board], Mapping[str, int]] | None = None
    # Bounds of its work (``reading.too_much``): how many actions it adds to a turn at most, and how
    # many choices it compares at the end.
    listed: Callable[[Board], int] | None = None
    compared: Callable[[Board], int] | None = None

    # Set-up: called after every seat was dealt its tickets (not in a fork, whose position already
    # includes it).
    set_up: Callable[[Draft], None] | None = None

    # Play: a command's rule turns it into events, an event's change makes the next state. Several
    # rules may change something at the same event.
    decides: Mapping[type, Callable[..., None]] = field(default_factory=dict)
    evolves: Mapping[type, Callable[..., None]] = field(default_factory=dict)
    keeps: Mapping[str, Kept] = field(default_factory=dict)  # attributes of a State
    decisions: Mapping[str, Decision] = field(default_factory=dict)
    # The actions that it adds to a turn, and the function that appends every legal one.
    turn_actions: tuple[type[Command], ...] = ()
    add_actions: Callable[[list[Command], State, int], None] | None = None

    # Claims: how many trains a route takes beyond its length (negative if it takes fewer); whether
    # this set of cards may pay for it; whether a set that is not of one colour and wilds pays for
    # it all the same (``add_actions`` lists such claims); whether a seat may claim it so; whether
    # the members that the rule adds to a claim are right; whether the claim has to wait for another
    # decision. Members are checked on every board, as a board without the rule must refuse them.
    # Claims that the checks of payments and claims refuse are not listed. ``claimed`` is called
    # once the route is the seat's. If it returns True, the seat has something to decide before its
    # turn ends, and the rule calls ``settling.go_on`` once that is decided.
    extra_trains: Callable[[Route], int] | None = None
    check_payment: Callable[[Route, Mapping[str, int]], None] | None = None
    pays_otherwise: Callable[[Board, Route, Mapping[str, int]], bool] | None = None
    check_claim: Callable[[State, int, Route, ClaimRoute], None] | None = None
    check_members: Callable[[State, int, Route, ClaimRoute], None] | None = None
    waits: Callable[[Draft, int, int, ClaimRoute], bool] | None = None
    claimed: Callable[[Draft, int, Route], bool | None] | None = None

    # Leaving: the cards before a seat that are not in its hand, as colour numbers; and a function
    # to call right after a seat has left.
    lying: Callable[[State, int], Iterable[int]] | None = None
    left: Callable[[Draft, int], None] | None = None

    # The end: other seats' routes that count for a seat's tickets, as pairs of locations; the
    # numbers that it adds to results; and the function that computes them by seat, from those of
    # earlier rules.
    lends: Callable[[State, int], list[tuple[str, str]]] | None = None
    numbers: tuple[Number, ...] = ()
    scores: Callable[[State, Numbers], Numbers] | None = None

    # Views: members that it adds to a view, to its seats, and to the part that only the seat sees.
    view: tuple[Shown, ...] = ()
    seat_view: tuple[Shown, ...] = ()
    own_view: tuple[Shown, ...] = ()
    drawing: Drawing | None = None
    exported: tuple[Exported, ...] = ()  # columns of exports
