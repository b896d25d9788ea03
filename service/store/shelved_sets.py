"""Sorted sets of ids by time, whose older part is in the archive, in pages
(``service.store.shelves``).

``KEY``        id -> time in milliseconds since 1970
``KEY:pages``  the pages; if KEY has no braces, ``{KEY}:pages``, which is in the same slot

The rows of a page are earlier than those of later pages. The rows in Redis may be of any time, also
between those of pages: a game may be archived long after later ones. A row that is in Redis and in
a page is listed once. Each step of a read is one script, so that it sees a row wherever it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from redis import Redis

from service.errors import PageLost
from service.store.archive import Archive
from service.store.batches import batches_of
from service.store.scripts import Script
from service.store.shelves import Page, Pages, Place
from service.store.steps import Steps

# Rows in a page, and rows that stay in Redis, the last ones, so that the first page of a list needs
# no archive. Redis stores a set of at most 128 rows in a third of the room.
PAGE_ROWS, KEEP_ROWS = 75, 50
MAX_PAGES = 500  # pages in a file, at most
ALL = 1 << 40  # rows: more than there are
END: Place = (1 << 52, "")  # after all rows

# KEYS of all scripts: the set, its pages.
SEARCH = """
local function is_before(place, other)
  return place[1] < other[1] or (place[1] == other[1] and place[2] < other[2])
end
local function last_page_from(place, is_at)  -- the last page that begins before a place, or there
  local low, high = 0, redis.call('LLEN', KEYS[2])
  while low < high do
    local middle = math.floor((low + high) / 2)
    local first = cjson.decode(redis.call('LINDEX', KEYS[2], middle))[3]
    if is_before(first, place) or (is_at and not is_before(place, first)) then
      low = middle + 1
    else
      high = middle
    end
  end
  return low > 0 and redis.call('LINDEX', KEYS[2], low - 1), low
end
"""
# Returns rows in Redis, each as its id and time: the first that fit among those between two times.
READ = SEARCH + """
local place = {tonumber(ARGV[1]), ARGV[2]}
local function rows_between(command, start, stop, limit, fits)
  local found, read = {}, 0
  repeat
    local rows = redis.call(command, KEYS[1], start, stop, 'WITHSCORES', 'LIMIT', read, limit)
    for i = 1, #rows, 2 do
      if #found < 2 * limit and fits({tonumber(rows[i + 1]), rows[i]}) then
        table.insert(found, rows[i])
        table.insert(found, rows[i + 1])
      end
    end
    read = read + limit
  until #rows < 2 * limit or #found == 2 * limit
  return found
