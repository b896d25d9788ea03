"""Value types of rules' settings in a table: how each is read, and its JSON Schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from domain.board.table import Table

SLUG = {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"}


@dataclass(frozen=True)
class Shape:
    """A table's value with its description; ``read`` returns it or raises BrokenTable. If it is not
    ``required``, it may be missing although the rule is in force.

    For a mark of routes or locations, ``says`` is the map's text about one with the mark: a
    template over its record (``domain.sentences``). ``sign`` is a character on a route's spaces:
    on as many as the value says, on all if the value is no number."""

    words: str
    read: Callable[[Table], Any]
    schema: Mapping[str, Any]
    required: bool = True
    says: str = ""
    sign: str = ""

    def shown(self) -> dict[str, str]:
        """Return the declaration of its text and sign on a map, as JSON; empty if it has none."""
        return {name: text for name in ("says", "sign") if (text := getattr(self, name))}


def whole(
    words: str, least: int = 0, most: int = 999, *, required: bool = True, says: str = "",
    sign: str = "",
) -> Shape:
    """Return the shape of a whole number in a range, both ends included."""
    schema = {"type": "integer", "minimum": least, "maximum": most}
    return Shape(words, lambda table: table.whole(least, most), schema, required, says, sign)


def truth(words: str, *, says: str = "", sign: str = "") -> Shape:
    """Return true or false."""
    return Shape(words, lambda table: table.truth(), {"type": "boolean"}, False, says, sign)


def names(words: str, *, says: str = "", sign: str = "") -> Shape:
    """Return the shape of a list of names, each of lower-case letters and digits."""
    schema = {"type": "array", "items": SLUG}
    return Shape(words, lambda table: tuple([row.slug() for row in table.items()]), schema, False,
                 says, sign)


def amounts(words: str) -> Shape:
    """Return the shape of a JSON object whose values are whole numbers of at least 1."""
    schema = {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}}
    return Shape(words, lambda table: table.counts(), schema)


def groups(words: str) -> Shape:
    """Return the shape of lists of location ids, by the list's name."""
    schema = {"type": "object", "additionalProperties": {"type": "array", "items": SLUG}}

    def read(table: Table) -> dict[str, tuple[str, ...]]:
        if not isinstance(table.value, dict):
            table.refuse("should be an object")
        return {name: tuple([row.slug() for row in table[name].items()]) for name in table.value}

    return Shape(words, read, schema)
