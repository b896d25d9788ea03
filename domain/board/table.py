"""Read a JSON table; name the path and the line of each fault."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

from domain.errors import BrokenTable

T = TypeVar("T")
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class Table:
    """A value inside a JSON text, with the checks for reading a board.

    Each check returns the plain value or raises BrokenTable. ``faults`` holds the faults noted so
    far in the whole text, so that reading can continue with independent parts.
    """

    def __init__(
        self,
        text: str,
        value: Any = None,
        path: tuple[str | int, ...] = (),
        name: str = "",
        faults: list[BrokenTable] | None = None,
    ):
        """``name`` precedes the path in messages, for a table that another one refers to."""
        self.faults = [] if faults is None else faults
        if not path:
            try:
                value = json.loads(text)
            except (ValueError, RecursionError) as error:  # also too long numbers, too deep lists
                raise BrokenTable(
                    name or "table",
                    getattr(error, "lineno", None),
                    f"is not JSON: {getattr(error, 'msg', error)}",
                ) from None
            if not isinstance(value, dict):
                raise BrokenTable(name or "table", 1, "should be an object")
        self._text, self.value, self._path, self._name = text, value, path, name

    def __getitem__(self, key: str | int) -> Table:
        return Table(self._text, self.value[key], (*self._path, key), self._name, self.faults)

    def note(self, reason: str) -> None:
        with self.noting():
            self.refuse(reason)

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Record a BrokenTable that the block raises, and continue after the block."""
        try:
            yield
        except BrokenTable as fault:
            self.faults.append(fault)

    def settle(self) -> None:
        """Raise the first noted fault, with all others, if there are any."""
        if self.faults:
            distinct = {(fault.where, fault.reason): fault for fault in self.faults}.values()
            first, *others = sorted(distinct, key=lambda fault: fault.line or 0)
            raise BrokenTable(first.where, first.line, first.reason, tuple(others))

    def refuse(self, reason: str) -> NoReturn:
        """Raise BrokenTable at this value."""
        where = "".join(f"[{k}]" if isinstance(k, int) else f".{k}" for k in self._path)
        where = " ".join(filter(None, (self._name, where.lstrip("."))))
        raise BrokenTable(where or "table", line_of(self._text, self._path), reason)

    def member(self, name: str) -> Table:
        if not isinstance(self.value, dict):
            self.refuse("should be an object")
        if name not in self.value:
            self.refuse(f"lacks the member {name}")
        return self[name]

    def items(self) -> Iterator[Table]:
        if not isinstance(self.value, list):
            self.refuse("should be an array")
        return (self[i] for i in range(len(self.value)))

    def records(
        self, read: Callable[[dict[str, Table]], T], needed: set[str], optional: Iterable[str] = ()
    ) -> list[T]:
        """Return ``read``'s results for an array's objects. Each must have the needed members and
        no unknown ones; faulty objects are noted and left out."""
        results = []
        for item in self.items():
            before = len(self.faults)
            item.note_members(needed, optional)
            if len(self.faults) == before:
                with self.noting():
                    results.append(read({name: item[name] for name in item.value}))
        return results

    def note_members(self, needed: set[str], optional: Iterable[str] = ()) -> None:
        if not isinstance(self.value, dict):
            self.note("should be an object")
            return
        for name in sorted(needed - self.value.keys()):
            self.note(f"lacks the member {name}")
        for name in sorted(self.value.keys() - needed.union(optional)):
            self.note(f"has an unknown member {name}")

    def all_of(self, readers: Mapping[str, Callable[[Table], Any]]) -> dict[str, Any]:
        """Return the result of each reader for this value; note faults and leave them out."""
        results = {}
        for name, read in readers.items():
            with self.noting():
                results[name] = read(self)
        return results

    def text(self) -> str:
        if not isinstance(self.value, str) or not self.value.strip():
            self.refuse("should be a non-empty string")
        return self.value

    def slug(self) -> str:
        """Return an id: lower-case letters and digits, joined by single hyphens."""
        text = self.text()
        if not _SLUG.fullmatch(text):
            self.refuse("should be lower-case letters, digits and single hyphens")
        return text

    def one_of(self, known: Iterable[str], what: str) -> str:
        text = self.text()
        if text not in known:
            self.refuse(f"no {what} is called {text}")
        return text

    def number(self) -> float:
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            self.refuse("should be a number")
        if not abs(self.value) < 1e300:  # nor is nan
            self.refuse("should be finite")
        return float(self.value)

    def truth(self) -> bool:
        if not isinstance(self.value, bool):
            self.refuse("should be true or false")
        return self.value

    def whole(self, least: int, most: int = 999) -> int:
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self.refuse(f"should be a whole number from {least} to {most}")
        return value

    def counts(self, least: int = 1) -> dict[str, int]:
        if not isinstance(self.value, dict):
            self.refuse("should be an object")
        return {name: self[name].whole(least) for name in self.value}

    def distinct(self, names: list[str]) -> None:
        for i, name in enumerate(names):
            if name in names[:i]:
                self[i].note(f"{name} is there twice")


def line_of(text: str, path: Iterable[str | int]) -> int:
    """Return the line, from 1, at which the value at a path of a valid JSON text begins."""
    at = _after_space(text, 0)
    for key in path:
        at = next(place for name, place in _members(text, at) if name == key)
    return text.count("\n", 0, at) + 1


def _members(text: str, at: int) -> Iterator[tuple[str | int, int]]:
    """Yield (key or index, position of its value) of the object or array that begins at ``at``."""
    decoder = json.JSONDecoder()
    index, is_object = 0, text[at] == "{"
    at = _after_space(text, at + 1)
    while text[at] not in "]}":
        key: str | int = index
        if is_object:
            key, at = decoder.raw_decode(text, at)
            at = text.index(":", at) + 1
        at = _after_space(text, at)
        yield key, at
        at = _after_space(text, decoder.raw_decode(text, at)[1])
        if text[at] == ",":
            at = _after_space(text, at + 1)
        index += 1


def _after_space(text: str, at: int) -> int:
    while text[at].isspace():
        at += 1
    return at
