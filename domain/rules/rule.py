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
from domain.codec import by_type, from_json
from domain.drawing.marks import Drawing
from domain.game.commands import COMMON as COMMON_ACTIONS
from domain.game.commands import ClaimRoute, Command
from domain.game.events import COMMON as COMMON_EVENTS
from domain.game.events import Event
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
    number, and every legal one of them."""

    answers: tuple[str, ...]
    number: str
    options: Callable[[State, int], list[Command]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Rule:
    """One idea. What it does not speak of it leaves out.

    A ``common`` rule is in force on every board, any other where a table names it.
    """

    name: str
    common: bool = False

    # Tables: its members in the table itself, in a location's and in a route's record
    table: Mapping[str, Shape] = field(default_factory=dict)
    location: Mapping[str, Shape] = field(default_factory=dict)
    route: Mapping[str, Shape] = field(default_factory=dict)
    check_route: Callable[[dict[str, Table]], None] | None = None
    is_printed: Callable[[Board], bool] | None = None  # whether the table has what it speaks of
    check: Callable[[Board], str | None] | None = None  # what keeps a board from being played
    statistics: Callable[[Board], Mapping[str, int]] | None = None

    # Play: a command's rule turns it into events, an event's change makes the next state. Several
    # rules may change something at the same event.
    decides: Mapping[type, Callable[..., None]] = field(default_factory=dict)
    evolves: Mapping[type, Callable[..., None]] = field(default_factory=dict)
    keeps: Mapping[str, Kept] = field(default_factory=dict)  # attributes of a State
    decisions: Mapping[str, Decision] = field(default_factory=dict)
    # what a turn may be spent on, and what appends every legal way to do so
    turn_actions: tuple[type[Command], ...] = ()
    add_actions: Callable[[list[Command], State, int], None] | None = None

    # Claims: whether this set of cards may pay for a route, whether a seat may claim it so (asked
    # on every board, so that a wish for what a board lacks is refused), whether the claim has to
    # wait for another decision, and what follows once the route is the seat's
    fewest_wilds: Callable[[Route], int] | None = None
    check_payment: Callable[[Route, Mapping[str, int]], None] | None = None
    check_claim: Callable[[State, int, Route, ClaimRoute], None] | None = None
    waits: Callable[[Draft, int, int, ClaimRoute], bool] | None = None
    claimed: Callable[[Draft, int], None] | None = None

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

    @property
    def events(self) -> dict[str, type[Event]]:
        """The events that only this rule knows."""
        return by_type(*(cls for cls in self.evolves if cls not in COMMON_EVENTS.values()))

    @property
    def actions(self) -> dict[str, type[Command]]:
        """The actions that only this rule knows."""
        own = (cls for cls in self.decides if issubclass(cls, Command))
        return by_type(*(cls for cls in own if cls not in COMMON_ACTIONS.values()))


class Ruleset:
    """The rules that are in force on a board, and all that there are: a history may hold events of
    any."""

    def __init__(self, known: Sequence[Rule], added: Iterable[str]):
        self.known = tuple(known)
        self.added = tuple(added)  # names of rules, in the order of the table
        self.in_force = tuple(r for r in known if r.common or r.name in self.added)
        self.decides = {cls: decide for rule in known for cls, decide in rule.decides.items()}
        self.evolves = _changes(known)
        self.events = COMMON_EVENTS | {k: v for r in known for k, v in r.events.items()}
        self.actions = COMMON_ACTIONS | {k: v for r in known for k, v in r.actions.items()}
        self.absent = {cls for r in known if r not in self.in_force for cls in r.actions.values()}
        self.decisions = {name: d for rule in known for name, d in rule.decisions.items()}
        self.kept = {name: kept for rule in known for name, kept in rule.keeps.items()}
        self.claim_checks = tuple(r.check_claim for r in known if r.check_claim)
        self.payment_checks = self._hooks("check_payment")
        self.wilds_needed = self._hooks("fewest_wilds")
        self.turn_actions = tuple(cls.type for rule in known for cls in rule.turn_actions)
        self.add_actions = self._hooks("add_actions")
        self.waits = self._hooks("waits")
        self.claimed = self._hooks("claimed")
        self.lying = self._hooks("lying")
        self.left = self._hooks("left")
        self.lends = self._hooks("lends")
        self.drawings = tuple(rule.drawing for rule in self.in_force if rule.drawing)
        self.numbers = tuple(n for rule in known for n in rule.numbers
                             if n.everywhere or rule in self.in_force)
        self.view, self.seat_view, self.own_view = (
            tuple(shown for rule in self.in_force for shown in getattr(rule, where))
            for where in ("view", "seat_view", "own_view"))

    def _hooks(self, name: str) -> tuple[Callable[..., Any], ...]:
        hooks = (getattr(rule, name) for rule in self.in_force)
        return tuple(hook for hook in hooks if hook)

    def has(self, name: str) -> bool:
        """Return whether a rule is in force."""
        return any(rule.name == name for rule in self.in_force)

    def event(self, value: dict[str, Any]) -> Event:
        """Return the event that a stored JSON object stands for; raise ValueError where it is
        none."""
        return from_json(self.events, value)

    def action(self, value: dict[str, Any]) -> Command:
        """Return the action that a JSON object stands for; raise ValueError where it is none."""
        return from_json(self.actions, value)

    def statistics(self, board: Board) -> dict[str, int]:
        """Return what a board's table holds of what rules speak of."""
        return {name: count for rule in self.known if rule.statistics
                for name, count in rule.statistics(board).items()}


def _changes(rules: Iterable[Rule]) -> dict[type, Callable[..., None]]:
    """Return the change that each event makes, that of one rule after that of the other."""
    changes: dict[type, Callable[..., None]] = {}
    for rule in rules:
        for cls, change in rule.evolves.items():
            changes[cls] = _both(changes[cls], change) if cls in changes else change
    return changes


def _both(one: Callable[..., None], other: Callable[..., None]) -> Callable[..., None]:
    def change(state: State, event: Event) -> None:
        one(state, event)
        other(state, event)

    return change