end
"""
# ARGV a place, the least time, how many rows. Returns the last rows before the place, each as its
# id and time, in descending order; and the last page that may have rows among them, or "".
NEWEST = READ + """
local least, limit = tonumber(ARGV[3]), tonumber(ARGV[4])
local found = rows_between('ZREVRANGEBYSCORE', ARGV[1], ARGV[3], limit, function(row)
  return is_before(row, place)
end)
local page = last_page_from(place)
if page then
  local last = cjson.decode(page)[4]
  if last[1] < least or (#found == 2 * limit
      and is_before(last, {tonumber(found[#found]), found[#found - 1]})) then
    page = false
  end
end
return {found, page or ''}
"""
# ARGV a place, how many rows. Returns the first rows after the place, each as its id and time, in
# ascending order; and the first page that has rows after the place, or "".
OLDEST = READ + """
local found = rows_between('ZRANGEBYSCORE', ARGV[1], '+inf', tonumber(ARGV[3]), function(row)
  return is_before(place, row)
end)
local page, number = last_page_from(place, true)
if not page or not is_before(place, cjson.decode(page)[4]) then
  page = redis.call('LINDEX', KEYS[2], number)
end
return {found, page or ''}
"""
# ARGV a place. Returns "1" if the set has its id in Redis, else the page that may have it, or "".
FIND = SEARCH + """
if redis.call('ZSCORE', KEYS[1], ARGV[2]) then return '1' end
local place = {tonumber(ARGV[1]), ARGV[2]}
local page = last_page_from(place, true)
return page and not is_before(cjson.decode(page)[4], place) and page or ''
"""
# Adds a page after the others, and removes its rows from Redis. ARGV the last page, "" if there is
# none, the new one, then its rows, each as its id and time. Returns 1, or 0 if something has
# changed and nothing was done.
PUSH = """
if (redis.call('LINDEX', KEYS[2], -1) or '') ~= ARGV[1] then return 0 end
for i = 3, #ARGV, 2 do
  if redis.call('ZSCORE', KEYS[1], ARGV[i]) ~= ARGV[i + 1] then return 0 end
end
redis.call('RPUSH', KEYS[2], ARGV[2])
for i = 3, #ARGV, 2 do redis.call('ZREM', KEYS[1], ARGV[i]) end
return 1
"""
# Removes the last page, and adds its rows to Redis. ARGV the page, its rows. Returns the same.
POP = """
if redis.call('LINDEX', KEYS[2], -1) ~= ARGV[1] then return 0 end
redis.call('RPOP', KEYS[2])
for i = 2, #ARGV, 2 do redis.call('ZADD', KEYS[1], 'NX', ARGV[i + 1], ARGV[i]) end
return 1
"""


class ShelvedSet(Pages):
    """A sorted set under a key, with its pages."""

    def __init__(self, redis: Redis, archive: Archive | None, key: str):
        super().__init__(redis, archive, f"{key if '{' in key else f'{{{key}}}'}:pages")
        self.key = key

    # Reading

    def part(
        self, answer: tuple[list[bytes], bytes], below: Place, since: int, limit: int
    ) -> tuple[list[Place], Place | None]:
        """Return the next rows, in descending order, and the place from which to go on, None at the
        end. ``answer`` is that of the script ``NEWEST``."""
        raw, page = answer
        rows = _rows_in(raw)
        is_full = len(rows) == limit
        if not page:
            return rows, rows[-1] if is_full else None
        first, shelved = Page.read(page).first, _places(self.rows(Page.read(page)))
        cut = max(first, rows[-1]) if is_full else first
        rows += [row for row in shelved if row[0] >= since and row < below]
        return sorted({row for row in rows if row >= cut}, reverse=True), cut

    def oldest(self, after: Place, limit: int) -> list[Place]:
        """Return the first rows after a place, in ascending order: at most ``limit``, none only if
        there are none. Raise ArchiveDown if a page cannot be read."""
        [[raw, page]] = _run(OLDEST, [(self, [*after, limit])])
        rows = _rows_in(raw)
        if page:
            last = Page.read(page).last
            rows = sorted({row for row in (*rows, *_places(self.rows(Page.read(page))))
                           if after < row <= last})
        return rows[:limit]

    def has(self, place: Place, answer: bytes) -> bool:
        """Return whether the set has a row. ``answer`` is that of the script ``FIND``."""
        at, some_id = place
        return answer == b"1" or (
            answer != b"" and self.rows(Page.read(answer)).get(some_id) == at)

    def ids(self) -> set[str]:
        """Return all ids, of Redis and of pages. Raise ArchiveDown if a page cannot be read."""
        members = {row.decode() for row, _ in self.redis.zscan_iter(self.key, count=1000)}
        for page in self.all_pages():  # after the others, so that a row that moves is there
            members.update(self.rows(page))
        return members

    # Writing

    def old_rows(self, before: int) -> list[Place]:
        """Return the rows in Redis that may move to pages: those before a time."""
        rows = self.redis.zrange(self.key, 0, -1 - KEEP_ROWS, withscores=True)
        return [(int(at), some_id.decode()) for some_id, at in rows if at < before]

    def next_pages(self, rows: Sequence[Place]) -> list[Sequence[Place]]:
        """Return the rows of the next pages, given rows that are in Redis, in their order. If pages
        have later rows, first take these pages back."""
        if len(rows) < PAGE_ROWS:
            return []
        rows = sorted({*rows, *self.fetch_back(rows[0])})
        return [rows[at : at + PAGE_ROWS] for at in range(0, len(rows) - PAGE_ROWS + 1, PAGE_ROWS)]

    def push(self, name: str, rows: Sequence[Place]) -> bool:
        """Remove rows from Redis that are in a page of this name, and add the page. Return False,
        having changed nothing, if one of them or the last page has changed."""
        last = self.redis.lindex(self.pages, -1) or b""
        total = len(rows) + (Page.read(last).total if last else 0)
        page = Page(name, len(rows), rows[0], rows[-1], total)
        is_last = not last or Page.read(last).last < rows[0]
        return is_last and self._run(PUSH, [last, page.as_row(), *_words(rows)])

    def fetch_back(self, place: Place) -> list[Place]:
        """Move pages back into Redis, so that no row from a place on is in a page; return the rows
        that were moved. Raise ArchiveDown if a page cannot be read."""
        places: list[Place] = []
        while (raw := self.redis.lindex(self.pages, -1)) and Page.read(raw).last >= place:
            rows = _places(self.rows(Page.read(raw)))
            if self._run(POP, [raw, *_words(rows)]):
                places += rows
        return places

    def fetch_back_last(self) -> None:
        """Move the last page back into Redis, if there is one."""
        if page := self.last_page():
            self.fetch_back(page.last)

    def drop_lost(self) -> None:
        """If pages are lost, move the first of them and those after it back into Redis, without
        the rows of lost ones. Raise ArchiveDown if the archive does not respond."""
        lost = [page.last for page in self.all_pages() if self._rows_if_there(page) is None]
        while lost and (raw := self.redis.lindex(self.pages, -1)) and (
                page := Page.read(raw)).last >= lost[0]:
            self._run(POP, [raw, *_words(self._rows_if_there(page) or [])])

    def _rows_if_there(self, page: Page) -> list[Place] | None:
        """Return the rows of a page, None if it is lost."""
        try:
            return _places(self.rows(page))
        except PageLost:
            return None

    def _run(self, text: str, args: Iterable[Any]) -> bool:
        return bool(Script(self.redis, text)([self.key, self.pages], args))


def newest(
    lists: Sequence[tuple[ShelvedSet, int]], below: Place = END, limit: int = ALL
) -> list[list[Place]]:
    """Return the last rows of each set below a place, and not before the time that is given with
    it, in descending order; the sets are read together. Raise ArchiveDown if a page cannot be
    read."""
    merged: list[list[Place]] = [[] for _ in lists]
    left = dict.fromkeys(range(len(lists)), below)
    while left:
        asked = [(*lists[i], place, limit - len(merged[i])) for i, place in left.items()]
        answers = _run(NEWEST, [(each, [*place, since, most])
                                for each, since, place, most in asked])
        for i, (each, since, place, most), answer in zip([*left], asked, answers, strict=True):
            rows, then = each.part(answer, place, since, most)
            merged[i] += rows[:most]
            if then is None or len(merged[i]) == limit:
                del left[i]
            else:
                left[i] = then
    return merged


def find(rows: Sequence[tuple[ShelvedSet, Place]]) -> list[bool]:
    """Return whether each set has a row; all are asked together. Raise ArchiveDown if a page cannot
    be read."""
    answers = _run(FIND, rows)
    return [shelved.has(place, answer)
            for (shelved, place), answer in zip(rows, answers, strict=True)]


def shelve(archive: Archive, lists: Iterable[tuple[ShelvedSet, Sequence[Place]]]) -> int:
    """Move rows of sets to the archive, as far as they fill pages; return how many. The rows of a
    set are in order. Raise ArchiveDown if they cannot be written."""
    count = 0
    pages = ((shelved, page) for shelved, rows in lists for page in shelved.next_pages(rows))
    for some in batches_of(MAX_PAGES, pages):
        names = archive.put_pages([{"rows": {row: at for at, row in page}} for _, page in some])
        for (shelved, page), name in zip(some, names, strict=True):
            count += len(page) if shelved.push(name, page) else 0
    return count


def _run(text: str, asked: Sequence[tuple[ShelvedSet, Sequence[Any]]]) -> list[Any]:
    """Run a script for several sets together; return the answers."""
    answers: list[Any] = [None] * len(asked)
    if asked:
        steps = Steps(asked[0][0].redis)
        for number, (shelved, args) in enumerate(asked):
            steps.run(text, [shelved.key, shelved.pages], args,
                      partial(answers.__setitem__, number))
        steps.execute()
    return answers


def _rows_in(raw: Sequence[bytes]) -> list[Place]:
    """Return the rows in the answer of a script: the id and the time of each."""
    return [(int(at), row.decode()) for row, at in zip(raw[::2], raw[1::2], strict=True)]


def _places(rows: Mapping[str, int]) -> list[Place]:
    return [(at, some_id) for some_id, at in rows.items()]


def _words(rows: Iterable[Place]) -> list[str | int]:
    """Return rows as arguments of a script: the id and the time of each."""
    return [word for at, some_id in rows for word in (some_id, at)]
