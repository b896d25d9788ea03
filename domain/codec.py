"""Plain values to JSON members and back: the one convention that commands and events share.

A value's ``type`` is its class's name in snake case. A member that is None is left out. Python
keeps the word ``from`` for itself, so the field is called ``from_`` and its member ``from``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from functools import cache
from types import MemberDescriptorType, NoneType, UnionType
from typing import (
    Any,
    ClassVar,
    Literal,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from domain.secrecy import Declared, declared

TAGGED: dict[str, type[Tagged]] = {}  # every class whose fields declare their visibility
T = TypeVar("T", bound="Tagged")
Json = dict[str, Any]  # a JSON object


def type_name(cls: type) -> str:
    """Return the ``type`` of this class's values: ``CardDrawn`` -> ``card_drawn``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


class Tagged:
    """A base for dataclasses that are written as JSON objects with a ``type`` member."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    type: ClassVar[str]
    members: ClassVar[tuple[tuple[str, str], ...]]  # (field, JSON member)
    required: ClassVar[frozenset[str]]  # required JSON members
    defaults: ClassVar[Mapping[str, Any]]  # the others' values if they are left out
    # returns the value of a JSON object of this type; raises LookupError if the object lacks a
    # member or has one too many
    read: ClassVar[Callable[[Json], Any]]
    declared: ClassVar[tuple[Declared, ...]]  # the declaration of each field
    secrets: ClassVar[tuple[Declared, ...]]  # those that are not public

    def as_json(self) -> Json:
        """Return the value as a new JSON object; tuples stay tuples (they are written as lists)."""
        out: Json = {"type": self.type}
        for field, member in self.members:
            value = getattr(self, field)
            if value is not None:
                out[member] = value
        return out


@dataclass_transform(frozen_default=True)
def tagged(cls: type[T]) -> type[T]:
    """Make a class a frozen dataclass that is written as JSON.

    Raise TypeError for a field without declared visibility, and for a second class of the same
    type: one would hide fields that the other shows.
    """
    has_slots = all("__slots__" in base.__dict__ for base in cls.__mro__[1:-1])
    made = dataclass(frozen=True, slots=has_slots)(cls)
    made.type = type_name(made)
    made.members = tuple((f.name, f.name.rstrip("_")) for f in fields(made))
    made.defaults = {
        f.name.rstrip("_"): f.default for f in fields(made) if f.default is not MISSING
    }
    made.required = frozenset(member for _, member in made.members) - made.defaults.keys()
    made.read = staticmethod(_reader(made))
    hints = get_type_hints(made, include_extras=True)
    made.declared = tuple(
        _declared(made, field, member, hints[field]) for field, member in made.members
    )
    made.secrets = tuple(each for each in made.declared if each.seen_by.who != "everybody")
    other = TAGGED.setdefault(made.type, made)
    if other is not made:
        raise TypeError(f"{made.__name__} has the type {made.type!r}, as {other.__name__} has")
    return made


def _reader(cls: type[T]) -> Callable[[Json], T]:
    """Return the function ``cls.read``.

    It is compiled for the class, as ``dataclass`` compiles ``__init__``: a loop over the members
    takes longer, and so does the ``__init__`` of a frozen dataclass."""
    names: dict[str, Any] = {"new": object.__new__, "cls": cls}
    lines = [
        "def read(value):",
        "    made = new(cls)",
        f"    unread = len(value) - {len(cls.required) + 1}",
    ]  # with the member ``type``
    for field, member in cls.members:
        names[f"set_{field}"] = _setter(cls, field)
        reading = [
            f"given = value[{member!r}]",
            f"set_{field}(made, tuple(given) if type(given) is list else given)",
        ]
        if member in cls.required:
            lines += [f"    {line}" for line in reading]
        else:
            names[f"default_{field}"] = cls.defaults[member]
            lines += [
                f"    if {member!r} in value:",
                "        unread -= 1",
                *[f"        {line}" for line in reading],
                "    else:",
                f"        set_{field}(made, default_{field})",
            ]
    lines += ["    if unread:", "        raise LookupError", "    return made"]
    exec("\n".join(lines), names)
    read: Callable[[Json], T] = names["read"]
    return read


def _setter(cls: type[Tagged], field: str) -> Callable[[Any, Any], None]:
    slot = cls.__dict__.get(field)
    if isinstance(slot, MemberDescriptorType):
        return slot.__set__
    return lambda value, given: object.__setattr__(value, field, given)


def _declared(cls: type[Tagged], field: str, member: str, hint: object) -> Declared:
    kind, seen_by, words = declared(hint)
    if seen_by is None:
        raise TypeError(
            f"{cls.__name__}.{field} does not declare who may see it (domain/secrecy.py)"
        )
    return Declared(
        field, member, kind, seen_by, words or WORDS.get(member, ""), member in cls.required
    )


@cache
def plain_type(hint: Any) -> Any:
    """Return a hint's JSON type, None aside: dict for mappings, tuple for lists, str for words."""
    if get_origin(hint) in (UnionType, Union):
        hint = next(part for part in get_args(hint) if part is not NoneType)
    origin = get_origin(hint) or (dict if is_typeddict(hint) else hint)
    return {Mapping: dict, list: tuple, Literal: str}.get(origin, origin)


