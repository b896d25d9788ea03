"""Lists whose older part is in the archive, in pages. (``service.store.shelved_sets`` has those
that are one sorted set by time.)

``PREFIX:pages``  the pages, the earliest first, each as JSON: its name in the archive, the number
                  of its rows, the places of the first and the last row; in those of sorted sets
                  also the number of rows in all pages up to this one
``PREFIX:paged``  start of lines -> the numbers of the pages that have such lines: "0-4 7"

A line is "START NUMBER ID". A page has lines, and a row of data for each id. Its rows are earlier
than those of later pages and than all rows that are still in Redis. A page is written before its
rows leave Redis, and is never changed. If a row of a page has to change, the pages from that one on
are taken back into Redis. Pages that Redis does not refer to stay in the archive.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import orjson
from redis import Redis

from service.errors import ArchiveDown
from service.store.archive import Archive
from service.store.conflicts import Conflict, retry
from service.store.scripts import Script
from service.store.versioned import Commands, Versioned

Place = tuple[int, str]  # of a row: the number that orders it, and its id
ROWS = 200  # in a page
# the rows of a page: their places, the lines, the data of each id
Rows = tuple[Sequence[Place], Sequence[str], dict[str, Any]]
TRIES = 20  # attempts to read a list while its pages move, or to move a page while the list changes
NOWHERE = Archive()  # of a process that reads no pages

# KEYS the lines in Redis, the numbers of pages. ARGV the highest and the lowest line, how many
# lines, the start of the lines. Returns the lines and the numbers of the pages that have more.
READ = """
return {redis.call('ZREVRANGEBYLEX', KEYS[1], ARGV[1], ARGV[2], 'LIMIT', 0, ARGV[3]),
        redis.call('HGET', KEYS[2], ARGV[4]) or ''}
