"""Plain values to JSON members and back: the one convention that commands and events share.

A value's ``type`` is its class's name in snake case. A member that is None is left out. Python
keeps the word ``from`` for itself, so the field is called ``from_`` and its member ``from``.
"""

from __future__ import annotations

import re
from dataclasses import MISSING, fields


def type_name(cls: type) -> str:
    """Return the ``type`` that values of this class bear: ``CardDrawn`` -> ``card_drawn``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


class Tagged:
    """A base for dataclasses that travel as JSON objects with a ``type`` member."""

    __slots__ = ()
    type: str
    members: tuple[tuple[str, str], ...]  # (field, JSON member), filled by ``registry``
    required: frozenset[str]  # JSON members that must be there, likewise

    def as_json(self) -> dict:
        """Return the value as a new JSON object; tuples stay tuples (they are written as lists)."""
        out = {"type": self.type}
        for field, member in self.members:
            value = getattr(self, field)
            if value is not None:
                out[member] = value
        return out


def registry(*classes: type[Tagged]) -> dict[str, type[Tagged]]:
    """Name the classes' types and members, and return them by type."""
    for cls in classes:
        cls.type = type_name(cls)
        cls.members = tuple((f.name, f.name.rstrip("_")) for f in fields(cls))
        cls.required = frozenset(f.name.rstrip("_") for f in fields(cls) if f.default is MISSING)
    return {cls.type: cls for cls in classes}


def from_json(classes: dict[str, type[Tagged]], value: dict) -> Tagged:
    """Return the value that a JSON object stands for; raise ValueError where it is none."""
    if not isinstance(value, dict):
        raise ValueError("not an object")
    name = value.get("type")
    cls = classes.get(name) if isinstance(name, str) else None
    if cls is None:
        raise ValueError(f"no type is called {name!r}")
    given = {
        field: tuple(value[member]) if type(value[member]) is list else value[member]
        for field, member in cls.members
        if member in value
    }
    if len(given) + 1 != len(value) or not cls.required <= value.keys():
        names = [member for _, member in cls.members]
        raise ValueError(f"{cls.type} has members {names}, not {sorted(value)}")
    return cls(**given)
