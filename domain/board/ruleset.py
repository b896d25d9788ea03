"""The rules of a board, in the form that reading, playing and scoring need."""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Any

from domain.codec import Tagged, by_type
from domain.errors import Refused


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
        self.attributes = {name: each for rule in known for name, each in rule.attributes.items()}
        self.member_checks = tuple(r.claims.check_members for r in known if r.claims.check_members)
        claims = [rule.claims for rule in self.in_force]
        self.claim_checks = _hooks(claims, "check")
        self.payment_checks = _hooks(claims, "check_payment")
        self.other_sets = _hooks(claims, "other_sets")
        self.extra_trains = _hooks(claims, "extra_trains")
        self.waits = _hooks(claims, "waits")
        self.claimed = _hooks(claims, "done")
        self.set_up = _hooks(self.in_force, "set_up")
        self.turn_actions = tuple(cls.type for rule in known for cls in rule.turn_actions)
        self.add_actions = _hooks(self.in_force, "add_actions")
        self.ways = _hooks(self.in_force, "ways")
        self.draws = _hooks(self.in_force, "draws")
        self.lying = _hooks(self.in_force, "lying")
        self.left = _hooks(self.in_force, "left")
        self.lends = _hooks(self.in_force, "lends")
        self.numbers = tuple(
            n for rule in known for n in rule.numbers if n.everywhere or rule in self.in_force
        )
        self.view, self.seat_view = (
            tuple(member for rule in self.in_force for member in getattr(rule, where))
            for where in ("view", "seat_view")
        )

    def has(self, name: str) -> bool:
        return any(rule.name == name for rule in self.in_force)


def _hooks(parts: Iterable[Any], name: str) -> tuple[Callable[..., Any], ...]:
    return tuple(hook for part in parts if (hook := getattr(part, name)))


def accepted(checks: Iterable[Callable[..., None]], *args: Any) -> bool:
    """Return whether none of these functions raises Refused."""
    try:
        for check in checks:
            check(*args)
    except Refused:
        return False
    return True


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
