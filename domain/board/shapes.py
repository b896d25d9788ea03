"""The values that a rule reads from a board's table: how each is read, and its JSON Schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from domain.board.table import Table


@dataclass(frozen=True)
class Shape:
    """A value of a table, in words; ``read`` returns it or raises BrokenTable. One that is not
    ``required`` may be missing though the rule is in force."""

    words: str
    read: Callable[[Table], Any]
    schema: Mapping[str, Any]
    required: bool = True


def whole(words: str, least: int = 0, most: int = 999, *, required: bool = True) -> Shape:
    """Return a whole number in a range, both ends included."""
    schema = {"type": "integer", "minimum": least, "maximum": most}
    return Shape(words, lambda table: table.whole(least, most), schema, required)


def truth(words: str) -> Shape:
    """Return true or false."""
    return Shape(words, lambda table: table.truth(), {"type": "boolean"}, required=False)


def groups(words: str) -> Shape:
    """Return lists of locations' ids by a name that each list has."""
    slug = {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"}
    schema = {"type": "object", "additionalProperties": {"type": "array", "items": slug}}

    def read(table: Table) -> dict[str, tuple[str, ...]]:
        if not isinstance(table.value, dict):
            table.refuse("should be an object")
        return {name: tuple([row.slug() for row in table[name].items()]) for name in table.value}

    return Shape(words, read, schema)