"""


class Page(NamedTuple):
    """A page: its name in the archive, the number of its rows, the places of the first and the last
    row, the number of rows in all pages up to this one (0 if it is not stored)."""

    name: str
    size: int
    first: Place
    last: Place
    total: int = 0

    @staticmethod
    def read(raw: bytes) -> Page:
        """Return the page that ``as_row`` describes."""
        name, size, first, last, *total = orjson.loads(raw)
        return Page(name, size, (first[0], first[1]), (last[0], last[1]), *total)

    def as_row(self) -> str:
        """Return the stored form of the page."""
        return orjson.dumps([*self] if self.total else [*self[:-1]]).decode()


class Pages:
    """The pages of a list, under the key ``pages``."""

    def __init__(self, redis: Redis, archive: Archive | None, pages: str):
        self.redis, self.archive, self.pages = redis, archive or NOWHERE, pages

    def last_page(self) -> Page | None:
        """Return the last page, None if there is none."""
        return self._page(-1)

    def all_pages(self) -> Iterator[Page]:
        """Yield all pages."""
        for raw in self.redis.lrange(self.pages, 0, -1):
            yield Page.read(raw)

    def rows(self, page: Page) -> dict[str, Any]:
        """Return the rows of a page by id. Raise ArchiveDown if it cannot be read."""
        return self.archive.page(page.name)["rows"]

    def lines(self, page: Page) -> list[str]:
        """Return the lines of a page, in order. Raise ArchiveDown if it cannot be read."""
        return self.archive.page(page.name)["lines"]

    def _page(self, number: int) -> Page | None:
        raw = self.redis.lindex(self.pages, number)
        return Page.read(raw) if raw else None


class Shelf(Pages):
    """The pages under a prefix of keys."""

    def __init__(self, redis: Redis, archive: Archive | None, prefix: str):
        super().__init__(redis, archive, f"{prefix}pages")
        self.paged = f"{prefix}paged"
        self.keys = self.pages, self.paged

    # Reading

    def row(self, place: Place) -> Any | None:
        """Return the row of a place, None if no page has it."""
        count = self.redis.llen(self.pages)
        number = bisect_left(range(count), place, key=self._end)
        page = self._page(number) if number < count else None
        return self.rows(page).get(place[1]) if page and place >= page.first else None

    def newest(
        self, key: str, start: str, below: str | None, limit: int
    ) -> list[tuple[str, Any | None]]:
        """Return the last lines that begin with ``start``, in descending order, from Redis' sorted
        set ``key`` and then from pages: those less than ``below`` if it is given. Each has its row
        with it if that is in a page. Raise ArchiveDown if a page cannot be read."""
        top = f"({below}" if below else f"({start} :"
        for _ in range(TRIES):
            raw, numbers = Script(self.redis, READ)(
                [key, self.paged], [top, f"[{start} ", limit, start])
            entries: list[tuple[str, Any | None]] = [(line.decode(), None) for line in raw]
            for number in reversed(self._up_to(numbers_in(numbers.decode()), start, below)):
                if len(entries) >= limit:
                    break
                if (page := self._page(number)) is None:
                    break  # it was taken back into Redis meanwhile
                lines, rows = self.lines(page), self.rows(page)
                here = lines[bisect_left(lines, f"{start} ") : bisect_left(
                    lines, below or f"{start} :")]
                entries += [(line, rows.get(line.rpartition(" ")[2]))
                          for line in here[: -limit - 1 : -1]]
            else:
                return entries[:limit]
            if len(entries) >= limit:
                return entries[:limit]
        raise ArchiveDown("pages of this list kept moving; try again")

    def _up_to(self, numbers: Sequence[int], start: str, below: str | None) -> Sequence[int]:
        """Return the pages that may have lines less than ``below``."""
        if below is None or not numbers:
            return numbers
        number, some_id = below.removeprefix(f"{start} ").split(" ")
        first = bisect_left(numbers, (int(number), some_id), key=self._end)
        return numbers[: first + 1]

    def _end(self, number: int) -> Place:
        page = self._page(number)
        return page.last if page else (1 << 62, "")

    # Writing

    def write(self, places: Sequence[Place], lines: Iterable[str], rows: dict[str, Any]) -> Page:
        """Write a page to the archive; ``push`` then adds it. Raise ArchiveDown if it cannot be
        written, or read again."""
        name = self.archive.put_page({"lines": sorted(lines), "rows": rows})
        return Page(name, len(places), places[0], places[-1])

    def move(
        self, keys: Versioned, next_rows: Callable[[], Rows | None],
        leave: Callable[[Page], Commands],
    ) -> int:
        """Move rows to the archive, a page at a time; return how many. ``keys`` are the list's and
        these pages'. ``next_rows`` returns the rows of the next page, None if there are not enough,
        and ``leave`` the commands that remove the rows of a page. Stop if others change the list
        too often. Raise ArchiveDown if a page cannot be written."""
        count, rows, page = 0, None, None

        def attempt() -> int:
            nonlocal rows, page
            version, newer = keys.version(), next_rows()
            if newer is None:
                return 0
            if page is None or newer != rows:  # else the page was written before a conflict
                rows, page = newer, self.write(*newer)
            if not keys.change(version, [*self.push(page), *leave(page)]):
                raise Conflict
            return page.size

        with suppress(Conflict):
            while size := retry(attempt, TRIES):
                count += size
        return count

    def push(self, page: Page) -> list[list[str]]:
        """Return the commands that add a page after the others."""
        number = self.redis.llen(self.pages)
        return [["RPUSH", self.pages, page.as_row()],
                ["HSET", self.paged, *(x for start, numbers in self._numbers(page) for x in (
                    start, text_of([*numbers, range(number, number + 1)])))]]

    def pop(self, page: Page) -> list[list[str]]:
        """Return the commands that remove the last page."""
        left = {start: text_of([*numbers[:-1], numbers[-1][:-1]])
                for start, numbers in self._numbers(page)}
        return [["LTRIM", self.pages, "0", "-2"],
                ["HSET", self.paged, *(x for row in left.items() if row[1] for x in row)],
                ["HDEL", self.paged, *(start for start, text in left.items() if not text)]]

    def _numbers(self, page: Page) -> list[tuple[str, list[range]]]:
        """Return the starts of a page's lines, each with the numbers of the pages that have it."""
        starts = list(dict.fromkeys(line.rsplit(" ", 2)[0] for line in self.lines(page)))
        counts = self.redis.hmget(self.paged, starts) if starts else ()
        return [(start, ranges_in((raw or b"").decode()))
                for start, raw in zip(starts, counts, strict=True)]


def ranges_in(text: str) -> list[range]:
    """Return the ranges of numbers in a text such as "0-4 7"."""
    ends = (part.split("-") for part in text.split())
    return [range(int(part[0]), int(part[-1]) + 1) for part in ends]


def numbers_in(text: str) -> list[int]:
    """Return the numbers in a text such as "0-4 7"."""
    return [number for part in ranges_in(text) for number in part]


def text_of(numbers: Collection[range]) -> str:
    """Return ranges of numbers, which are in order, as text such as "0-4 7"."""
    joined: list[range] = []
    for part in filter(None, numbers):
        if joined and joined[-1].stop == part.start:
            joined[-1] = range(joined[-1].start, part.stop)
        else:
            joined.append(part)
    return " ".join(f"{part.start}-{part[-1]}" if len(part) > 1 else f"{part.start}"
                    for part in joined)
