"""Schemas of actions and events, made from the domain's classes, so that there is one list of them.
"""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import Schema, ValidationError, fields

from domain.codec import Tagged, plain_type
from domain.entry import NOTE_BYTES, is_note
from domain.rules import ACTIONS, EVENTS
from service.api.schemas.base import Answered, Asked, Union, kind, one_of
from service.api.schemas.declared import answer_of, field_of
from service.api.schemas.seats import (
    ClockTimesSchema,
    PairingOfDealSchema,
    PlaceOfDealSchema,
    PlayerSchema,
    ResultSchema,
)
from service.api.texts import TEXT, is_shown

OBJECTS: dict[str, type[Schema]] = {
    "clock": ClockTimesSchema, "player": PlayerSchema, "results": ResultSchema,
    "tournament": PlaceOfDealSchema, "pool": PairingOfDealSchema}


def schema_of(
    cls: type[Tagged], base: type, suffix: str, more: dict | None = None, *,
    redacted: bool = False,
) -> type:
    """Return the schema of an action or event, with ``more`` fields. If ``redacted``, secret
    members are optional, and lists get a member with their length. The suffix avoids names that
    generators produce (for `Seat.left`, say) or reserve (`Pass`)."""
    members: dict[str, Any] = {"type": kind(cls.type), "__doc__": cls.__doc__}
    for each in cls.declared:
        is_hidden = redacted and each in cls.secrets
        members[each.member] = field_of(each.type, each.words, OBJECTS.get(each.member),
                                        required=each.required and not is_hidden)
        if is_hidden and plain_type(each.type) is tuple:
            members[f"{each.member}_count"] = fields.Integer(
                metadata={"description": f"The number of `{each.member}`, if they are secret."})
    return type(f"{cls.__name__}{suffix}Schema", (base,), members | (more or {}))


def check_note(value: str) -> None:
    """Reject a note that is empty, longer than ``NOTE_BYTES`` bytes, or has characters that people
    cannot see. Stored notes may have such characters: histories are not checked for them."""
    if not is_note(value):
        raise ValidationError(f"Should have 1 to {NOTE_BYTES:,} bytes in UTF-8.")
    if not is_shown(value):
        raise ValidationError("Should have no characters that nobody can see; line breaks, tabs "
                              "and emoji are fine.")


def note() -> fields.String:
    """Return the field for a posted note."""
    words = (f"A note of your own about the action, 1 to {NOTE_BYTES:,} bytes of UTF-8, without "
             "invisible characters (line breaks, tabs and emoji are fine). Post it with the "
             "action; listed actions have none.")
    return fields.String(required=False, validate=check_note, metadata={
        "description": words, "minLength": 1, "maxLength": NOTE_BYTES, "pattern": TEXT})


class ActionSchema(Union):
    """An action of a seat, as listed in a view. Post it unchanged; you may add a `note`."""

    members: ClassVar = {name: schema_of(cls, Asked, "Action", {"note": note()})
                         for name, cls in ACTIONS.items()}


ActionGroupSchema = answer_of(
    "ActionGroup",
    "A group of similar legal actions: each member except `type` lists its possible values. Every "
    "combination is a legal action: two routes and three sets of cards make six.",
    {
        "type": one_of(ACTIONS, "The type of all of them."),
        **{each.member: fields.List(field_of(each.type, each.words),
                                    metadata={"description": f"Choose one value. {each.words}"})
           for cls in ACTIONS.values() for each in cls.declared},
    })


class PlayedActionSchema(Union):
    """A played action, without what the caller may not see."""

    members: ClassVar = ActionSchema.members | {
        name: schema_of(cls, Answered, "SeenAction", redacted=True)
        for name, cls in ACTIONS.items() if cls.secrets
    }


class EventSchema(Union):
    """Something that happened in the game, without what the caller may not see."""

    members: ClassVar = {
        name: schema_of(cls, Answered, "Event", redacted=True) for name, cls in EVENTS.items()
    }
