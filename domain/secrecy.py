"""Visibility, declared on the fields of events and actions and on the members of views.

A field says it in its type: ``seat: Public[int]``, ``tickets: Own[tuple[str, ...]]``, or
``Annotated[str, NOBODY, "what it is"]``. A field without a declaration is an error at import. After
a game, and all others of its deal, nothing is secret.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

T = TypeVar("T")


@dataclass(frozen=True)
class SeenBy:
    """The viewers of a value while the game runs: ``everybody``, the seat that it is about
    (``owner``), or ``nobody``. With ``unless`` (another member, a value), everybody may see it
    where that member has this value."""

    who: str
    unless: tuple[str, object] | None = None

    def hides(self, value: dict[str, Any], *, is_owner: bool) -> bool:
        if self.who == "everybody" or (self.who == "owner" and is_owner):
            return False
        return self.unless is None or value.get(self.unless[0]) != self.unless[1]


EVERYBODY, OWNER, NOBODY = SeenBy("everybody"), SeenBy("owner"), SeenBy("nobody")
Public = Annotated[T, EVERYBODY]
Own = Annotated[T, OWNER]
Secret = Annotated[T, NOBODY]


@dataclass(frozen=True)
class Declared:
    """A field's declaration: the member's name in JSON, its type, visibility and description, and
    whether it is required."""

    field: str
    member: str
    type: Any
    seen_by: SeenBy
    words: str
    required: bool


@dataclass(frozen=True)
class Member:
    """A member of a view: its name, visibility, type and description, and a function that returns
    its value in a state (of a seat, for a seat's member); None if it does not apply.

    ``sometimes``: it may be missing; ``least``: the minimum of a number.
    """

    name: str
    seen_by: SeenBy
    type: Any
    words: str
    value: Callable[..., object]
    sometimes: bool = False
    least: int | None = 0


def declared(hint: Any) -> tuple[Any, SeenBy | None, str | None]:
    """Return the type, visibility (None without one) and description in a type hint."""
    if get_origin(hint) in (UnionType, Union):  # in an optional type, the declaration is inside
        parts = [declared(part) for part in get_args(hint) if part is not NoneType]
        kind, seen_by, words = parts[0]
        return kind | None, seen_by, words
    if get_origin(hint) is not Annotated:
        return hint, None, None
    kind, *notes = get_args(hint)
    seen_by = next((note for note in notes if isinstance(note, SeenBy)), None)
    words = next((note for note in notes if isinstance(note, str)), None)
    return kind, seen_by, words
