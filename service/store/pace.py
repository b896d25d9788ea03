"""How long a game's seats took to decide, counted as its history is folded: to whole numbers of
tenths of a decade of milliseconds, as only the shares of many decisions are of interest."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from math import log10

from domain.entry import Entry
from domain.game.commands import Resign
from domain.game.timing import thought

TIMED_OUT = "timed_out"
MS = timedelta(milliseconds=1)
Pace = Mapping[int, Mapping[str, int]]  # seat -> "took PLACE" or TIMED_OUT -> how often


def pace_after(pace: Pace, since: Mapping[int, tuple[int, str]], entry: Entry) -> Pace:
    """Return how long seats took to decide, after one more entry; resigning is no decision."""
    seat, action = entry.get("seat", -1), entry.get("action")
    if seat not in since:
        return pace
    if "timed_out" in entry:
        what = TIMED_OUT
    elif action is None or action["type"] == Resign.type:
        return pace
    else:
        took = (thought(entry) if "arrived" in entry else  # what ``in_ms`` reads takes longer
                (datetime.fromisoformat(entry["at"]) - datetime.fromisoformat(since[seat][1])) / MS)
        what = f"took {round(10 * log10(max(took, 1)))}"
    counts = pace.get(seat, {})
    return {**pace, seat: {**counts, what: counts.get(what, 0) + 1}}


def time_at(place: int) -> int:
    """Return how many milliseconds are at a place."""
    return round(10 ** (place / 10))
