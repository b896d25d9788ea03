"""Declarations of a board's rules, for clients that show games without knowing the rules."""

from __future__ import annotations

from marshmallow import fields

from service.api.schemas.base import Answered, flag, text, texts

TEMPLATE = ("a template: `{member}` stands for a member, `{member noun}` for a number with its "
            "noun, and `[...]` is left out where a member in it is missing")
CHANGES = (
    "By type of event, how it changes that: `plus` adds a number, or a member of the event; "
    "`becomes` replaces it; `appends` adds a member of the event to a list; `counts` counts one "
    "more of what a member names; `lists` adds an object of members, in the order of seats.")


def _by_name(values: fields.Field, words: str, *, required: bool = True) -> fields.Dict:
    return fields.Dict(keys=fields.String(), values=values, required=required,
                       metadata={"description": words})


class DeclaredRuleSchema(Answered):
    """A rule that the board adds to the common ones."""

    number = text("Its number in the rules.")
    says = text(f"The rule in words, {TEMPLATE}; members are those of the board.")


class DeclaredEventSchema(Answered):
    """The sentence of an event, and its effects."""

    says = texts(f"Its sentence, {TEMPLATE}. The first that applies is used: one that begins with "
                 "`member? ` or `member=value? ` only if the event has that.", required=False)
    pays = flag("Whether its `cards` go from the seat's hand to the discards.", required=False)
    discards = flag("Whether its `cards` go to the discards from elsewhere.", required=False)
    decision = text("The decision that its seat has to make next.", required=False)
    jump = text("The name of such events in a replay, if one can jump by them.", required=False)


class DeclaredActionSchema(Answered):
    """The words of an action."""

    says = texts(f"Its words, {TEMPLATE}.")


class DeclaredMarkSchema(Answered):
    """A mark on the map: a member that a rule adds to routes or locations."""

    says = text(f"Its meaning, {TEMPLATE}; members are those of the route or location.",
                required=False)
    sign = text("A character to be shown on as many spaces of the route as the member says, on all "
                "where it is no number.", required=False)


class DeclaredMemberSchema(Answered):
    """How a member of a view, or of its seats, follows from the events."""

    says = text(f"Its words, {TEMPLATE}; members are those of the seat.", required=False)
    starts = fields.Raw(metadata={"description": "Its value when the game begins."})
    changes = _by_name(fields.Dict(keys=fields.String()), CHANGES, required=False)
    in_position = flag("False where the position of a fork has it otherwise.", required=False)


class DeclaredSchema(Answered):
    """Declarations of the board's rules. With them a client can show games without knowing the
    rules."""

    rules = _by_name(fields.Nested(DeclaredRuleSchema), "The rules beyond the common ones.")
    events = _by_name(fields.Nested(DeclaredEventSchema), "Events, by type.")
    actions = _by_name(fields.Nested(DeclaredActionSchema), "Actions, by type.")
    decisions = _by_name(fields.String(), "Decisions, in words that go on after \"you have to\".")
    routes = _by_name(fields.Nested(DeclaredMarkSchema), "Members of routes.")
    locations = _by_name(fields.Nested(DeclaredMarkSchema), "Members of locations.")
    view = _by_name(fields.Nested(DeclaredMemberSchema), "Members of a view.")
    seat_view = _by_name(fields.Nested(DeclaredMemberSchema), "Members of its seats.")
    colors = texts("The colours of the cards in the table's order, by which shuffles begin and "
                   "positions count; `wild` is the last. The members of `cards` have no order.")
    parts = texts("The parts of a result that add up to its total, in order.")