def by_type(*classes: type[T]) -> dict[str, type[T]]:
    return {cls.type: cls for cls in classes}


def from_json(classes: Mapping[str, type[T]], value: Json) -> T:
    """Return the value of a JSON object; raise ValueError if it is invalid."""
    try:
        made: T = classes[value["type"]].read(value)
    except (LookupError, TypeError):
        raise ValueError(what_is_wrong(classes, value)) from None
    return made


def what_is_wrong(classes: Mapping[str, type[Tagged]], value: object) -> str:
    if not isinstance(value, dict):
        return "not an object"
    name = value.get("type")
    cls = classes.get(name) if isinstance(name, str) else None
    if cls is None:
        return f"no type is called {name!r}"
    return f"{cls.type} has members {[member for _, member in cls.members]}, not {sorted(value)}"


# Member types that many fields share; other types are declared by their fields.
WORDS = {
    "board": "The board's id.",
    "board_digest": "SHA-256 of the board's table, in hex.",
    "card": "The card's colour.",
    "cards": "The cards, colour to count.",
    "clock": "How long seats may think.",
    "commitment": "SHA-256 of the seed, in hex.",
    "creator": "The id of the account that created the game.",
    "entropy": "The player's contribution to the shuffles.",
    "extra": "How many cards more.",
    "first_seat": "The seat that plays first.",
    "from": "`deck` for a card drawn unseen, `row` for a face-up one.",
    "game": "The game's id.",
    "keep_for_flag": "Whether to keep one of the cards played for a flag (rule 4.5).",
    "kept": "The tickets kept.",
    "kind": "`long` for the deck of long tickets.",
    "location": "The location's id.",
    "on_timeout": "The effect of running out of time.",
    "origin": "The id of the game forked.",
    "version": "The version that it is forked at.",
    "long_tickets": "The deck of long tickets, the top first.",
    "position": "The position, as numbers: places in the board's table.",
    "place": "The place in the face-up row, from 0.",
    "player": "The player who took the seat.",
    "points": "The points scored.",
    "reason": "Why.",
    "refused": "The tickets not kept.",
    "results": "Every seat's result, in the order of seats.",
    "route": "The route's id.",
    "rules_version": "The version of the rules that decide this game.",
    "seat": "The seat's number, from 0.",
    "seats": "How many seats there are.",
    "spectators": "False where those without a seat may not watch.",
    "visibility": "Where the game is not public.",
    "seed": "The 32 bytes that every shuffle comes from, in hex.",
    "seed_known": "Whether the creator chose the seed, and so knows it.",
    "tickets": "The tickets' ids.",
    "tournament": "The tournament that the game belongs to, if it does.",
    "pool": "Which pairing of the pool the game is of, if it is; `test`: it only shows that a bot "
    "can play.",
}
