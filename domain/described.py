"""Declarations of JSON objects: the API's answers, and what they consist of.

Each is declared once, beside the code that makes it, as a TypedDict or a frozen dataclass whose
members are annotated with words: ``at: Annotated[Time, "When it was created."]``. A note that is a
dict has keywords of JSON Schema; integers have a minimum of 0 unless they say otherwise. Type
checkers compare the code with the declaration, and openapi.yaml is made from it. The schema is
called as the class, without ``Json`` at the end, which keeps two classes of one name apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from typing import Annotated, Any, NamedTuple, get_type_hints

from domain.secrecy import declared

Json = dict[str, Any]  # a JSON object
Time = Annotated[str, {"format": "date-time"}]  # RFC 3339 in UTC
Positive = Annotated[int, {"minimum": 1}]
Signed = Annotated[int, {"minimum": None}]
Cards = Annotated[Mapping[str, int], {"additionalProperties": {
    "type": "integer", "minimum": 1, "maximum": 99}}]  # colour to count
# one of the kinds that the rules have, told apart by ``type``
Action, PlayedAction, Event = (
    Annotated[Json, {"union": "Action"}], Annotated[Json, {"union": "PlayedAction"}],
    Annotated[Json, {"union": "Event"}])


def choice(values: Iterable[object]) -> Json:
    """Return the note of a member that has one of these values."""
    return {"enum": [*values]}


class Page(NamedTuple):
    """The declaration of a page of a list. ``items`` describes its items; without it, the list is
    always one page."""

    name: str
    of: Any
    words: str
    items: str = ""
    more: type | None = None  # declares further members


class OneOf(NamedTuple):
    """The declaration of a value that is one of several objects, told apart by their members."""

    name: str
    words: str
    of: tuple[type, ...]


def as_json(value: Any) -> Json:
    """Return a dataclass's value as JSON: its described members, without those that are None."""
    return {name: inner for name in _described(value.__class__)
            if (inner := getattr(value, name)) is not None}


@cache
def _described(cls: Any) -> tuple[str, ...]:
    hints = get_type_hints(cls, include_extras=True)
    return tuple(each.name for each in fields(cls) if declared(hints[each.name])[2])
