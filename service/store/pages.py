"""One page of a list, and the cursor of the page after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any, TypeVar

from redis import Redis

from service.store.shelves import Shelf

Row = TypeVar("Row")
READ_AT_MOST = 1000  # rows of sorted sets that are read for one page
STEP = 100  # rows that are read at a time once the first have not filled the page


def page_of(
    rows: Sequence[Row], limit: int, cursor: Callable[[Row], str]
) -> tuple[list[Row], str | None]:
    """Return at most ``limit`` rows and the cursor of the last of them; the cursor is None at the
    end of the list. Pass at least one row more than the limit if there is one."""
    page = [*rows[:limit]]
    return page, cursor(page[-1]) if len(rows) > limit else None


def page_of_lines(
    redis: Redis, key: str, start: str, before: str | None, limit: int, *, digits: int,
    cursor: Callable[[list[str]], str] = ".".join, shelf: Shelf | None = None,
) -> tuple[list[list[str]], str | None]:
    """Return a page of the lines of a sorted set that begin with ``start``, in descending order of
    their bytes, and the cursor of the next page, None at the end.

    A line is "START NUMBER ID", the number padded to so many digits; it is returned as its number
    and id. A cursor is "NUMBER.ID"; ``cursor`` writes it. If there is a ``shelf``, its pages have
    the earlier lines."""
    below = line_of(start, before, digits)
    if shelf:
        lines = [line for line, _ in shelf.newest(key, start, below, limit + 1)]
    else:
        lines = [line.decode() for line in redis.zrevrangebylex(
            key, f"({below or f'{start} :'}", f"[{start} ", start=0, num=limit + 1)]
    return page_of([line.split(" ")[-2:] for line in lines], limit, cursor)


def line_of(start: str, before: str | None, digits: int) -> str | None:
    """Return the line that a cursor "NUMBER.ID" stands for, None without a cursor."""
    number, _, some_id = (before or "").partition(".")
    return f"{start} {int(number):0{digits}d} {some_id}" if before else None


def without_zeros(row: list[str]) -> str:
    """Return the cursor of a line without the zeros that its number is padded with."""
    return f"{int(row[0])}.{row[1]}"


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
        """Return the (id, cursor) of the next ``limit`` members after a cursor "SCORE.ID", fewer
        only at the end. The cursor's id need not be in a set any more."""
        score, _, last = (cursor or "+inf.").partition(".")
        if self.until is not None and (cursor is None or int(score) >= self.until):
            score, last = f"({self.until}", ""
        share = limit if len(self.keys) == 1 else 2 * limit // len(self.keys) + 8  # mostly enough
        pipe = self.redis.pipeline(transaction=False)
        for key in self.keys:
            self._ask(pipe, key, score, 0, share)
        pages = pipe.execute()
        rows = [[*_below(page, score, last)] for page in pages]
        newest = _newest(rows, limit)
        end = newest[-1] if len(newest) == limit else None
        for place, page in enumerate(pages):
            is_enough = end and rows[place] and rows[place][-1] < end
            if len(page) == share and not is_enough:
                rows[place] = self._rows_of(self.keys[place], score, last, limit)
        return [(i, f"{at}.{i}") for at, i in _newest(rows, limit)]

    def _rows_of(self, key: str, score: str, last: str, limit: int) -> list[tuple[int, str]]:
        """Return the next (score, id) of one set."""
        rows: list[tuple[int, str]] = []
        for start in count(0, limit):
            page = self._ask(self.redis, key, score, start, limit)
            rows += _below(page, score, last)
            if len(rows) >= limit or len(page) < limit:
                break
        return rows[:limit]

    def _ask(self, redis: Redis, key: str, score: str, start: int, num: int) -> Any:
        least = "-inf" if self.since is None else self.since
        return redis.zrevrangebyscore(key, score, least, start=start, num=num, withscores=True,
                                      score_cast_func=float)


def page_of_newest(
    read: Callable[[list[str]], Sequence[Row | None]], ids: NewestFirst, before: str | None,
    limit: int,
) -> tuple[list[Row], str | None]:
    """Return a page of rows and the cursor of the next page, None at the end. ``read`` returns the
    row of each id; rows that are None are left out. At most ``READ_AT_MOST`` ids are read, so a
    page before the last one may be short or empty."""
    found: list[Row] = []
    asked, step = 0, limit
    while asked < READ_AT_MOST:
        places = ids.after(before, step)
        for (_, before), row in zip(places, read([i for i, _ in places]), strict=True):
            if row is not None:
                found.append(row)
                if len(found) == limit:
                    return found, before
        if len(places) < step:
            return found, None
        asked += len(places)
        step = max(limit, min(STEP, READ_AT_MOST - asked))
    return found, before


def _newest(rows: Iterable[list[tuple[int, str]]], limit: int) -> list[tuple[int, str]]:
    return sorted(chain.from_iterable(rows), reverse=True)[:limit]


def _below(
    page: Iterable[tuple[bytes, float]], score: str, last: str
) -> Iterator[tuple[int, str]]:
    """Yield (score, id) of the members that come after a cursor."""
    for member, at in page:
        if str(int(at)) != score or member.decode() < last:
            yield int(at), member.decode()
