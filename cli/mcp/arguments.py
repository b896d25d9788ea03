"""Error texts about wrong arguments of a call."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

MAX_VALUE_CHARS = 60  # characters of a wrong value to repeat
KINDS = {"string": "text", "int": "a whole number", "float": "a number", "bool": "true or false",
         "list": "a list", "dict": "an object"}


def arguments_text(error: ValidationError) -> str:
    """Return, for each wrong argument, the expected and the given value."""
    by_argument: dict[str, list[Mapping[str, Any]]] = {}
    for row in error.errors(include_url=False):
        by_argument.setdefault(_name(row), []).append(row)
    return "; ".join(_about(name, rows) for name, rows in by_argument.items())


def _name(row: Mapping[str, Any]) -> str:
    """Return the argument's name. The rest of the path is an index in the value, or a member of a
    union named by its type."""
    return str(row["loc"][0]) if row["loc"] else "the arguments"


def _about(name: str, rows: Sequence[Mapping[str, Any]]) -> str:
    row = rows[0]
    if row["type"] == "missing":
        return f"{name} is missing"
    wanted = " or ".join(dict.fromkeys(map(_wanted, rows)))
    value = json.dumps(row["input"], ensure_ascii=True, default=str)
    if len(value) > MAX_VALUE_CHARS:
        value = f"{value[:MAX_VALUE_CHARS]}..."
    return f"{name} should be {wanted}, and {value} is not"


def _wanted(row: Mapping[str, Any]) -> str:
    """Return the expected value, from pydantic's error type and its limits."""
    kind, limits = row["type"], row.get("ctx", {})
    if kind == "literal_error":
        return f"one of {limits['expected']}"
    if kind == "greater_than_equal":
        return f"{limits['ge']} at least"
    if kind == "less_than_equal":
        return f"{limits['le']} at most"
    if kind == "too_short":
        return f"{limits['min_length']} or more"
    if kind == "too_long":
        return f"{limits['max_length']} or fewer"
    return KINDS.get(kind.partition("_")[0], "something else")
