"""Schemas of actions and events, made from the domain's own classes, so that there is one list."""

from __future__ import annotations

from typing import ClassVar

from marshmallow import ValidationError, fields

from domain.codec import Tagged, plain_type
from domain.entry import NOTE_BYTES, is_note
from domain.rules import ACTIONS, EVENTS
from service.accounts.names import is_shown
from service.api.schemas.base import Answered, Asked, Union, kind, one_of
from service.api.schemas.declared import answer_of, field_of
from service.api.schemas.seats import (
    PairingOfDealSchema,
    PlaceOfDealSchema,
    PlayerSchema,
    ResultSchema,
    TimesSchema,
)

OBJECTS = {"clock": TimesSchema, "player": PlayerSchema, "results": ResultSchema,
           "tournament": PlaceOfDealSchema, "pool": PairingOfDealSchema}


def schema_of(
    cls: type[Tagged], base: type, suffix: str, more: dict | None = None, *,
    redacted: bool = False,
) -> type:
    """Return a schema of a command or an event, with ``more`` fields; where it is redacted, what
    not everybody may see may be missing, or be counted. The suffix keeps names apart from those
    that generators make (of `Seat.left`, say) or reserve (`Pass`)."""
    members = {"type": kind(cls.type), "__doc__": cls.__doc__}
    for each in cls.declared:
        is_hidden = redacted and each in cls.secrets
        members[each.member] = field_of(each.type, each.words, OBJECTS.get(each.member),
                                        required=each.required and not is_hidden)
        if is_hidden and plain_type(each.type) is tuple:
            members[f"{each.member}_count"] = fields.Integer(
                metadata={"description": f"How many `{each.member}`, where they are secret."})
    return type(f"{cls.__name__}{suffix}Schema", (base,), members | (more or {}))


def check_note(value: str) -> None:
    """Refuse a note that is empty, too long, or has characters that people cannot see. (Stored
    notes may have them: histories are not checked for that.)"""
    if not is_note(value):
        raise ValidationError(f"Should have 1 to {NOTE_BYTES:,} bytes in UTF-8.")
    if not is_shown(value):
        raise ValidationError("Should have no characters that nobody can see; line breaks, tabs "
                              "and emoji are fine.")


def note() -> fields.String:
    """Return a note as it is posted."""
    words = (f"Your own words about it, 1 to {NOTE_BYTES:,} bytes in UTF-8, to be posted beside "
             "it, without characters that nobody can see (line breaks, tabs and emoji are fine); "
             "nothing that is listed or played has one.")
    return fields.String(required=False, validate=check_note, metadata={
        "description": words, "minLength": 1, "maxLength": NOTE_BYTES})


class ActionSchema(Union):
    """An action of a seat: what a view lists, to be posted unchanged, perhaps with a `note`."""

    members: ClassVar = {name: schema_of(cls, Asked, "Action", {"note": note()})
                         for name, cls in ACTIONS.items()}


ActionGroupSchema = answer_of(
    "ActionGroup",
    "Legal actions that are alike: each member but `type` lists what it may be. Every combination "
    "is an action to be posted: two routes and three sets of cards make six.",
    {
        "type": one_of(ACTIONS, "The type of all of them."),
        **{each.member: fields.List(field_of(each.type, each.words),
                                    metadata={"description": f"One of these. {each.words}"})
           for cls in ACTIONS.values() for each in cls.declared},
    })


class PlayedActionSchema(Union):
    """An action that was played, less what the caller may not see."""

    members: ClassVar = ActionSchema.members | {
        name: schema_of(cls, Answered, "SeenAction", redacted=True)
        for name, cls in ACTIONS.items() if cls.secrets
    }


class EventSchema(Union):
    """Something that happened, less what the caller may not see."""

    members: ClassVar = {
        name: schema_of(cls, Answered, "Event", redacted=True) for name, cls in EVENTS.items()
    }
