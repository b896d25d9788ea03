"""Value types of rules' settings in a table: how each is read, and its JSON Schema."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from domain.board.table import Table


@dataclass(frozen=True)
class Shape:
    """A table's value with its description; ``read`` returns it or raises BrokenTable. If it is not
    ``required``, it may be missing although the rule is in force."""

    words: str
    read: Callable[[Table], Any]
    schema: Mapping[str, Any]
    required: bool = True


def whole(words: str, least: int = 0, most: int = 999, *, required: bool = True) -> Shape:
    """Return the shape of a whole number in a range, both ends included."""
    schema = {"type": "integer", "minimum": least, "maximum": most}
    return Shape(words, lambda table: table.whole(least, most), schema, required)


def truth(words: str) -> Shape:
    return Shape(words, lambda table: table.truth(), {"type": "boolean"}, False)
