"""The rules, one module per idea: each declares all that it adds, and is listed here, nowhere else.

The order is that of the legal actions of a turn, of the parts of a result and of the marks of a
picture. A board has the common rules and those that its table names.
"""

from __future__ import annotations

from collections.abc import Iterable

from domain.rules import (
    claiming,
    districts,
    drawing,
    ending,
    ferries,
    flags,
    forking,
    globetrotter,
    leaving,
    lobby,
    longest_path,
    settling,
    setup,
    stations,
    tickets,
    tunnels,
)
from domain.rules.rule import Rule, Ruleset

RULES: tuple[Rule, ...] = (
    lobby.RULE,
    forking.RULE,
    setup.RULE,
    drawing.RULE,
    settling.RULE,
    tickets.RULE,
    claiming.RULE,
    longest_path.RULE,
    tunnels.RULE,
    ferries.RULE,
    stations.RULE,
    districts.RULE,
    flags.RULE,
    globetrotter.RULE,
    ending.RULE,
    leaving.RULE,
)


def ruleset(added: Iterable[str] = ()) -> Ruleset:
    """Return the rules with those in force that a table adds to the common ones."""
    return Ruleset(RULES, added)


ALL = ruleset(rule.name for rule in RULES)
EVENTS, ACTIONS = ALL.events, ALL.actions
event_from_json, action_from_json = ALL.event, ALL.action
EVOLVES, DECIDES = ALL.evolves, ALL.decides
BY_NAME = tuple(rule.name for rule in RULES if not rule.common)  # what a table may name
PARTS = tuple(n.name for rule in RULES for n in rule.numbers if n.adds)  # of a total
TIE_BREAKS = tuple(n.name for rule in RULES for n in rule.numbers if n.breaks_ties)
