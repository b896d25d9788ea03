"""The pace of a game, noted while its history is folded: how long each decision took, and when
turns began and routes were claimed.

A time is one byte on a logarithmic scale, ten steps for each power of ten of milliseconds. That is
exact enough for statistics, its only reader."""

from collections import Counter
from collections.abc import Mapping
from math import log10

from domain.entry import Entry
from domain.game.commands import Resign
from domain.game.events import RouteClaimed, TurnBegan
from domain.game.timing import thought
from domain.times import Cached, in_ms

TURN_BEGAN, ROUTE_CLAIMED, RESIGN = TurnBegan.type, RouteClaimed.type, Resign.type
# After the byte of a seat comes the time of a decision on a logarithmic scale, below 150, or:
TIMED_OUT = 255  # the service decided for the seat, as its time was over
TURN = 254  # its turn began
CLAIM = 253  # it claimed a route
TIMES = Cached(in_ms, 64)  # without a clock, most decisions begin when another one ends
Pace = bytes  # for each decision, turn and claim, in order: the seat, and one of these


def pace_after(pace: Pace, since: Mapping[int, tuple[int, str]], entry: Entry) -> Pace:
    """Return the diary after one more entry. Resigning is no decision."""
    more: list[int] = []
    for event in entry["events"]:
        kind = event["type"]
        if kind == TURN_BEGAN:
            more += event["seat"], TURN
        elif kind == ROUTE_CLAIMED:
            more += event["seat"], CLAIM
    seat = entry.get("seat", -1)
    if seat in since:
        action = entry.get("action")
        if "timed_out" in entry:
            more += seat, TIMED_OUT
        elif action is not None and action["type"] != RESIGN:
            took = (
                thought(entry) if "arrived" in entry else TIMES[entry["at"]] - TIMES[since[seat][1]]
            )
            more += seat, round(10 * log10(took)) if took > 1 else 0
    return pace + bytes(more) if more else pace


def counted(pace: Pace, seat: int) -> dict[int, int]:
    """Return how many decisions of a seat took each time on the scale, or TIMED_OUT."""
    decisions = Counter(zip(pace[::2], pace[1::2], strict=True))
    return {
        place: count
        for (who, place), count in decisions.items()
        if who == seat and place not in (TURN, CLAIM)
    }


def turns_of_claims(pace: Pace, seat: int) -> list[int]:
    """Return the turn, from 1, in which a seat claimed each of its routes, in their order."""
    turns, count, turn = [0] * pace.count(CLAIM), 0, 0
    for place in range(0, len(pace), 2):
        if pace[place] == seat:
            if pace[place + 1] == TURN:
                turn += 1
            elif pace[place + 1] == CLAIM:
                turns[count] = turn
                count += 1
    return turns[:count]


def time_at(place: int) -> int:
    """Return the milliseconds that a place on the scale stands for."""
    return round(10 ** (place / 10))
