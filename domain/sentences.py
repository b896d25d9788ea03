"""Templates: what an event, an action or a mark of a map is in words, declared once.

Whatever declares a template has several of them, of which the first that applies is used. One that
begins with ``member: `` applies where there is such a member, one with ``member=value: `` where it
has that value. In a template

- ``{member}`` is the member, read as what its name says: ``{seat}`` is the name of whoever sits
  there, ``{route}`` its two ends, ``{cards}`` cards, ``{location}`` a place's name;
- ``{member:kind}`` is read as something else: ``{first_seat:seat}``, ``{kept:route}``; as
  ``number``, how many there are; as ``wild``, so many of the board's wild cards;
- ``{member noun}`` is how many with the noun: ``{points point}`` is "1 point" or "4 points". A list
  is counted, and so is one that is hidden (``member_count``). ``{member noun|nouns}`` has a plural
  of its own;
- ``[...]`` is left out where a member in it is missing.

``service/page/sentences.mjs`` reads them for the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

Json = Mapping[str, Any]
Reader = Callable[[Any], str]  # a member's value in words

_CONDITION = re.compile(r"(\w+)(?:=(\w+))?: (?=\S)")
_OPTIONAL = re.compile(r"\[([^\]]*)\]")
_MEMBER = re.compile(r"\{(\w+)(?::(\w+)| ([^}|]+)(?:\|([^}]+))?)?\}")


def sentence(templates: Iterable[str], value: Json, readers: Mapping[str, Reader]) -> str | None:
    """Return a JSON object in words, None if no template applies; ``readers`` says what each kind
    of member is in words. Members of other kinds are written as they are."""
    for template in templates:
        condition = _CONDITION.match(template)
        if condition is None:
            return _filled(template, value, readers)
        member, wanted = condition.groups()
        if member in value and wanted in (None, str(value[member])):
            return _filled(template[condition.end():], value, readers)
    return None


def _filled(template: str, value: Json, readers: Mapping[str, Reader]) -> str:
    def optional(part: re.Match[str]) -> str:
        there = all(value.get(found[1]) is not None for found in _MEMBER.finditer(part[1]))
        return part[1] if there else ""

    def member(found: re.Match[str]) -> str:
        name, kind, noun, nouns = found.groups()
        if noun or kind == "number":
            number = count(value, name)
            return f"{number} {plural(noun, number, nouns)}" if noun else str(number)
        return readers.get(kind or name, str)(value.get(name, ""))

    return _MEMBER.sub(member, _OPTIONAL.sub(optional, template))


def count(value: Json, name: str) -> int:
    """Return how many a member stands for: a number, a list, or a list that is hidden."""
    given = value.get(name, value.get(f"{name}_count", 0))
    return len(given) if isinstance(given, list | tuple) else int(given)


def plural(noun: str, number: int, nouns: str | None = None) -> str:
    """Return a noun in the form that goes with a number."""
    if number == 1:
        return noun
    return nouns or noun + ("es" if re.search("(s|x|ch|sh)$", noun) else "s")


def joined(words: Iterable[str]) -> str:
    """Return words as a list: "a, b and c"."""
    *some, last = ["", *words]
    return " and ".join(filter(None, (", ".join(filter(None, some)), last)))
