"""Schemas of actions and events, made from the domain's own classes, so that there is one list."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Literal, get_args, get_origin, get_type_hints

from marshmallow import fields, validate

from domain.codec import Tagged
from domain.commands import ACTIONS
from domain.events import EVENTS
from domain.view import NOBODYS, OWN
from service.api.schemas.base import Answered, Asked, Union, kind

GLOSSARY = {
    "action": "What was decided.",
    "board": "The board's id.",
    "board_digest": "SHA-256 of the board's table.",
    "card": "The card's colour; the joker is `wild`.",
    "cards": "Cards by colour, or in order; the joker is `wild`.",
    "commitment": "SHA-256 of the seed, in hex.",
    "creator": "The account that created the game.",
    "entropy": "What the player added to the shuffles.",
    "first_seat": "The seat that plays first.",
    "from": "`deck` for a blind draw, `row` for a face-up card.",
    "game": "The game's id.",
    "kept": "Tickets kept.",
    "place": "The place in the face-up row, from 0.",
    "player": "Who sits there: `id`, `name`, and `bot` for a built-in bot.",
    "points": "Points scored.",
    "reason": "Why.",
    "refused": "Tickets not kept.",
    "results": "Every seat's result, in seat order.",
    "route": "The route's id: `a--b`, or `a--b--2` for the second track of a double route.",
    "rules_version": "The version of the rules that decide this game.",
    "seat": "The seat's number, from 0 in the order of play.",
    "seats": "Seats: how many, or which, in order.",
    "seed": "The 32 bytes that every shuffle comes from, in hex.",
    "seed_known": "Whether the creator chose the seed, and so knows it.",
    "tickets": "Ids of tickets, in order.",
}


def _field(hint, required: bool, description: str) -> fields.Field:
    metadata = {"description": description}
    if get_origin(hint) is UnionType:
        hint = next(part for part in get_args(hint) if part is not NoneType)
    arguments = get_args(hint)
    match get_origin(hint) or hint:
        case _ if hint is bool:
            return fields.Boolean(required=required, metadata=metadata)
        case _ if hint is int:
            return fields.Integer(required=required, strict=True, metadata=metadata)
        case _ if hint is str:
            return fields.String(required=required, metadata=metadata)
        case origin if origin is Literal:
            return fields.String(required=required, validate=validate.OneOf(arguments),
                                 metadata=metadata)
        case origin if origin is Mapping:
            count = fields.Integer(strict=True, validate=validate.Range(1, 99))
            values = {str: fields.String(), int: count}[arguments[1]]
            return fields.Dict(keys=fields.String(), values=values, required=required,
                               metadata=metadata)
        case origin if origin is tuple:
            return fields.List(_item(arguments[0]), required=required, metadata=metadata)
    raise TypeError(f"no schema for {hint}")


def _item(hint) -> fields.Field:
    if get_origin(hint) is Mapping:
        return fields.Dict(keys=fields.String(), values=fields.Integer(strict=True))
    return {str: fields.String, int: fields.Integer}[hint]()


def schema_of(cls: type[Tagged], base: type, hidden: tuple[str, ...] = (), suffix: str = "") -> type:
    """Return a schema of a command or an event; hidden members may be missing, or be counted."""
    hints = get_type_hints(cls)
    members = {"type": kind(cls.type), "__doc__": cls.__doc__}
    for field, member in cls.members:
        optional = member in hidden or NoneType in get_args(hints[field])
        made = _field(hints[field], not optional, GLOSSARY[member])
        made.data_key = member
        members[field] = made
        if member in hidden and get_origin(hints[field]) is tuple:
            members[f"{field}_count"] = fields.Integer(
                metadata={"description": f"How many `{member}`, where they are secret."}
            )
    return type(f"{cls.__name__}{suffix}Schema", (base,), members)


def _hidden(kind: str) -> tuple[str, ...]:
    return OWN.get(kind, ()) + NOBODYS.get(kind, ()) + (("card",) if kind == "card_drawn" else ())


class ActionSchema(Union):
    """An action of a seat: what a view lists, to be posted unchanged."""

    members = {name: schema_of(cls, Asked) for name, cls in ACTIONS.items()}


class PlayedActionSchema(Union):
    """An action that was played, less what the caller may not see."""

    members = ActionSchema.members | {
        name: schema_of(ACTIONS[name], Answered, _hidden(name), "Seen")
        for name in ACTIONS if _hidden(name)
    }


class EventSchema(Union):
    """Something that happened, less what the caller may not see."""

    members = {name: schema_of(cls, Answered, _hidden(name)) for name, cls in EVENTS.items()}
