"""The rules of a board, in the form that reading, playing, scoring and drawing need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Any

from domain.codec import Tagged, by_type
from domain.errors import Refused
from domain.secrecy import Shown


class Ruleset:
    """All additions of a board's rules, grouped by kind. The changes by events are those of all
    rules, since a history may hold any event.

    ``domain.rules.rule`` describes every kind of addition.
    """

    def __init__(self, known: Sequence[Any], added: Iterable[str]):
        self.known = tuple(known)
        self.added = tuple(added)  # names of rules, in the table's order
        # the names that a table may use
        self.names = tuple(rule.name for rule in known if not rule.common)
        self.tie_breaks = tuple(n.name for rule in known for n in rule.numbers if n.breaks_ties)
        self.in_force = tuple(r for r in known if r.common or r.name in self.added)
        self.decides = {cls: decide for rule in known for cls, decide in rule.decides.items()}
        self.evolves = _changes(known)
        self.events: dict[str, type[Any]] = by_type(*self.evolves)
        # an event's type in JSON -> the function that reads the event, and its change
        self.steps = {name: (cls.read, self.evolves[cls]) for name, cls in self.events.items()}
        self.actions = by_type(*(cls for cls in self.decides if issubclass(cls, Tagged)))
        self.absent = {cls for r in known if r not in self.in_force for cls in r.decides}
        self.decisions = {name: d for rule in known for name, d in rule.decisions.items()}
        self.kept = {name: kept for rule in known for name, kept in rule.keeps.items()}
        self.member_checks = tuple(r.check_members for r in known if r.check_members)
        self.claim_checks = self._hooks("check_claim")
        self.payment_checks = self._hooks("check_payment")
        self.other_payments = self._hooks("pays_otherwise")
        self.extra_trains = self._hooks("extra_trains")
        self.set_up = self._hooks("set_up")
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

    def declared(self, board: object) -> dict[str, Any]:
        """Return the rules' declarations for clients that do not know the rules, as JSON:
        sentences, marks of the map, decisions, and how events change members of views."""
        events = {cls.type: {name: value for name in ("says", "pays", "discards", "decision",
                                                  "jump")
                             if (value := getattr(cls, name))}
                  for rule in self.in_force for cls in rule.evolves}
        actions = {cls.type: {"says": cls.says} for rule in self.in_force for cls in rule.decides
                   if issubclass(cls, Tagged) and cls.says}
        return {
            "rules": {rule.name: {"number": rule.number, "says": rule.says}
                      for rule in self.in_force if rule.says},
            "events": {name: about for name, about in events.items() if about},
            "actions": actions,
            "decisions": {name: decision.words for rule in self.in_force
                          for name, decision in rule.decisions.items()},
            "routes": self._marks("route"),
            "locations": self._marks("location"),
            "view": _members(self.view, board),
            "seat_view": _members(self.seat_view, board),
            "parts": [number.name for number in self.numbers if number.adds],
        }

    def _marks(self, where: str) -> dict[str, dict[str, str]]:
        return {name: shown for rule in self.in_force
                for name, shape in getattr(rule, where).items() if (shown := shape.shown())}

    def statistics(self, board: object) -> dict[str, int]:
        """Return the statistics of a table that its rules add."""
        return {name: count for rule in self.known if rule.statistics
                for name, count in rule.statistics(board).items()}


def accepted(checks: Iterable[Callable[..., None]], *args: Any) -> bool:
    """Return whether none of these functions raises Refused."""
    try:
        for check in checks:
            check(*args)
    except Refused:
        return False
    return True


def _members(members: Iterable[Shown], board: object) -> dict[str, dict[str, Any]]:
    """Return the declarations of members of a view: their words, and how events change them."""
    declared = {}
    for member in members:
        about: dict[str, Any] = {"says": member.says} if member.says else {}
        if folded := member.folded:
            about |= {"starts": folded.starts(board),
                      "changes": {cls.type: change for cls, change in folded.changes.items()}}
            about |= {} if folded.in_position else {"in_position": False}
        if about:
            declared[member.name] = about
    return declared


def _changes(rules: Iterable[Any]) -> dict[type, Callable[..., None]]:
    """Return each event's change; if several rules change it, they run one after the other."""
    changes: dict[type, list[Callable[..., None]]] = {}
    for rule in rules:
        for cls, change in rule.evolves.items():
            changes.setdefault(cls, []).append(change)
    return {cls: reduce(_both, each) for cls, each in changes.items()}


def _both(first: Callable[..., None], second: Callable[..., None]) -> Callable[..., None]:
    def change(state: Any, event: Any) -> None:
        first(state, event)
        second(state, event)

    return change
