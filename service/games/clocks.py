"""Deadlines, and the pauses of the service, which cost no player any time.

``{games:N}:deadlines``  game id -> when to check its clocks at the latest, in milliseconds since
                         1970; derived
``fogg:beat``    the last heartbeat of the service, in milliseconds since 1970
``fogg:pauses``  "FROM-TO" by TO: gaps between two heartbeats that were too long

Each web process sends a heartbeat some times a second. A gap means that no process of the service
was running, that Redis did not answer, or that the clock was set forward. In each case no action
could be accepted, so the gap does not count as thinking time. A process knows every pause that
ended before its last heartbeat, so an action costs no question to Redis.
"""

import time

from redis import Redis, ResponseError
from redis.client import Pipeline

from domain.entry import Timing
from domain.game.commands import Resign
from domain.game.timing import thought
from service.errors import OutOfTime
from service.games import buckets
from service.games.store import LoadedGame
from service.redis.scripts import Script
from service.times import CLOCK, MS, as_time, in_ms, now_in_ms

GRACE_MS = 300  # milliseconds in which an action that arrived in time may still be under way
MAX_DUE = 50  # games of a bucket that are looked at at a time
BEAT_EVERY_MS = 200  # milliseconds in which one beat does for all
LEAST_PAUSE_MS = 1_500  # milliseconds between two beats that are a pause
NO_PAUSE_WITHIN_S = 0.5  # seconds after a beat in which there can have been no pause since
LITTLE_MS = 3_600_000  # milliseconds left in a bank below which each deadline is noted exactly
RETRY_AFTER_MS = 30_000  # milliseconds for which a game is left alone whose clock cannot be kept
KEEP_PAUSES_MS = 30 * 86_400_000  # milliseconds for which pauses are remembered
BEAT = Script(__file__, "beat.lua")


