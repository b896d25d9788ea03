"""Times as they are written everywhere, RFC 3339 in UTC to the millisecond, and the clock.

The clock of the machine may jump, by hand or by a time server's; the service's time does not. It
runs with the processor's own clock, which nobody sets. Beating (``service.games.clocks``), the
processes of a service agree on the time of the one that is ahead and see whether the machine's
clock has left them: where it went far forward they follow, and what was skipped counts as a pause;
where it went back, time runs slower until the two meet, and never backwards.
"""

from __future__ import annotations

import logging
import time
from datetime import UTC, datetime

from domain.times import in_ms

__all__ = ["CLOCK", "MS", "as_time", "in_ms", "now", "now_in_ms"]

MS = 1_000_000  # nanoseconds in a millisecond
STEP = 1_500_000_000  # nanoseconds further on that are no drift: the clock was set
NEAR = 20_000_000  # nanoseconds of difference that do not matter
SLEW = 0.1  # by how much faster or slower time runs until it meets the machine's

log = logging.getLogger(__name__)


class ServiceClock:
    """The time of one process, in nanoseconds since 1970."""

    def __init__(self) -> None:
        # what the processor's clock said, what time it was then, and how fast time runs since
        self._since = time.monotonic_ns(), _machine_ns(), 1.0
        self._is_ahead = False  # far ahead of the machine's when last seen

    def now(self) -> int:
        """Return the time; never less than before."""
        return self._at(time.monotonic_ns())

    def ahead(self) -> int:
        """Return by how much the service's time is ahead of the machine's."""
        return self.now() - _machine_ns()

    def follow(self) -> None:
        """Go after the machine's clock: at once if it is far ahead, slowly otherwise."""
        here = time.monotonic_ns()
        now = self._at(here)
        ahead = now - _machine_ns()
        rate = 1.0 if abs(ahead) <= NEAR else 1 - SLEW if ahead > 0 else 1 + SLEW
        if ahead < -STEP:
            log.warning("the clock of this machine went %.1f s forward", -ahead / 1e9)
            now, rate = now - ahead, 1.0
        if ahead > STEP and not self._is_ahead:
            log.warning("the clock of this machine is %.1f s behind what was recorded: time runs "
                        "slower until it is not", ahead / 1e9)
        self._is_ahead = ahead > STEP
        self._since = here, now, rate

    def catch_up(self, now: int) -> None:
        """Let it be at least so late: another process says so."""
        here = time.monotonic_ns()
        if now > self._at(here):
            self._since = here, now, self._since[2]

    def _at(self, here: int) -> int:
        then, at, rate = self._since
        return at + int((here - then) * rate)


def _machine_ns() -> int:
    return time.time_ns()


CLOCK = ServiceClock()


def now() -> str:
    """Return the time as it is written."""
    return as_time(now_in_ms())


def now_in_ms() -> int:
    """Return the time in milliseconds since 1970."""
    return CLOCK.now() // MS


def as_time(ms: int) -> str:
    """Return milliseconds since 1970 as a time is written."""
    moment = datetime.fromtimestamp(ms / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
