"""Deadlines, and the absences of the service that cost nobody any time.

``deadlines``    game id -> when, in milliseconds since 1970, it is to be looked at, or sooner;
                 derived
``fogg:beat``    when the service last said that it lives, in milliseconds since 1970
``fogg:pauses``  "FROM-TO" by TO: when it did not, for longer than between two beats

A web process beats some times a second. A gap between two beats means that no process of the
service lived, or that Redis did not answer them: whatever the reason, no action could be accepted,
so the time is taken off what a decision took.
"""

from __future__ import annotations

from redis import Redis

from domain.errors import Refused
from domain.game.commands import Resign
from domain.game.timing import thought
from service.store.games import KnownGame
from service.times import as_time, in_ms, now_in_ms

GRACE = 300  # milliseconds in which an action that arrived in time may still be under way
FRESH = 200  # milliseconds in which one beat does for all
PAUSE = 1_500  # milliseconds between two beats that are a pause
KEPT = 30 * 86_400_000  # milliseconds for which pauses are remembered

# KEYS beat, pauses. ARGV now, since. Beats, unless that was done right before: it is a write, which
# all others wait for. Returns the pauses that ended after ``since``.
BEAT = f"""
local held = redis.call('GET', KEYS[1])
local now, last = tonumber(ARGV[1]), tonumber(held or ARGV[1])
if now - last > {PAUSE} then
  redis.call('ZADD', KEYS[2], now, string.format('%.0f-%.0f', last, now))
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - {KEPT})
end
if not held or now - last >= {FRESH} then redis.call('SET', KEYS[1], ARGV[1]) end
return redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. ARGV[2], '+inf')
"""


class Clocks:
    """The clocks of all games in one Redis."""

    def __init__(self, redis: Redis):
        self._redis = redis
        self._beat = redis.register_script(BEAT)

    def beat(self, since: int | None = None) -> list[tuple[int, int]]:
        """Say that the service lives; return its pauses that ended after a time."""
        now = now_in_ms()
        rows = self._beat(keys=["{fogg}:beat", "{fogg}:pauses"],
                          args=[now, now if since is None else since])
        return [tuple(map(int, row.decode().split("-"))) for row in rows]

    def deadlines(self, game: KnownGame, then: int | None = None) -> dict[int, int]:
        """Return until when each seat that the game waits for may decide, in milliseconds since
        1970, as it was known ``then``; nothing for a game without a clock."""
        clock = game.state.clock
        if clock is None or not game.since:
            return {}
        starts = {seat: in_ms(at) for seat, (_, at) in game.since.items()}
        first, pauses = min(starts.values()), []
        if then is None or first < then:  # else there was no time for a pause
            pauses = [(start, end) for start, end in self.beat(first)
                      if then is None or end <= then]
        return {
            seat: start + clock.allowance(game.banks[seat]) + _overlap(pauses, start)
            for seat, start in starts.items()
        }

    def timing(self, game: KnownGame, seat: int, arrived: int) -> dict:
        """Return what is to be recorded of a decision in time; refuse one that is late."""
        available = game.since[seat][1]
        paused = _overlap(self.beat(in_ms(available)), in_ms(available))
        timing = {"available": available, "arrived": as_time(arrived)}
        if paused:
            timing["paused"] = paused
        allowed = game.state.clock.allowance(game.banks[seat])
        if thought(timing) > allowed:
            raise Refused("out-of-time", "8.3", f"there were {allowed / 1000:g} seconds to decide")
        return timing

    def file(self, game: KnownGame, deadlines: dict[int, int], *, looked_at: bool = False) -> None:
        """Note when a game is to be looked at next. A later time than is noted is noted only once
        the game has been looked at: with each action it would be one more write to disk."""
        if deadlines:
            self._redis.zadd("deadlines", {game.state.id: min(deadlines.values())},
                             lt=not looked_at)
        else:
            self._redis.zrem("deadlines", game.state.id)

    def due(self) -> list[str]:
        """Return the games whose earliest deadline is over, with the grace."""
        rows = self._redis.zrangebyscore("deadlines", "-inf", now_in_ms() - GRACE, start=0, num=200)
        return [row.decode() for row in rows]


def is_timed(game: KnownGame, seat: int | None, command: object) -> bool:
    """Return whether a command ends a decision that a clock runs for."""
    return game.state.clock is not None and seat in game.since and type(command) is not Resign


def _overlap(pauses: list[tuple[int, int]], start: int) -> int:
    """Return how much of the pauses lies after a time, in milliseconds."""
    return sum(end - max(start, begin) for begin, end in pauses if end > start)
