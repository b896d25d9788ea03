"""How long a game's seats took to decide, noted as its history is folded: to whole numbers of
tenths of a decade of milliseconds, as only the shares of many decisions are of interest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import log10

from domain.entry import Entry
from domain.game.commands import Resign
from domain.game.timing import thought
from domain.times import in_ms

TIMED_OUT = "timed_out"
LATE = 255  # stands for a decision that was made for the seat; times have places below 150
Pace = bytes  # for each decision its seat and its place, or LATE


def pace_after(pace: Pace, since: Mapping[int, tuple[int, str]], entry: Entry) -> Pace:
    """Return how long seats took to decide, after one more entry; resigning is no decision."""
    seat, action = entry.get("seat", -1), entry.get("action")
    if seat not in since:
        return pace
    if "timed_out" in entry:
        place = LATE
    elif action is None or action["type"] == Resign.type:
        return pace
    else:
        took = (thought(entry) if "arrived" in entry
                else in_ms(entry["at"]) - in_ms(since[seat][1]))
        place = round(10 * log10(took)) if took > 1 else 0
    return pace + bytes((seat, place))


def counted(pace: Pace, seat: int) -> dict[str, int]:
    """Return how often a seat took how long: "took PLACE" or TIMED_OUT -> how often."""
    decisions = Counter(zip(pace[::2], pace[1::2], strict=True))
    return {TIMED_OUT if place == LATE else f"took {place}": count
            for (who, place), count in decisions.items() if who == seat}


def time_at(place: int) -> int:
    """Return how many milliseconds are at a place."""
    return round(10 ** (place / 10))
