"""Who may see what, declared where it is written down: on the fields of events and actions, and on
the members of a view.

A field says it in its type: ``seat: Public[int]``, ``tickets: Own[tuple[str, ...]]``, or
``Annotated[str, NOBODY, "what it is"]``. What is not declared is an error at import. Once a game
is over, and all others of its deal, there are no secrets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

T = TypeVar("T")


@dataclass(frozen=True)
class SeenBy:
    """Who may see something while the game runs: ``everybody``, the seat that it is about
    (``owner``), or ``nobody``. Everybody sees what is ``unless`` (another member has a value)."""

    who: str
    unless: tuple[str, object] | None = None

    def hides(self, value: dict[str, Any], *, is_owner: bool) -> bool:
        """Return whether this member of a value is hidden from a viewer."""
        if self.who == "everybody" or (self.who == "owner" and is_owner):
            return False
        return self.unless is None or value.get(self.unless[0]) != self.unless[1]


EVERYBODY, OWNER, NOBODY = SeenBy("everybody"), SeenBy("owner"), SeenBy("nobody")
Public = Annotated[T, EVERYBODY]
Own = Annotated[T, OWNER]
Secret = Annotated[T, NOBODY]


@dataclass(frozen=True)
class Declared:
    """What is declared of a field: the member's name in JSON, its type, who may see it, what it is
    in words, and whether it must be there."""

    field: str
    member: str
    type: Any
    seen_by: SeenBy
    words: str
    required: bool


@dataclass(frozen=True)
class Folded:
    """How a member of a view follows from the events: its value on a board when the game begins,
    and the change that each type of event makes (``domain.changes``). A position that a game is
    forked from has it under the same name, as the view shows it, unless ``in_position`` is False.
    """

    starts: Callable[[Any], object]
    changes: Mapping[Any, Mapping[str, Any]]
    in_position: bool = True


@dataclass(frozen=True)
class Shown:
    """A member of a view: its name, who may see it, its type and words, and the value that it has
    in a state (of a seat, for what is about one); None where it does not apply.

    ``sometimes`` tells that it may be missing, ``least`` of a number how small it may be. ``says``
    is a template (``domain.sentences``) that puts the member into words. ``folded`` declares how
    events change it, for those who fold entries without knowing the rule.
    """

    name: str
    seen_by: SeenBy
    type: Any
    words: str
    value: Callable[..., object]
    sometimes: bool = False
    least: int | None = 0
    says: str = ""
    folded: Folded | None = None


def declared(hint: Any) -> tuple[Any, SeenBy | None, str | None]:
    """Return the plain type of a type hint, who may see it and what it is; None for either that is
    not said."""
    if get_origin(hint) in (UnionType, Union):  # what may be None is declared inside
        parts = [declared(part) for part in get_args(hint) if part is not NoneType]
        kind, seen_by, words = parts[0]
        return kind | None, seen_by, words
    if get_origin(hint) is not Annotated:
        return hint, None, None
    kind, *notes = get_args(hint)
    seen_by = next((note for note in notes if isinstance(note, SeenBy)), None)
    words = next((note for note in notes if isinstance(note, str)), None)
    return kind, seen_by, words
