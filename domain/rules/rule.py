"""The type Rule: it declares in one place everything that one idea of the rulebooks adds to play.

A module of this folder declares a ``Rule``; ``domain/rules/__init__.py`` lists them. Code that
reads tables, lists legal actions, scores or shows calls the rules that are in force on a board. It
names no rule. The words, marks and columns of a rule are in ``domain/shown/``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from domain.board.board import Board
from domain.board.parts import Route, Ticket, Way
from domain.board.shapes import Shape
from domain.board.table import Table
from domain.game.commands import ClaimRoute, Command
from domain.game.state import Draft, State
from domain.secrecy import Member

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
class Attribute:
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


@dataclass(frozen=True, kw_only=True)
class InTable:
    """A rule's members in the tables of boards, its checks of tables, and bounds of its work."""

    # members that it adds to the table, and to the records of locations, routes and tickets
    members: Mapping[str, Shape] = field(default_factory=dict)
    location: Mapping[str, Shape] = field(default_factory=dict)
    route: Mapping[str, Shape] = field(default_factory=dict)
    ticket: Mapping[str, Shape] = field(default_factory=dict)
    check_route: Callable[[dict[str, Table]], None] | None = None
    is_printed: Callable[[Board], bool] | None = None  # whether a board has any, e.g. ferries
    check: Callable[[Board], str | None] | None = None  # why a board cannot be played
    # how many actions it adds to a turn at most, and how many choices it compares at the end
    # (``reading.too_much``)
    listed: Callable[[Board], int] | None = None
    compared: Callable[[Board], int] | None = None


@dataclass(frozen=True, kw_only=True)
class Claims:
    """A rule's changes of claims. Legal actions leave out those that ``check_payment`` or ``check``
    refuses. None of these changes the points of a route: a rule that gives or takes points for one
    emits an event of its own from ``done`` (docs/boards.md)."""

    # how many trains a route takes beyond its length, negative if it takes fewer
    extra_trains: Callable[[Route], int] | None = None
    # whether this set of one colour and wilds may pay for a route
    check_payment: Callable[[Route, Mapping[str, int]], None] | None = None
    # other sets that pay for a route, of which ``check_payment`` is not asked. In a set, ``any``
    # stands for so many cards of any colours. A set that comes twice, or pays anyway, is listed
    # once. On a tunnel each colour laid asks for more, and pays it (``tunnels``).
    other_sets: Callable[[Board, Route], Iterable[Mapping[str, int]]] | None = None
    # whether a seat may claim it so; the claim has the cards that are paid, never ``any``
    check: Callable[[State, int, Route, ClaimRoute], None] | None = None
    # whether the members that the rule adds to a claim are right; called on every board, as a board
    # without the rule must refuse them
    check_members: Callable[[State, int, Route, ClaimRoute], None] | None = None
    # whether the claim has to wait for another decision
    waits: Callable[[Draft, int, int, ClaimRoute], bool] | None = None
    # called once the route is the seat's. If it returns True, the seat has something to decide
    # before its turn ends, and the rule calls ``settling.go_on`` once that is decided.
    done: Callable[[Draft, int, Route], bool | None] | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Rule:
    """One idea of the rulebooks, as it is played. A rule sets only the fields that it needs.

    A ``common`` rule is in force on every board, any other where a table names it.
    """

    name: str
    common: bool = False
    table: InTable = InTable()
    claims: Claims = Claims()

    # Set-up: called after every seat was dealt its tickets (not in a fork, whose position already
    # includes it).
    set_up: Callable[[Draft], None] | None = None

    # Play: a command's rule turns it into events, an event's change makes the next state. Several
    # rules may change something at the same event.
    decides: Mapping[type, Callable[..., None]] = field(default_factory=dict)
    evolves: Mapping[type, Callable[..., None]] = field(default_factory=dict)
    attributes: Mapping[str, Attribute] = field(default_factory=dict)  # of a State
    decisions: Mapping[str, Decision] = field(default_factory=dict)
    # The actions that it adds to a turn, and the function that appends every legal one.
    turn_actions: tuple[type[Command], ...] = ()
    add_actions: Callable[[list[Command], State, int], None] | None = None

    # Tickets: other ways to complete one. It scores the best that is connected, or loses the least.
    ways: Callable[[Board, Ticket], Iterable[Way]] | None = None

    # Drawing: how many of a turn's two draws a face-up card takes, by colour; other colours take 1.
    draws: Callable[[Board], Mapping[str, int]] | None = None

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

    # Views: members that it adds to a view, and to its seats.
    view: tuple[Member, ...] = ()
    seat_view: tuple[Member, ...] = ()
