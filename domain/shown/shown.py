"""The type Shown: the words, signs, drawings and columns of a rule."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from domain.board.board import Board
from domain.board.ruleset import Ruleset
from domain.codec import Json
from domain.drawing.marks import Drawing
from domain.game.commands import Command
from domain.game.events import Event
from domain.rules.rule import Rule

Templates = str | tuple[str, ...]  # the first that applies is used (``domain.sentences``)


@dataclass(frozen=True, kw_only=True)
class Sign:
    """How the page shows a mark of routes, locations or tickets: its text, a template over the
    record, and a character on a route's spaces: on as many as the mark's value says, on all if that
    is no number."""

    says: str = ""
    sign: str = ""


@dataclass(frozen=True)
class Exported:
    """A column that a rule adds to exports: its name, type and description, and its value for the
    events of an entry (JSON objects), None if it has none."""

    name: str
    type: type
    words: str
    value: Callable[[Sequence[Json]], object]


@dataclass(frozen=True, kw_only=True)
class Shown:
    """How a rule is shown. It sets only the fields that it needs. Making one is enough for boards
    with the rule to show it."""

    rule: Rule
    # for readers of a board, if a table names the rule: its number in docs/rules.md, and its
    # description, a template over the served board
    number: str = ""
    says: str = ""
    # the sentences of events, and of actions for clients that offer them without knowing the rule;
    # an event without a sentence is not told
    events: Mapping[type[Event], Templates] = field(default_factory=dict)
    actions: Mapping[type[Command], Templates] = field(default_factory=dict)
    jumps: Mapping[type[Event], str] = field(default_factory=dict)  # the names of events to jump to
    seats: Mapping[str, str] = field(default_factory=dict)  # the texts of members of a seat's view
    routes: Mapping[str, Sign] = field(default_factory=dict)  # by the name of the mark
    locations: Mapping[str, Sign] = field(default_factory=dict)
    tickets: Mapping[str, Sign] = field(default_factory=dict)
    statistics: Callable[[Board], Mapping[str, int]] | None = None  # of a board
    drawing: Drawing | None = None  # on pictures
    exported: tuple[Exported, ...] = ()

    def __post_init__(self) -> None:
        SHOWN[self.rule] = self


SHOWN: dict[Rule, Shown] = {}


def shown_of(rules: Iterable[Rule]) -> tuple[Shown, ...]:
    """Return how these rules are shown, in their order, those that show nothing left out."""
    return tuple(SHOWN[rule] for rule in rules if rule in SHOWN)


class Showing:
    """How a board's rules are shown."""

    def __init__(self, rules: Ruleset):
        self._rules, self._in_force = rules, shown_of(rules.in_force)
        self.drawings = tuple(shown.drawing for shown in self._in_force if shown.drawing)

    def declared(self, board: Board) -> Json:
        """Return the rules' declarations for clients that do not know the rules, as JSON:
        sentences, marks of the map, and decisions."""
        rules = self._rules
        texts = {name: says for shown in self._in_force for name, says in shown.seats.items()}
        return {
            "rules": {
                shown.rule.name: {"number": shown.number, "says": shown.says}
                for shown in self._in_force
                if shown.says
            },
            "events": self._events(),
            "actions": {
                cls.type: {"says": _listed(says)}
                for shown in self._in_force
                for cls, says in shown.actions.items()
            },
            "decisions": {
                name: decision.words
                for rule in rules.in_force
                for name, decision in rule.decisions.items()
            },
            "routes": self._signs("routes"),
            "locations": self._signs("locations"),
            "view": {member.name: {} for member in rules.view},
            "seat_view": {
                member.name: {"says": texts[member.name]} if member.name in texts else {}
                for member in rules.seat_view
            },
            **({"tickets": signs} if (signs := self._signs("tickets")) else {}),
            "parts": [number.name for number in rules.numbers if number.adds],
        }

    def statistics(self, board: Board) -> dict[str, int]:
        """Return the statistics of a table that the rules add, those not in force included."""
        return {
            name: count
            for shown in shown_of(self._rules.known)
            if shown.statistics
            for name, count in shown.statistics(board).items()
        }

    def _events(self) -> dict[str, Json]:
        events: dict[str, Json] = {}
        says = {
            cls: _listed(says) for shown in self._in_force for cls, says in shown.events.items()
        }
        jumps = {cls: name for shown in self._in_force for cls, name in shown.jumps.items()}
        for cls in (cls for rule in self._rules.in_force for cls in rule.evolves):
            about = {"says": says.get(cls), "jump": jumps.get(cls)}
            if about := {name: value for name, value in about.items() if value}:
                events[cls.type] = about
        return events

    def _signs(self, where: str) -> dict[str, dict[str, str]]:
        return {
            name: {kind: text for kind, text in vars(sign).items() if text}
            for shown in self._in_force
            for name, sign in getattr(shown, where).items()
        }


def _listed(says: Templates) -> tuple[str, ...]:
    return (says,) if isinstance(says, str) else says
