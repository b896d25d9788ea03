"""What is wrong with the arguments of a call, in words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

LONGEST_VALUE = 60  # characters of a wrong value that are repeated
KINDS = {"string": "text", "int": "a whole number", "float": "a number", "bool": "true or false",
         "list": "a list", "dict": "an object"}


def arguments_text(error: ValidationError) -> str:
    """Return what each wrong argument should be, and what it is."""
    by_argument: dict[str, list[Mapping[str, Any]]] = {}
    for row in error.errors(include_url=False):
        by_argument.setdefault(_name(row), []).append(row)
    return "; ".join(_about(name, rows) for name, rows in by_argument.items())


def _name(row: Mapping[str, Any]) -> str:
    """Return the argument's name. What follows in the path is a place in the value, or a member of
    a union, by its type."""
    return str(row["loc"][0]) if row["loc"] else "the arguments"


def _about(name: str, rows: Sequence[Mapping[str, Any]]) -> str:
    row = rows[0]
    if row["type"] == "missing":
        return f"{name} is missing"
    wanted = " or ".join(dict.fromkeys(map(_wanted, rows)))
    value = json.dumps(row["input"], ensure_ascii=True, default=str)
    if len(value) > LONGEST_VALUE:
        value = f"{value[:LONGEST_VALUE]}..."
    return f"{name} should be {wanted}, and {value} is not"


def _wanted(row: Mapping[str, Any]) -> str:
    """Return what would have been right, by pydantic's name of the fault and its limits."""
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
