"""Schemas of actions, made from the domain's classes, so that there is one list of them."""

from __future__ import annotations

from types import NoneType
from typing import Any, ClassVar, get_args

from marshmallow import ValidationError, fields

from domain.codec import Tagged, plain_type
from domain.entry import NOTE_BYTES, is_note
from domain.rules import ACTIONS
from service.http.schemas.base import Asked, Truth, Union, cards, kind, one_of, text, whole
from service.http.texts import TEXT, is_shown


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


def schema_of(cls: type[Tagged]) -> type[Asked]:
    """Return the schema of an action. Its name avoids those that generators produce or reserve,
    such as `Pass`."""
    members: dict[str, Any] = {
        each.member: _field_of(each.type, each.words, each.required) for each in cls.declared}
    return type(f"{cls.__name__}ActionSchema", (Asked,), {
        "type": kind(cls.type), "__doc__": cls.__doc__, **members, "note": note()})


def _field_of(hint: Any, words: str, required: bool) -> fields.Field:
    """Return the field for a type."""
    hint = next((part for part in get_args(hint) if get_args(part) or part is not NoneType), hint
                ) if NoneType in get_args(hint) else hint
    plain = plain_type(hint)
    if plain is dict:
        return cards(words, required=required)
    if plain is tuple:
        return fields.List(fields.String(), required=required, metadata={"description": words})
    if plain is bool:
        return Truth(required=required, metadata={"description": words})
    if plain is int:
        return whole(words, required=required)
    choices = get_args(hint)
    return one_of(choices, words, required=required) if choices else text(words, required=required)


class ActionSchema(Union):
    """An action of a seat, as listed in a view. Post it unchanged; you may add a `note`."""

    members: ClassVar = {name: schema_of(cls) for name, cls in ACTIONS.items()}
