"""Declarations of JSON objects: the API's answers, and what they consist of.

Each is declared once, beside the code that makes it, as a TypedDict or a frozen dataclass whose
members are annotated with words: ``at: Annotated[Time, "When it was created."]``. A note that is a
dict has keywords of JSON Schema; integers have a minimum of 0 unless they say otherwise (in a
list they have none), and numbers by name in a Mapping are counts of cards. Type
checkers compare the code with the declaration, and openapi.yaml is made from it. A note that is
a class is the declaration of a member that has the type of plain JSON. The schema is called as the
class, without ``Json`` at the end, which keeps two classes of one name apart.
"""

from collections.abc import Iterable
from dataclasses import fields
from functools import cache
from typing import Annotated, Any, NamedTuple, get_type_hints

from domain.codec import Json
from domain.secrecy import declared

Time = Annotated[str, {"format": "date-time"}]  # RFC 3339 in UTC
Positive = Annotated[int, {"minimum": 1}]
Signed = Annotated[int, {"minimum": None}]
SignedOrNull = Annotated[int | None, {"type": ["integer", "null"], "minimum": None}]
# Boards of any name may be served. Those shipped are named for generators of requests, which choose
# one of the alternatives of a pattern.
BoardId = Annotated[str, {"pattern": "^(usa|usa-10th|europe|london|paris|[a-z0-9]+(-[a-z0-9]+)*)$"}]
# one of the kinds that the rules have, told apart by ``type``
Action = Annotated[Json, {"union": "Action"}]
PlayedAction = Annotated[Json, {"union": "PlayedAction"}]
Event = Annotated[Json, {"union": "Event"}]


def choice(values: Iterable[object]) -> Json:
    return {"enum": [*values]}


class Page(NamedTuple):
    """The declaration of a page of a list. ``items`` describes its items; without it, the list is
    always one page."""

    name: str
    of: Any
    words: str
    items: str = ""


class OneOf(NamedTuple):
    """The declaration of a value that is one of several objects, told apart by their members."""

    name: str
    words: str
    of: tuple[Any, ...]


class AllOf(NamedTuple):
    """The declaration of an object with the members of all of these."""

    name: str
    words: str
    of: tuple[Any, ...]


def as_json(value: Any) -> Json:
    """Return a dataclass's value as JSON: its described members, without those that are None."""
    return {
        name: inner
        for name in _described(value.__class__)
        if (inner := getattr(value, name)) is not None
    }


@cache
def _described(cls: Any) -> tuple[str, ...]:
    hints = get_type_hints(cls, include_extras=True)
    return tuple(each.name for each in fields(cls) if declared(hints[each.name])[2])
