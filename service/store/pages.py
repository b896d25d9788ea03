"""One page of a list, and the cursor of the page after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

from redis import Redis

from service.store.scripts import Script
from service.store.steps import Steps

Place = tuple[int, str]  # of a member of a sorted set: its score and the member
Row = TypeVar("Row")
READ_AT_MOST = 1000  # rows of sorted sets that are read for one page
STEP = 100  # rows that are read at a time once the first have not filled the page
END: Place = (1 << 52, "")  # after all rows

# Returns members of a sorted set and their scores: the first ones after a place. ARGV the command
# that reads them in their order, the place, the last score, how many.
ROWS = """
local command, at, id, stop, limit = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], tonumber(ARGV[5])
local rows, read = {}, 0
repeat
  local more = redis.call(command, KEYS[1], at, stop, 'WITHSCORES', 'LIMIT', read, limit)
  for i = 1, #more, 2 do
    local is_after = more[i] > id
    if command == 'ZREVRANGEBYSCORE' then is_after = more[i] < id end
    if is_after or tonumber(more[i + 1]) ~= at then
      table.insert(rows, more[i])
      table.insert(rows, more[i + 1])
      if #rows == 2 * limit then return rows end
    end
  end
  read = read + limit
until #more < 2 * limit
return rows
"""


def page_of(
    rows: Sequence[Row], limit: int, cursor: Callable[[Row], str]
) -> tuple[list[Row], str | None]:
    """Return at most ``limit`` rows and the cursor of the last of them; the cursor is None at the
    end of the list. Pass at least one row more than the limit if there is one."""
    page = [*rows[:limit]]
    return page, cursor(page[-1]) if len(rows) > limit else None


def page_of_lines(
    redis: Redis, key: str, start: str, before: str | None, limit: int, *, digits: int,
) -> tuple[list[list[str]], str | None]:
    """Return a page of the lines of a sorted set that begin with ``start``, in descending order of
    their bytes, and the cursor of the next page, None at the end.

    A line is "START NUMBER ID", the number padded to so many digits; it is returned as its number
    and id. A cursor is "NUMBER.ID"."""
    number, _, some_id = (before or "").partition(".")
    below = f"{start} {int(number):0{digits}d} {some_id}" if before else f"{start} :"
    lines = [line.decode() for line in redis.zrevrangebylex(
        key, f"({below}", f"[{start} ", start=0, num=limit + 1)]
    return page_of([line.split(" ")[-2:] for line in lines], limit, ".".join)


@dataclass(frozen=True)
class NewestFirst:
    """The members of several sorted sets, merged: the highest score first, equal scores by id from
    the last to the first. Scores are milliseconds since 1970, from ``since`` (included) to
    ``until`` (excluded)."""

    redis: Redis
    keys: Sequence[str]
    since: int | None = None
    until: int | None = None

    def after(self, cursor: str | None, limit: int) -> list[tuple[str, str]]:
        """Return the next (id, cursor) after a cursor "SCORE.ID", whose id may have left the sets.
        There are less than ``limit`` only at the end."""
        score, _, last = (cursor or "").partition(".")
        below = (int(score), last) if cursor else END
        if self.until is not None:
            below = min(below, (self.until, ""))
        share = limit if len(self.keys) == 1 else 2 * limit // len(self.keys) + 8  # mostly enough
        rows = self._newest(self.keys, below, share)
        first = _newest(rows, limit)
        for number, some in enumerate(rows):
            is_enough = len(first) == limit and some and some[-1] < first[-1]
            if len(some) == share < limit and not is_enough:
                [rows[number]] = self._newest([self.keys[number]], below, limit)
        return [(i, f"{at}.{i}") for at, i in _newest(rows, limit)]

    def _newest(self, keys: Sequence[str], below: Place, limit: int) -> list[list[Place]]:
        """Return the last rows of each set below a place, in descending order."""
        steps = Steps(self.redis)
        for key in keys:
            steps.run(ROWS, [key], ["ZREVRANGEBYSCORE", *below, self.since or 0, limit])
        return [_places(raw) for raw in steps.execute()]


def oldest(redis: Redis, key: str, after: Place, limit: int) -> list[Place]:
    """Return the first rows of a sorted set after a place, in ascending order."""
    return _places(Script(redis, ROWS)([key], ["ZRANGEBYSCORE", *after, "+inf", limit]))


def page_of_newest(
    read: Callable[[list[str]], Sequence[Row | None]], ids: NewestFirst, before: str | None,
    limit: int,
) -> tuple[list[Row], str | None]:
    """Return a page of rows and the cursor of the next page, None at the end. ``read`` returns the
    row of each id; rows that are None are left out. At most ``READ_AT_MOST`` ids are read, so a
    page before the last one may be short or empty."""
    page: list[Row] = []
    asked, step = 0, limit
    while asked < READ_AT_MOST:
        places = ids.after(before, step)
        for (_, before), row in zip(places, read([i for i, _ in places]), strict=True):
            if row is not None:
                page.append(row)
                if len(page) == limit:
                    return page, before
        if len(places) < step:
            return page, None
        asked += len(places)
        step = max(limit, min(STEP, READ_AT_MOST - asked))
    return page, before


def _newest(rows: Iterable[list[Place]], limit: int) -> list[Place]:
    return sorted(chain.from_iterable(rows), reverse=True)[:limit]


def _places(raw: Sequence[bytes]) -> list[Place]:
    return [(int(at), member.decode()) for member, at in zip(raw[::2], raw[1::2], strict=True)]
