"""Templates: what an event, an action or a mark of a map is in words, declared once.

Where several templates are declared, the first that applies is used. One that begins with
``member? `` applies where there is such a member, one with ``member=value? `` where it has that
value. In a template

- ``{member}`` is the member, read as what its name says: ``{seat}`` is the name of the player
  there, ``{route}`` its two ends, ``{cards}`` cards, ``{location}`` a place's name. Others are
  written as they are;
- ``{member:kind}`` is read as another kind: ``{first_seat:seat}``, ``{kept:route}``; ``number`` is
  how many there are, ``wild`` so many of the board's wild cards, ``counts`` numbers by name;
- ``{member noun}`` is a number and a noun: ``{points point}`` is "1 point" or "4 points". A list is
  counted, and so is one that is hidden (``member_count``). ``{member noun|nouns}`` has a plural;
- ``{one+other noun}`` is the sum of two members;
- ``[...]`` is left out where a member in it is missing.

``service/page/sentences.mjs`` reads them for the page.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

Json = Mapping[str, Any]
Reader = Callable[[Any], str]  # a member's value in words

_CONDITION = re.compile(r"(\w+)(?:=(\w+))?\? ")
_OPTIONAL = re.compile(r"\[([^\]]*)\]")
_MEMBER = re.compile(r"\{(\w+(?:\+\w+)*)(?::(\w+)| ([^}|]+)(?:\|([^}]+))?)?\}")


def sentence(
    templates: str | Iterable[str], value: Json, readers: Mapping[str, Reader]
) -> str | None:
    """Return a JSON object in words, None if no template applies; ``readers`` says what each kind
    of member is in words. Members of other kinds are written as they are."""
    for template in [templates] if isinstance(templates, str) else templates:
        condition = _CONDITION.match(template)
        if condition is None:
            return _filled(template, value, readers)
        member, wanted = condition.groups()
        if member in value and wanted in (None, str(value[member])):
            return _filled(template[condition.end() :], value, readers)
    return None


def _filled(template: str, value: Json, readers: Mapping[str, Reader]) -> str:
    def optional(part: re.Match[str]) -> str:
        there = all(value.get(member[1]) is not None for member in _MEMBER.finditer(part[1]))
        return part[1] if there else ""

    def member(match: re.Match[str]) -> str:
        name, kind, noun, nouns = match.groups()
        if noun or kind == "number":
            number = sum(count(value, part) for part in name.split("+"))
            return f"{number} {plural(noun, number, nouns)}" if noun else str(number)
        return readers.get(kind or name, _plain)(value.get(name, ""))

    return _MEMBER.sub(member, _OPTIONAL.sub(optional, template))


def _plain(value: Any) -> str:
    return joined(map(str, value)) if isinstance(value, list | tuple) else str(value)


def seat_text(seat: int) -> str:
    """Return a seat as people count them, from 1; the API, files and options count from 0."""
    return f"seat {seat + 1}"


def plain_readers(
    *, seat: Reader = "seat {}".format, name: Reader = str, place: Reader = str
) -> dict[str, Reader]:
    """Return readers that write ids as they are, but for seats, players' names and places."""

    def cards(counts: Mapping[str, int]) -> str:
        return joined(f"{count} {card}" for card, count in counts.items())

    def ends(ids: str | Iterable[str]) -> str:
        return ", ".join([ids] if isinstance(ids, str) else ids)

    def turned(given: str | Iterable[str]) -> str:
        return f"1 {given}" if isinstance(given, str) else cards(Counter(given))

    def seats(given: int | Iterable[int]) -> str:
        return joined(map(seat, [given] if isinstance(given, int) else given))

    return {
        "seat": seats,
        "player": lambda player: name(player["name"]),
        "location": place,
        "route": ends,
        "card": turned,
        "cards": cards,
        "counts": cards,
        "wild": lambda count: f"{count} wild",
    }


def count(value: Json, name: str) -> int:
    """Return the count of a member: a number, or the length of a list, even a hidden one."""
    given = value.get(name, value.get(f"{name}_count", 0))
    return len(given) if isinstance(given, list | tuple) else int(given)


def sentences(
    events: Iterable[Json], declared: Mapping[str, Json], readers: Mapping[str, Reader]
) -> Iterator[str]:
    """Yield the sentence of each event that has one; ``declared`` is a board's, by event type."""
    for event in merged(events):
        if said := sentence(declared.get(event["type"], {}).get("says", ()), event, readers):
            yield said


def merged(events: Iterable[Json]) -> list[Json]:
    """Return the events of an entry. Merge events of one type that turn a card without a seat into
    the last of them, whose ``card`` is the list of all."""
    events, kept = list(events), []
    for i, event in enumerate(events):
        if "card" not in event or "seat" in event:
            kept.append(event)
        elif event["type"] not in [later["type"] for later in events[i + 1 :]]:
            cards = [other["card"] for other in events if other["type"] == event["type"]]
            kept.append({**event, "card": cards})
    return kept


def plural(noun: str, number: int, nouns: str | None = None) -> str:
    if number == 1:
        return noun
    return nouns or noun + ("es" if re.search("(s|x|ch|sh)$", noun) else "s")


def joined(words: Iterable[str]) -> str:
    *some, last = [*words] or [""]
    return f"{', '.join(some)} and {last}" if some else last
