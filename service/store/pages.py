"""One page of a list, and the cursor of the page after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

from redis import Redis

from service.store.shelved_sets import END, ShelvedSet, newest
from service.store.shelves import Place, Shelf

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

    sets: Sequence[ShelvedSet]
    since: int | None = None
    until: int | None = None

    def after(self, cursor: str | None, limit: int) -> list[tuple[str, str]]:
        """Return the next (id, cursor) after a cursor "SCORE.ID", whose id may have left the sets.
        There are less than ``limit`` only at the end."""
        score, _, last = (cursor or "").partition(".")
        below = (int(score), last) if cursor else END
        if self.until is not None:
            below = min(below, (self.until, ""))
        sets = [(each, self.since or 0) for each in self.sets]
        share = limit if len(sets) == 1 else 2 * limit // len(sets) + 8  # mostly enough
        lists = newest(sets, below, share)
        first = _newest(lists, limit)
        for place, rows in enumerate(lists):
            is_enough = len(first) == limit and rows and rows[-1] < first[-1]
            if len(rows) == share < limit and not is_enough:
                [lists[place]] = newest([sets[place]], below, limit)
        return [(i, f"{at}.{i}") for at, i in _newest(lists, limit)]


def page_of_newest(
    read: Callable[[list[str]], Sequence[Row | None]], ids: NewestFirst, before: str | None,
    limit: int,
) -> tuple[list[Row], str | None]:
    """Return a page of rows and the cursor of the next page, None at the end. ``read`` returns the
    row of each id; rows that are None are left out. At most ``READ_AT_MOST`` ids are read, so a
    page before the last one may be short or empty."""
    rows: list[Row] = []
    asked, step = 0, limit
    while asked < READ_AT_MOST:
        places = ids.after(before, step)
        for (_, before), row in zip(places, read([i for i, _ in places]), strict=True):
            if row is not None:
                rows.append(row)
                if len(rows) == limit:
                    return rows, before
        if len(places) < step:
            return rows, None
        asked += len(places)
        step = max(limit, min(STEP, READ_AT_MOST - asked))
    return rows, before


def _newest(rows: Iterable[list[Place]], limit: int) -> list[Place]:
    return sorted(chain.from_iterable(rows), reverse=True)[:limit]