class Clocks:
    """The clocks of all games in one Redis."""

    def __init__(self, redis: Redis):
        self._redis = redis
        self._pauses: list[tuple[int, int]] = []
        self._beaten = float("-inf")  # when this process last did, by the steady clock

    def beat(self) -> None:
        """Send a heartbeat; read the service's time and its pauses."""
        CLOCK.follow()
        now, rows = BEAT(
            self._redis,
            beat="{fogg}:beat",
            pauses="{fogg}:pauses",
            now=now_in_ms(),
            since=self._last_pause_end(),
            every=BEAT_EVERY_MS,
            least=LEAST_PAUSE_MS,
            keep=KEEP_PAUSES_MS,
        )
        CLOCK.catch_up(now * MS)
        pauses = [(int(start), int(end)) for start, end in (row.split(b"-") for row in rows)]
        self._pauses += [pause for pause in pauses if pause[1] > self._last_pause_end()]
        self._beaten = time.monotonic()

    def _last_pause_end(self) -> int:
        return self._pauses[-1][1] if self._pauses else 0

    def pauses(self, *, is_shown: bool = False) -> list[tuple[int, int]]:
        """Return the service's pauses up to now, the first first. If they are only shown, a Redis
        that takes no writes is no error: then return those that are known."""
        if time.monotonic() - self._beaten > NO_PAUSE_WITHIN_S:
            try:
                self.beat()
            except ResponseError:
                if not is_shown:
                    raise
        return self._pauses

    def deadlines(
        self, game: LoadedGame, then: int | None = None, *, is_shown: bool = False
    ) -> dict[int, int]:
        """Return the deadline of each seat that the game waits for, in milliseconds since 1970;
        with ``then``, as it was known at that time. A game without a clock has none; nor have
        built-in bots, which do not begin to think until a worker plays them. In the lobby, return
        the time when the invitation to each reserved seat expires."""
        if game.state.invitations:
            return {one.seat: in_ms(one.expires) for one in game.state.invitations}
        clock, starts = (
            game.state.clock,
            {
                seat: in_ms(at)
                for seat, (_, at) in game.since.items()
                if not _is_built_in(game, seat)
            },
        )
        if clock is None or not starts:
            return {}
        first, pauses = min(starts.values()), []
        if then is None or first < then:  # else there was no time for a pause
            pauses = [
                (start, end)
                for start, end in self.pauses(is_shown=is_shown)
                if then is None or end <= then
            ]
        return {
            seat: start + clock.allowance(game.banks[seat]) + _overlap(pauses, start)
            for seat, start in starts.items()
        }

    def timing(
        self, game: LoadedGame, seat: int, arrived: int, thinking: int | None = None
    ) -> Timing:
        """Return the timing to record with a decision; refuse one that is late. If a built-in bot
        says for how many milliseconds it was ``thinking``, only that counts."""
        available = game.since[seat][1]
        start = in_ms(available)
        paused = _overlap(self.pauses(), start)
        timing: Timing = {"available": available, "arrived": as_time(max(start, arrived))}
        if paused:
            timing["paused"] = paused
        if thinking is not None and _is_built_in(game, seat):
            queued = thought(timing) - thinking
            if queued > 0:
                timing["queued"] = queued
        clock = game.state.clock
        assert clock
        allowed = clock.allowance(game.banks[seat])
        if thought(timing) > allowed:
            late = OutOfTime(
                "out-of-time",
                "8.3",
                f"your time is over: there were {allowed / 1000:g} seconds to decide",
            )
            late.game, late.seat = game, seat
            raise late
        return timing

    def follow(self, was: LoadedGame, game: LoadedGame, pipe: Pipeline | None = None) -> None:
        """Store the deadline after a new entry, with what is sent in ``pipe``, unless the stored
        one is early enough. The stored one is no later than any deadline of the game as it ``was``.
        With a clock for each decision, later decisions end later, so nothing has to be written."""
        if not game.state.invitations and (
            game.state.clock is None
            or (_is_ample(game) and game.since and was.since and has_deadline(was))
        ):
            return
        self.schedule(game, self.deadlines(game, in_ms(game.updated)), pipe=pipe)

    def schedule(
        self,
        game: LoadedGame,
        deadlines: dict[int, int],
        *,
        is_checked: bool = False,
        pipe: Pipeline | None = None,
    ) -> None:
        """Store a game's next deadline.

        To spare each action a write to disk, an early deadline stays stored until the service
        checks the game because of it (``is_checked``). Only then is it replaced by a later one, or
        removed while a built-in bot decides."""
        redis = self._redis if pipe is None else pipe
        key = buckets.key(game.state.id, "deadlines")
        if deadlines:
            first, clock = min(deadlines.values()), game.state.clock
            # early enough for any later decision
            if game.since and clock and clock.bank and _is_ample(game):
                first = min(first, now_in_ms() + min(game.banks))
            redis.zadd(key, {game.state.id: first}, lt=not is_checked)
        elif is_checked or not game.since:
            redis.zrem(key, game.state.id)

    def put_off(self, game_id: str) -> None:
        """Postpone the check of a game whose clock cannot be enforced."""
        self._redis.zadd(
            buckets.key(game_id, "deadlines"), {game_id: now_in_ms() + RETRY_AFTER_MS}, xx=True
        )

    def due(self) -> list[str]:
        """Return the games whose earliest deadline, plus the grace period, has passed."""
        pipe, end = self._redis.pipeline(transaction=False), now_in_ms() - GRACE_MS
        for key in buckets.keys("deadlines"):
            pipe.zrangebyscore(key, "-inf", end, start=0, num=MAX_DUE)
        return [row.decode() for rows in pipe.execute() for row in rows]


def has_deadline(game: LoadedGame) -> bool:
    return bool(game.state.invitations) or (
        game.state.clock is not None and any(not _is_built_in(game, seat) for seat in game.since)
    )


def _is_ample(game: LoadedGame) -> bool:
    """Return whether no seat has nearly used up its total on a clock for each decision."""
    clock = game.state.clock
    return (
        clock is not None
        and clock.per_decision is not None
        and (not clock.bank or min(game.banks) > LITTLE_MS)
    )


def _is_built_in(game: LoadedGame, seat: int) -> bool:
    player = game.state.players[seat]
    return player is not None and player.is_built_in


def is_timed(game: LoadedGame, seat: int | None, command: object) -> bool:
    """Return whether a command ends a decision that a clock runs for."""
    return game.state.clock is not None and seat in game.since and type(command) is not Resign


def _overlap(pauses: list[tuple[int, int]], start: int) -> int:
    """Return how much of the time since a moment was a pause, in milliseconds. Pauses may overlap:
    a Redis that has lost its last heartbeats stores a pause again that a process knows already."""
    if not pauses:
        return 0
    paused, until = 0, start
    for begin, end in sorted(pause for pause in pauses if pause[1] > start):
        paused += max(0, end - max(begin, until))
        until = max(until, end)
    return paused
