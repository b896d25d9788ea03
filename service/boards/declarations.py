"""Declarations of a board's rules, for clients that show games without knowing the rules."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

from domain.changes import Change

TEMPLATE = ("a template: `{member}` stands for a member, `{member noun}` for a number with its "
            "noun, and `[...]` is left out where a member in it is missing")


class DeclaredRule(TypedDict):
    """A rule that the board adds to the common ones."""

    number: Annotated[str, "Its number in the rules."]
    says: Annotated[str, f"The rule in words, {TEMPLATE}; members are those of the board."]


class DeclaredEvent(TypedDict):
    """The sentence of an event, and its effects."""

    says: NotRequired[Annotated[
        list[str], f"Its sentence, {TEMPLATE}. The first that applies is used: one that begins "
        "with `member? ` or `member=value? ` only if the event has that."]]
    pays: NotRequired[Annotated[
        bool, "Whether its `cards` go from the seat's hand to the discards."]]
    discards: NotRequired[Annotated[bool, "Whether its `cards` go to the discards from elsewhere."]]
    decision: NotRequired[Annotated[str, "The decision that its seat has to make next."]]
    jump: NotRequired[Annotated[
        str, "The name of such events in a replay, if one can jump by them."]]


class DeclaredAction(TypedDict):
    """The words of an action."""

    says: Annotated[list[str], f"Its words, {TEMPLATE}."]


class DeclaredMark(TypedDict):
    """A mark on the map: a member that a rule adds to routes or locations."""

    says: NotRequired[Annotated[
        str, f"Its meaning, {TEMPLATE}; members are those of the route or location."]]
    sign: NotRequired[Annotated[
        str, "A character to be shown on as many spaces of the route as the member says, on all "
        "where it is no number."]]


class DeclaredMember(TypedDict):
    """How a member of a view, or of its seats, follows from the events."""

    says: NotRequired[Annotated[
        str, f"Its words, {TEMPLATE}; members are those of the seat."]]
    starts: NotRequired[Annotated[Any, "Its value when the game begins."]]
    changes: NotRequired[Annotated[
        dict[str, Change], {"additionalProperties": {"type": "object", "additionalProperties": {}}},
        "By type of event, how it changes that: `plus` adds a number, or a member of the event; "
        "`becomes` replaces it; `appends` adds a member of the event to a list; `counts` counts "
        "one more of what a member names; `lists` adds an object of members, in the order of "
        "seats."]]
    in_position: NotRequired[Annotated[
        bool, "False where the position of a fork has it otherwise."]]


class Declared(TypedDict):
    """Declarations of the board's rules. With them a client can show games without knowing the
    rules."""

    rules: Annotated[dict[str, DeclaredRule], "The rules beyond the common ones."]
    events: Annotated[dict[str, DeclaredEvent], "Events, by type."]
    actions: Annotated[dict[str, DeclaredAction], "Actions, by type."]
    decisions: Annotated[dict[str, str], "Decisions, in words that go on after \"you have to\"."]
    routes: Annotated[dict[str, DeclaredMark], "Members of routes."]
    locations: Annotated[dict[str, DeclaredMark], "Members of locations."]
    view: Annotated[dict[str, DeclaredMember], "Members of a view."]
    seat_view: Annotated[dict[str, DeclaredMember], "Members of its seats."]
    colors: Annotated[
        list[str], "The colours of the cards in the table's order, by which shuffles begin and "
        "positions count; `wild` is the last. The members of `cards` have no order."]
    parts: Annotated[list[str], "The parts of a result that add up to its total, in order."]
