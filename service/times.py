"""Times as they are written everywhere, RFC 3339 in UTC to the millisecond, and the clock.

The machine's clock may jump if a person or a time server sets it; the service's time does not. It
follows the monotonic clock, which nobody sets. At each heartbeat (``service.games.clocks``) the
processes of a service agree on the latest of their times, and compare it with the machine's clock.
If that clock jumped far forward, they follow it, and the time that was skipped counts as a pause.
If it went back, the service's time runs slower until the two meet; it never goes backwards.
"""

import logging
import time
from datetime import UTC, datetime
from functools import lru_cache

from domain.times import in_ms

__all__ = ["CLOCK", "MS", "as_time", "in_ms", "now", "now_in_ms"]

MS = 1_000_000  # nanoseconds in a millisecond
STEP = 1_500_000_000  # nanoseconds ahead that are no drift: the clock was set
NEAR = 20_000_000  # nanoseconds of difference that do not matter
SLEW = 0.1  # share by which time runs faster or slower until it meets the machine's

log = logging.getLogger(__name__)


class ServiceClock:
    """The time of one process, in nanoseconds since 1970."""

    def __init__(self) -> None:
        # the monotonic clock at a moment, the service's time then, and the rate of time since
        self._since = time.monotonic_ns(), _machine_ns(), 1.0
        self._is_ahead = False  # whether it was far ahead of the machine's clock at the last check

    def now(self, here: int | None = None) -> int:
        then, at, rate = self._since
        return at + int(((time.monotonic_ns() if here is None else here) - then) * rate)

    def ahead(self) -> int:
        """Return by how much the service's time is ahead of the machine's."""
        return self.now() - _machine_ns()

    def follow(self) -> None:
        """Follow the machine's clock: at once if that is far ahead, else slowly."""
        here = time.monotonic_ns()
        now = self.now(here)
        ahead = now - _machine_ns()
        rate = 1.0 if abs(ahead) <= NEAR else 1 - SLEW if ahead > 0 else 1 + SLEW
        if ahead < -STEP:
            log.warning("the clock of this machine went %.1f s forward", -ahead / 1e9)
            now, rate = now - ahead, 1.0
        if ahead > STEP and not self._is_ahead:
            log.warning(
                "the clock of this machine is %.1f s behind what was recorded: time runs "
                "slower until it is not",
                ahead / 1e9,
            )
        self._is_ahead = ahead > STEP
        self._since = here, now, rate

    def catch_up(self, now: int) -> None:
        """Move the time forward to ``now``, the time of another process, if that is later."""
        here = time.monotonic_ns()
        if now > self.now(here):
            self._since = here, now, self._since[2]


def _machine_ns() -> int:
    return time.time_ns()


CLOCK = ServiceClock()


def now() -> str:
    return as_time(now_in_ms())


def now_in_ms() -> int:
    """Return the time in milliseconds since 1970."""
    return CLOCK.now() // MS


def as_time(ms: int) -> str:
    """Return milliseconds since 1970 in RFC 3339."""
    return f"{_until_second(ms // 1000)}.{ms % 1000:03}Z"


@lru_cache(1024)
def _until_second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().removesuffix("+00:00")
