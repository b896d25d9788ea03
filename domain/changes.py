"""Changes that an event makes to a member of a view, declared as JSON.

Boards are served with these declarations. With them the page, or any other client, can fold entries
of rules that it does not know. A member of a seat is changed for the event's ``seat``.
``service/page/fold/declared.mjs`` carries the changes out.
"""

from __future__ import annotations

from typing import Any

Change = dict[str, Any]


def plus(number: int | str) -> Change:
    """Add to the member: a number, or the value of a member of the event."""
    return {"plus": number}


def becomes(value: object) -> Change:
    return {"becomes": value}


def appends(member: str) -> Change:
    """Append a member of the event to a list, if the event has it."""
    return {"appends": member}


def counts(member: str) -> Change:
    """Add one to an object of counts, under the value of a member of the event."""
    return {"counts": member}


def lists(*members: str) -> Change:
    """Add an object with these members of the event to a list, which is ordered by seat."""
    return {"lists": list(members)}
