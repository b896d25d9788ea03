"""The times that a history of a game on a clock records, and their checks.

A decision's time runs from ``available``, the time of the entry since which it was there, to
``arrived``, less what the service was away (``paused``), in milliseconds. A seat that takes longer
is ``timed_out``. The service's workers play built-in bots. The time that a bot waits for a worker
(``queued``) is not thinking time; only built-in bots have it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from domain.codec import Json
from domain.entry import TIMING, Timing
from domain.game.clock import ACT, SILENCE, Clock, action_for
from domain.game.commands import Command, Resign, TimeOut
from domain.game.legal import legal_actions
from domain.game.state import State, put
from domain.times import in_ms, is_time

T = TypeVar("T")
WRITTEN_WITHIN_MS = 3_600_000  # from arrival to entry: seconds, unless the process was stopped


class WrongTime(Exception):
    """A time that does not fit; the message says which and why."""


@dataclass(frozen=True)
class Times:
    """The state of a game's clocks after an entry."""

    # seat -> the time since which its decision has been available
    since: dict[int, str] = field(default_factory=dict)
    banks: tuple[int, ...] = ()  # milliseconds left to each seat
    at: str = ""  # when the entry was written

    def after(self, before: State, after: State, entry: Json) -> "Times":
        return Times(
            since_after(self.since, before, after, entry, entry["at"]),
            banks_after(self.banks, after, entry),
            entry["at"],
        )

    def checked(self, state: State, seat: int | None, command: object, entry: Json) -> Timing:
        """Return the times that an entry must record; raise WrongTime where they do not fit."""
        given = [name for name in TIMING if name in entry]
        clock = state.clock
        if clock and entry["at"] < self.at:
            raise WrongTime(f"at is {entry['at']}, the entry before was written at {self.at}")
        if clock is None and seat in self.since and isinstance(command, TimeOut):
            if entry.get("available") != self.since[seat]:
                raise WrongTime(
                    f"available is {entry.get('available')!r}, this decision was "
                    f"there since {self.since[seat]}"[:300]
                )
            return _timed_out(entry, SILENCE, command, command)
        if clock is None or seat is None or seat not in self.since or type(command) is Resign:
            if given:
                raise WrongTime(f"{given[0]} is recorded, and no clock runs for this")
            return {}
        available = self.since[seat]
        if entry.get("available") != available:
            raise WrongTime(
                f"available is {entry.get('available')!r}, this decision was there "
                f"since {available}"[:300]
            )
        allowed = clock.allowance(_filled(self.banks, clock, len(state.players))[seat])
        if "timed_out" in entry:
            due = action_for(legal_actions(state, seat)) if clock.on_timeout == ACT else TimeOut()
            return _timed_out(entry, allowed, command, due)
        if isinstance(command, Command):
            player = state.players[seat]
            return _in_time(entry, allowed, player is not None and player.is_built_in)
        raise WrongTime("no clock runs for this")


def _timed_out(entry: Json, allowed: int, command: object, due: object) -> Timing:
    if in_ms(entry["at"]) - in_ms(entry["available"]) < allowed:
        raise WrongTime(f"there were {allowed / 1000:g} seconds, and they were not over")
    if command != due:
        raise WrongTime(
            f"what happens when the time is over is {_name(due)}, and it was {_name(command)}"
        )
    return {"available": entry["available"], "timed_out": True}


def _in_time(entry: Json, allowed: int, is_built_in: bool) -> Timing:
    if not is_time(entry.get("arrived")):
        raise WrongTime("arrived is no time")
    timing: Timing = {"available": entry["available"], "arrived": entry["arrived"]}
    start, arrived, at = (in_ms(entry[name]) for name in ("available", "arrived", "at"))
    if not arrived <= at <= max(start, arrived) + WRITTEN_WITHIN_MS:
        raise WrongTime(f"at is {entry['at']}, the action arrived at {entry['arrived']}")
    most = at - start
    if "paused" in entry:
        timing["paused"] = _within("paused", entry["paused"], most)
    if "queued" in entry:
        if not is_built_in:
            raise WrongTime("queued is recorded, and the seat is no built-in bot's")
        timing["queued"] = _within("queued", entry["queued"], most)
    if (used := thought(timing)) > allowed:
        raise WrongTime(
            f"the decision took {used / 1000:g} seconds, and there were {allowed / 1000:g}"
        )
    return timing


def _within(name: str, value: object, most: int) -> int:
    if type(value) is not int or not 0 < value <= most:
        raise WrongTime(f"{name} is {value!r}, it can be 1 to {most}"[:200])
    return value


def since_after(
    since: Mapping[int, T], before: State, after: State, entry: Mapping[str, Any], here: T
) -> dict[int, T]:
    """Return since when each seat's decision is there; actions of others restart none."""
    acted, now = entry.get("seat"), {}
    if len(since) == 1 and acted in since:  # nobody else had to decide
        for seat, _ in after.deciding():
            now[seat] = here
        return now
    was = before.deciding()
    for row in after.deciding():
        seat = row[0]
        now[seat] = since[seat] if row in was and seat != acted else here
    return now


def banks_after(banks: tuple[int, ...], after: State, entry: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the milliseconds left to each seat after one more entry; nothing without a clock. A
    clock without a limit for all of them takes nothing from banks."""
    clock = after.clock
    if clock is None:
        return ()
    if len(banks) != len(after.players):
        banks = _filled(banks, clock, len(after.players))
    if (clock.bank or clock.increment) and "available" in entry:
        seat = entry["seat"]
        used = clock.allowance(banks[seat]) if "timed_out" in entry else thought(entry)
        banks = put(banks, seat, clock.bank_after(banks[seat], used))
    return banks


def _filled(banks: tuple[int, ...], clock: Clock, seats: int) -> tuple[int, ...]:
    """Return the banks, which are full until the seats are settled."""
    return banks if len(banks) == seats else (clock.bank,) * seats


def thought(timing: Mapping[str, Any]) -> int:
    """Return the milliseconds of a decision, without downtime and a built-in bot's wait."""
    away: int = timing.get("paused", 0) + timing.get("queued", 0)
    return in_ms(timing["arrived"]) - in_ms(timing["available"]) - away


def _name(command: object) -> str:
    return command.type if isinstance(command, Command) else "to resign"
