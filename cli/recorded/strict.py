"""Strict JSON: no duplicate members, no numbers outside of JSON."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NoReturn


class Twice(Exception):
    """A member that an object has twice."""


def _members(pairs: list[tuple]) -> dict:
    """Return an object; reject duplicate members, which JSON leaves undefined."""
    members = dict(pairs)
    if len(members) < len(pairs):
        name, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise Twice(json.dumps(name)[:80])
    return members


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_members, parse_constant=_no_constant)


def decode(text: str) -> Any:
    """Return a text's value; raise Twice, ValueError or RecursionError if it is invalid."""
    return _DECODER.decode(text)
