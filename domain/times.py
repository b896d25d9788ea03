"""Times in the form of histories: RFC 3339 in UTC, to the millisecond."""

import re
from calendar import monthrange
from collections.abc import Callable

_HOUR = re.compile(r"(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):", re.A)
_TIME = re.compile(rf"{_HOUR.pattern}[0-5]\d:[0-5]\d\.\d{{3}}Z", re.A)
# the rest of a time after its hour, in two pieces -> milliseconds; other texts are invalid
_SECONDS = {
    f"{minute:02}:{second:02}.": minute * 60_000 + second * 1000
    for minute in range(60)
    for second in range(60)
}
_THOUSANDTHS = {f"{ms:03}Z": ms for ms in range(1000)}


class Cached(dict[str, int]):
    """A cache of a function's results. If it has ``most`` results, drop all. A hit takes no
    function call, unlike ``lru_cache``."""

    def __init__(self, function: Callable[[str], int], most: int):
        self.function, self.most = function, most

    def __missing__(self, text: str) -> int:
        result = self.function(text)
        if len(self) >= self.most:
            self.clear()
        self[text] = result
        return result


def is_time(value: object) -> bool:
    match = _TIME.fullmatch(value) if isinstance(value, str) else None
    if not match:
        return False
    year, month, day = map(int, match.group(1, 2, 3))
    return (
        year > 0
        and 1 <= month <= 12
        and day >= 1
        and (day <= 28 or day <= monthrange(year, month)[1])
    )


def in_ms(at: str) -> int:
    """Return milliseconds since 1970; raise ValueError for another form (the day is unchecked)."""
    try:
        return _HOURS[at[:14]] + _SECONDS[at[14:20]] + _THOUSANDTHS[at[20:]]
    except LookupError:
        raise ValueError(f"{at} is no time") from None


def _hour_in_ms(hour: str) -> int:
    match = _HOUR.fullmatch(hour)
    if not match:
        raise LookupError(hour)
    year, month, day, hours = map(int, match.groups())
    # years begin in March, so that the leap day comes last
    year, month = (year, month - 3) if month > 2 else (year - 1, month + 9)
    days = 365 * year + year // 4 - year // 100 + year // 400 + (153 * month + 2) // 5 + day
    return ((days - 719_469) * 24 + hours) * 3_600_000


_HOURS = Cached(_hour_in_ms, 1024)  # a history has many times in a few hours
