"""Schemas of actions and events, made from the domain's own classes, so that there is one list."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from types import NoneType, UnionType
from typing import ClassVar, Literal, get_args, get_origin, get_type_hints

from marshmallow import fields, validate

from domain.codec import Tagged
from domain.game.commands import ACTIONS
from domain.game.events import EVENTS
from domain.game.view import NOBODYS, OWN
from service.api.schemas.base import (
    Answered,
    Asked,
    Truth,
    Union,
    Whole,
    cards,
    kind,
    many,
    one,
    one_of,
)
from service.api.schemas.seats import (
    PlaceOfDealSchema,
    PlayerSchema,
    ResultSchema,
    TimesSchema,
)

# What the members mean, by name; where one word means two things, by type and name.
GLOSSARY = {
    "board": "The board's id.",
    "board_digest": "SHA-256 of the board's table, in hex.",
    "card": "The card's colour.",
    "draw_card.card": "The card's colour, where `from` is `row`.",
    "cards": "The cards, colour to count.",
    "claim_route.cards": "Exactly the cards to pay with, colour to count.",
    "deck_shuffled.cards": "The deck, the top first.",
    "hand_dealt.cards": "The cards dealt.",
    "tunnel_cards_discarded.cards": "The cards that had been turned.",
    "row_discarded.cards": "The cards of the row.",
    "clock": "How long seats may think.",
    "commitment": "SHA-256 of the seed, in hex.",
    "creator": "The id of the account that created the game.",
    "entropy": "What the player added to the shuffles.",
    "extra": "How many cards more.",
    "first_seat": "The seat that plays first.",
    "game_created.first_seat": "The seat that is to play first, where the creator fixed it.",
    "from": "`deck` for a card drawn unseen, `row` for a face-up one.",
    "game": "The game's id.",
    "keep_for_flag": "Whether to keep one of the cards played for a flag (rule 4.5).",
    "kept": "The tickets kept.",
    "route_claimed.kept": "The card among them that was kept for a flag.",
    "kind": "`long` for the deck of long tickets.",
    "location": "The location's id.",
    "on_timeout": "What happens to a seat that thinks too long.",
    "origin": "The id of the game forked.",
    "version": "The version that it is forked at.",
    "game_forked.cards": "Whether the undrawn cards and tickets keep their order.",
    "undrawn_shuffled.cards": "The deck, the top first.",
    "undrawn_shuffled.tickets": "The ticket deck, the top first.",
    "long_tickets": "The deck of long tickets, the top first.",
    "position": "The position, as numbers: places in the board's table.",
    "place": "The place in the face-up row, from 0.",
    "player": "Who sat down.",
    "points": "The points scored.",
    "reason": "Why.",
    "refused": "The tickets not kept.",
    "results": "Every seat's result, in the order of seats.",
    "route": "The route's id.",
    "rules_version": "The version of the rules that decide this game.",
    "seat": "The seat's number, from 0.",
    "seats": "How many seats there are.",
    "open_seats_closed.seats": "The numbers that the remaining seats had.",
    "spectators": "False where those without a seat may not watch.",
    "visibility": "Where the game is not public.",
    "final_turns_began.seats": "The seats that have one more turn, in this order.",
    "seed": "The 32 bytes that every shuffle comes from, in hex.",
    "seed_known": "Whether the creator chose the seed, and so knows it.",
    "tickets": "The tickets' ids.",
    "tournament": "The tournament that the game belongs to, if it does.",
    "tickets_shuffled.tickets": "The ticket deck, the top first.",
}
OBJECTS = {"clock": TimesSchema, "player": PlayerSchema, "results": ResultSchema,
           "tournament": PlaceOfDealSchema}


def schema_of(
    cls: type[Tagged], base: type, hidden: tuple[str, ...] = (), suffix: str = ""
) -> type:
    """Return a schema of a command or an event; hidden members may be missing, or be counted."""
    hints = get_type_hints(cls)
    members = {"type": kind(cls.type), "__doc__": cls.__doc__}
    for field, member in cls.members:
        optional = member in hidden or NoneType in get_args(hints[field])
        words = GLOSSARY.get(f"{cls.type}.{member}") or GLOSSARY[member]
        members[member] = _field(hints[field], words, OBJECTS.get(member), required=not optional)
        if member in hidden and get_origin(hints[field]) is tuple:
            members[f"{member}_count"] = fields.Integer(
                metadata={"description": f"How many `{member}`, where they are secret."})
    return type(f"{cls.__name__}{suffix}Schema", (base,), members)


def _field(hint, words: str, schema: type | None, **kwargs) -> fields.Field:
    if get_origin(hint) in (UnionType, typing.Union):
        hint = next(part for part in get_args(hint) if part is not NoneType)
    arguments, described = get_args(hint), kwargs | {"metadata": {"description": words}}
    match get_origin(hint) or hint:
        case _ if hint == Mapping[str, object] and not schema:
            return fields.Dict(keys=fields.String(), **described)
        case _ if hint is bool:
            return Truth(**described)
        case _ if hint is int:
            return Whole(validate=validate.Range(0), **described)
        case _ if hint is str:
            return fields.String(**described)
        case origin if origin is Literal:
            return one_of(arguments, words, **kwargs)
        case origin if origin is Mapping:
            return one(schema, words, **kwargs) if schema else cards(words, **kwargs)
        case origin if origin is tuple and schema:
            return many(schema, words, **kwargs)
        case origin if origin is tuple:
            item = {str: fields.String, int: fields.Integer}[arguments[0]]
            return fields.List(item(), **described)
    raise TypeError(f"no schema for {hint}")


def _hidden(kind: str) -> tuple[str, ...]:
    return OWN.get(kind, ()) + NOBODYS.get(kind, ()) + (("card",) if kind == "card_drawn" else ())


class ActionSchema(Union):
    """An action of a seat: what a view lists, to be posted unchanged."""

    members: ClassVar = {name: schema_of(cls, Asked) for name, cls in ACTIONS.items()}


class PlayedActionSchema(Union):
    """An action that was played, less what the caller may not see."""

    members: ClassVar = ActionSchema.members | {
        name: schema_of(ACTIONS[name], Answered, _hidden(name), "Seen")
        for name in ACTIONS if _hidden(name)
    }


class EventSchema(Union):
    """Something that happened, less what the caller may not see."""

    members: ClassVar = {
        name: schema_of(cls, Answered, _hidden(name)) for name, cls in EVENTS.items()
    }
