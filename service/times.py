"""Times as they are written everywhere, RFC 3339 in UTC to the millisecond, and the clock."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from domain.times import in_ms

__all__ = ["as_time", "in_ms", "now", "now_in_ms"]


def now() -> str:
    """Return the time as it is written."""
    return _written(datetime.now(UTC))


def now_in_ms() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def as_time(ms: int) -> str:
    """Return milliseconds since 1970 as a time is written."""
    return _written(datetime.fromtimestamp(ms / 1000, UTC))


def _written(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
