"""The rules, one module per idea: each declares all that it adds, and is listed here, nowhere else.

The order is that of the legal actions of a turn, of the parts of a result and of the marks of a
picture (``domain/shown/``). A board has the common rules and those that its table names.
"""

from collections.abc import Callable, Collection, Iterable
from functools import cache, partial
from operator import attrgetter

from domain.board import reading, served
from domain.board.parts import Location, Route, Ticket
from domain.board.ruleset import Ruleset
from domain.codec import Json, from_json
from domain.game import view
from domain.game.commands import Command
from domain.game.events import Event
from domain.game.scoring import ResultJson, SeatRow
from domain.game.state import State
from domain.rules import (
    claiming,
    deck,
    districts,
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
    taking,
    tickets,
    tunnels,
)
from domain.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    lobby.RULE,
    forking.RULE,
    setup.RULE,
    deck.RULE,
    settling.RULE,
    tickets.RULE,
    claiming.RULE,
    longest_path.RULE,
    stations.RULE,
    tunnels.RULE,
    taking.RULE,  # after the rules that return cards to a hand
    ferries.RULE,
    districts.RULE,
    flags.RULE,
    globetrotter.RULE,
    ending.RULE,
    leaving.RULE,
)

DECLARED: dict[str, Collection[object]] = {  # by rules, by name -> names that the game itself has
    **dict.fromkeys(("name", "decides", "decisions"), ()),
    "table.members": reading.MEMBERS.union(served.BoardJson.__annotations__),
    "table.location": {*Location.__dataclass_fields__, *served.Location.__annotations__},
    "table.route": {*Route.__dataclass_fields__, *served.Route.__annotations__},
    "table.ticket": {*Ticket.__dataclass_fields__, *served.Ticket.__annotations__},
    "attributes": {*State.__dataclass_fields__, *dir(State)},
    "numbers": {"game", *ResultJson.__annotations__, *SeatRow.__annotations__},
    "view": view.NAMES,
    "seat_view": view.SEAT_NAMES,
}


def ruleset(added: Iterable[str] = (), rules: Iterable[Rule] = RULES) -> Ruleset:
    """Return the ruleset of the common rules and those in ``added``. Boards that add the same rules
    share one object. ``rules`` are all rules that a table may name, by default those of this
    folder."""
    return _ruleset(tuple(rules), tuple(added))


@cache
def _ruleset(rules: tuple[Rule, ...], added: tuple[str, ...]) -> Ruleset:
    _check(rules)
    return Ruleset(rules, added)


@cache
def _check(rules: tuple[Rule, ...]) -> None:
    for kind, own in DECLARED.items():
        check_names(kind, own, rules)


def check_names(kind: str, own: Iterable[object], rules: Iterable[Rule] = RULES) -> None:
    """Raise TypeError if two rules, or a rule and the game itself, declare the same name of a kind
    (``DECLARED``); ``own`` are names that the game itself has."""
    owners = dict.fromkeys(own, "the game itself")
    for rule in rules:
        for each in [rule] if kind == "name" else attrgetter(kind)(rule):
            name = each if isinstance(each, str | type) else each.name
            if other := owners.get(name):
                raise TypeError(
                    f"{other} and the rule {rule.name} both declare "
                    f"{getattr(name, '__name__', name)} ({kind})"
                )
            owners[name] = f"the rule {rule.name}"


ALL = ruleset(rule.name for rule in RULES)
EVENTS: dict[str, type[Event]] = ALL.events
ACTIONS: dict[str, type[Command]] = ALL.actions
EVOLVES, DECIDES = ALL.evolves, ALL.decides
PARTS = tuple(n.name for rule in RULES for n in rule.numbers if n.adds)  # parts of a total

# parse an event, or an action, from a JSON object; raise ValueError if it is none
event_from_json: Callable[[Json], Event] = partial(from_json, EVENTS)
action_from_json: Callable[[Json], Command] = partial(from_json, ACTIONS)
