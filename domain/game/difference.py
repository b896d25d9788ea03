"""Describe where an entry differs from the expected one."""

import json

from domain.codec import Json
from domain.entry import TIMING, text_of

_SHUFFLES = {"game_started", "tickets_shuffled", "deck_shuffled", "undrawn_shuffled"}


def first_difference(entry: Json, right: Json) -> tuple[str, str]:
    """Return the error code and the first difference between an entry and the right one."""
    if _differ(entry["events"], right["events"]):
        for given, due in zip(entry["events"], right["events"], strict=False):
            if _differ(given, due):
                return _difference_of_events(given, due)
        given, due = (len(value["events"]) for value in (entry, right))
        place = min(given, due)
        more = (entry if given > due else right)["events"][place].get("type")
        said = f"{short(more)} should not happen" if given > due else f"{more} should follow"
        return "events", f"event {place}: {said}"
    for name in sorted((entry.keys() | right.keys()) - {"hash", "events"}):
        if _differ(entry.get(name), right.get(name)):
            path, given, due = _difference(entry.get(name), right.get(name), name)
            code = "action" if name == "action" else "clock" if name in TIMING else "malformed"
            return code, f"{path} is {short(given)}, should be {short(due)}"
    return "malformed", "is not written as it should be"


def _difference_of_events(given: Json, due: Json) -> tuple[str, str]:
    kind = due["type"]
    if given.get("type") != kind:
        return "events", f"{short(given.get('type'))} happens, and it should be {kind}"
    path, was, is_due = _difference(given, due, kind)
    code = "shuffle" if kind in _SHUFFLES else "score" if kind == "game_ended" else "events"
    return code, f"{path} is {short(was)}, should be {short(is_due)}"


def _difference(given: object, due: object, path: str) -> tuple[str, object, object]:
    if isinstance(given, dict) and isinstance(due, dict):
        for name in sorted(given.keys() | due.keys()):
            if _differ(given.get(name), due.get(name)) or (name in given) != (name in due):
                return _difference(given.get(name), due.get(name), f"{path}.{short(name)}")
    if isinstance(given, list) and isinstance(due, list) and len(given) == len(due):
        for i, pair in enumerate(zip(given, due, strict=True)):
            if _differ(*pair):
                return _difference(*pair, f"{path}[{i}]")
    return path, given, due


def _differ(one: object, other: object) -> bool:
    """Return whether two values differ as JSON, where 1, 1.0 and true are three."""
    return one != other or text_of(one) != text_of(other)


def short(value: object) -> str:
    try:
        text = (
            value if isinstance(value, str) else "nothing" if value is None else json.dumps(value)
        )
    except (ValueError, TypeError, RecursionError):
        text = repr(value)
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:400])
    return text if len(text) <= 160 else f"{text[:160]}..."
