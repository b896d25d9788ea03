"""Times as histories have them: RFC 3339 in UTC, to the millisecond."""

from __future__ import annotations

import re

_TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)\.(\d{3})Z", re.A)


def is_time(value: object) -> bool:
    """Return whether a value is a time as histories have it."""
    found = _TIME.fullmatch(value) if isinstance(value, str) else None
    if not found:
        return False
    year, month, day = map(int, found.group(1, 2, 3))
    return year > 0 and 1 <= month <= 12 and 1 <= day <= _days_in(year, month)


def in_ms(at: str) -> int:
    """Return a time in milliseconds since 1970."""
    found = _TIME.fullmatch(at)
    if not found:
        raise ValueError(f"{at} is no time")
    year, month, day, hour, minute, second, ms = map(int, found.groups())
    # counted in years that begin in March, so that the leap day comes last
    year, month = (year, month - 3) if month > 2 else (year - 1, month + 9)
    days = 365 * year + year // 4 - year // 100 + year // 400 + (153 * month + 2) // 5 + day
    return (((days - 719_469) * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + ms


def _days_in(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31
