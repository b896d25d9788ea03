"""The rules of a board, as whatever reads tables, plays, scores, shows or draws asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from domain.codec import Tagged, by_type


class Ruleset:
    """What the rules that are in force on a board add to it, each kind of thing together; and what
    all that there are do at events, since a history may hold those of any.

    The rules are of ``domain.rules.rule``, where it is said what everything is.
    """

    def __init__(self, known: Sequence[Any], added: Iterable[str]):
        self.known = tuple(known)
        self.added = tuple(added)  # names of rules, in the order of the table
        self.in_force = tuple(r for r in known if r.common or r.name in self.added)
        self.decides = {cls: decide for rule in known for cls, decide in rule.decides.items()}
        self.evolves = _changes(known)
        self.events: dict[str, type[Any]] = by_type(*self.evolves)
        self.actions = by_type(*(cls for cls in self.decides if issubclass(cls, Tagged)))
        self.absent = {cls for r in known if r not in self.in_force for cls in r.decides}
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

    def statistics(self, board: object) -> dict[str, int]:
        """Return what a board's table holds of what rules speak of."""
        return {name: count for rule in self.known if rule.statistics
                for name, count in rule.statistics(board).items()}


def _changes(rules: Iterable[Any]) -> dict[type, Callable[..., None]]:
    """Return the change that each event makes, that of one rule after that of the other."""
    changes: dict[type, list[Callable[..., None]]] = {}
    for rule in rules:
        for cls, change in rule.evolves.items():
            changes.setdefault(cls, []).append(change)
    return {cls: each[0] if len(each) == 1 else _all(each) for cls, each in changes.items()}


def _all(changes: Sequence[Callable[..., None]]) -> Callable[..., None]:
    def change(state: Any, event: Any) -> None:
        for each in changes:
            each(state, event)

    return change
