"""One page of a list, and the cursor of the page after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from redis import Redis

from service.store.shelves import Shelf

Row = TypeVar("Row")


def page_of(
    rows: Sequence[Row], limit: int, cursor: Callable[[Row], str]
) -> tuple[list[Row], str | None]:
    """Return at most ``limit`` rows and the cursor of the last of them, None at the end of the
    list. To know the end, pass at least one row more than the limit."""
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
