"""What a rule is: everything that one idea of the rulebooks adds, in one place.

A module of this folder declares a ``Rule``; ``domain/rules/__init__.py`` lists them. Whatever reads
tables, lists legal actions, scores, shows or draws asks the rules that are in force on a board, and
knows none of them by name.
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
    """A number of a seat's result, in words. It ``adds`` to the total or tells how it came to be;
    where ``everywhere``, results have it on every board, else where its rule is in force. By one
    that ``breaks_ties`` a table may rank equals. ``least`` is None where it may be negative."""

    name: str
    words: str
    adds: bool = True
    everywhere: bool = False
    breaks_ties: bool = False
    least: int | None = 0


@dataclass(frozen=True)
class Told:
    """A column that a rule adds to exports: its name, type and description, and its value for the
    events of an entry (JSON objects), None if it has none."""

    name: str
    type: type
    words: str
    value: Callable[[Sequence[Json]], object]


@dataclass(frozen=True)
class Kept:
    """What a State keeps for a rule: its value at the start, for each seat unless ``for_all``.
    ``packed`` makes JSON of it for a position that a game is forked from, ``unpacked`` the value
    of that."""

    start: Any
    for_all: bool = False
    packed: Callable[[Any], Any] | None = None
    unpacked: Callable[[Any], Any] | None = None


@dataclass(frozen=True)
class Decision:
    """What a seat may have to decide: by which actions (none for those of a turn), by which rule's
    number, in words that go on after "you have to", and every legal one of them."""

    answers: tuple[str, ...]
    number: str
    words: str
    options: Callable[[State, int], list[Command]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Rule:
    """One idea. What it does not speak of it leaves out.

    A ``common`` rule is in force on every board, any other where a table names it.
    """

    name: str
    common: bool = False
    # of a rule that a table names, for those who look at a board: its number in docs/rules.md, and
    # what it is, a template over the board as it is served (``domain.sentences``)
    number: str = ""
    says: str = ""

    # Tables: its members in the table itself, in a location's and in a route's record
    table: Mapping[str, Shape] = field(default_factory=dict)
    location: Mapping[str, Shape] = field(default_factory=dict)
    route: Mapping[str, Shape] = field(default_factory=dict)
    check_route: Callable[[dict[str, Table]], None] | None = None
    is_printed: Callable[[Board], bool] | None = None  # whether the table has what it speaks of
    check: Callable[[Board], str | None] | None = None  # what keeps a board from being played
    statistics: Callable[[Board], Mapping[str, int]] | None = None

    # Set-up: what else happens once every seat was dealt its tickets (not in a fork, whose position
    # has it already)
    set_up: Callable[[Draft], None] | None = None

    # Play: a command's rule turns it into events, an event's change makes the next state. Several
    # rules may change something at the same event.
    decides: Mapping[type, Callable[..., None]] = field(default_factory=dict)
    evolves: Mapping[type, Callable[..., None]] = field(default_factory=dict)
    keeps: Mapping[str, Kept] = field(default_factory=dict)  # attributes of a State
    decisions: Mapping[str, Decision] = field(default_factory=dict)
    # what a turn may be spent on, and what appends every legal way to do so
    turn_actions: tuple[type[Command], ...] = ()
    add_actions: Callable[[list[Command], State, int], None] | None = None

    # Claims: how many trains a route takes beyond its length; how many wilds it takes at least and
    # at most (None for any number); whether this set of cards may pay for it; whether a set that is
    # not of one colour and wilds pays for it all the same (``add_actions`` lists such claims);
    # whether a seat may claim it so (asked on every board, so that a wish for what a board lacks is
    # refused); whether the claim has to wait for another decision. ``claimed`` is called once the
    # route is the seat's. If it returns True, the seat has something to decide before its turn
    # ends, and the rule calls ``settling.go_on`` once that is decided.
    extra_trains: Callable[[Route], int] | None = None
    fewest_wilds: Callable[[Route], int] | None = None
    most_wilds: Callable[[Route], int | None] | None = None
    check_payment: Callable[[Route, Mapping[str, int]], None] | None = None
    pays_otherwise: Callable[[Board, Route, Mapping[str, int]], bool] | None = None
    check_claim: Callable[[State, int, Route, ClaimRoute], None] | None = None
    waits: Callable[[Draft, int, int, ClaimRoute], bool] | None = None
    claimed: Callable[[Draft, int, Route], bool | None] | None = None

    # Leaving: the cards that lie before a seat beside its hand, as colour numbers; and what else
    # is to happen right after a seat has left
    lying: Callable[[State, int], Iterable[int]] | None = None
    left: Callable[[Draft, int], None] | None = None

    # The end: links of others that connect a seat's tickets, as pairs of locations; the numbers
    # that it adds to results, each by seat, given those of the rules before it
    lends: Callable[[State, int], list[tuple[str, str]]] | None = None
    numbers: tuple[Number, ...] = ()
    scores: Callable[[State, Numbers], Numbers] | None = None

    # What is shown: members of a view, of its seats and of what only the seat itself sees
    view: tuple[Shown, ...] = ()
    seat_view: tuple[Shown, ...] = ()
    own_view: tuple[Shown, ...] = ()
    drawing: Drawing | None = None
    told: tuple[Told, ...] = ()  # columns of exports
