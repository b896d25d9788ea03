"""JSON texts of the strict kind: no member twice, no number that JSON does not know."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NoReturn


class Twice(Exception):
    """A member that an object has twice."""


def _members(pairs: list[tuple]) -> dict:
    """Return an object; JSON leaves open what a member that is there twice means."""
    found = dict(pairs)
    if len(found) < len(pairs):
        name, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise Twice(json.dumps(name)[:80])
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_members, parse_constant=_no_constant)


def decode(text: str) -> Any:
    """Return what a text holds; raise Twice, ValueError or RecursionError where it is none."""
    return _DECODER.decode(text)
