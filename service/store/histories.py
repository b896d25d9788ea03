"""Histories as Redis holds them: one stream for each game and each tournament, one entry for each
thing done. Nothing outside this room opens a stream, and nothing in it but this module.

``{TAG:ID}:log``       the history. Entry ``0-VERSION`` has the fields ``e``, its text, and ``h``,
                       its hash, which covers the one before (``domain.entry``).
``{TAG:ID}:head``      what lists show of it, as JSON; derived, written with each entry.
``{TAG:ID}:imported``  there if the history comes from elsewhere; not derived.

The braces put all that belongs to one history on one node of a cluster. Everything else is an
index, derived from the streams.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

import orjson
from redis import Redis

from service.store.news import NEWS

PAGE = 1000  # entries read at a time
Written = tuple[bytes, str]  # an entry's text and its hash

# KEYS log, head, then those of the kind's own lines. ARGV the version and hash that the new entry
# follows, its text, its hash, the head, the channel and message of the news, then the kind's own.
# Returns {0, version} when the history has another end, {2} when ``guard`` refuses, else {1, what
# ``also`` has set as ``answer``}. Nothing is written unless the end is the very one that was
# decided on: so there is never a gap, not even after a failover that lost entries.
APPEND = """
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local version, hash = 0, ''
if last then
  version = tonumber(string.sub(last[1], 3))
  hash = last[2][4]
end
if version ~= tonumber(ARGV[1]) or hash ~= ARGV[2] then return {0, version} end
GUARD
redis.call('XADD', KEYS[1], '0-' .. (version + 1), 'e', ARGV[3], 'h', ARGV[4])
redis.call('SET', KEYS[2], ARGV[5])
local answer = 0
ALSO
redis.call('PUBLISH', ARGV[6], ARGV[7])
return {1, answer}
"""

# KEYS log, head, the mark of what comes from elsewhere. ARGV the head, then text, hash, text,
# hash ... Returns 1 if they have become the history, 0 if there is one already.
PUT = """
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
for i = 2, #ARGV, 2 do
  redis.call('XADD', KEYS[1], '0-' .. (i / 2), 'e', ARGV[i], 'h', ARGV[i + 1])
end
redis.call('SET', KEYS[2], ARGV[1])
redis.call('SET', KEYS[3], '1')
return 1
"""


class Conflict(Exception):
    """The history has moved on since the state that was decided on, to a ``version``."""

    def __init__(self, version: int = 0):
        super().__init__()
        self.version = version


class Guarded(Exception):
    """The kind's own ``guard`` let nothing be written."""


class Histories:
    """The histories of one kind in one Redis."""

    letter: ClassVar[str]  # that their ids begin with
    tag: ClassVar[str]  # that their keys begin with
    guard: ClassVar[str] = ""  # Lua before an entry is written: ``return {2, 0}`` refuses it
    also: ClassVar[str] = ""  # Lua beside an entry: it may set ``answer``

    def __init__(self, redis: Redis):
        self.redis = redis
        self._append = redis.register_script(
            APPEND.replace("GUARD", self.guard).replace("ALSO", self.also))
        self._put = redis.register_script(PUT)

    @classmethod
    def key(cls, some_id: str, part: str) -> str:
        """Return a key of something: of its log, its head, or whatever belongs to it."""
        return f"{{{cls.tag}:{some_id}}}:{part}"

    @classmethod
    def is_id(cls, name: str) -> bool:
        """Return whether something may be called so here."""
        return re.fullmatch(rf"{cls.letter}_[0-9a-f]{{20}}", name) is not None

    def ids(self) -> Iterator[str]:
        """Yield the id of everything that has a history, in no order."""
        for key in self.redis.scan_iter(self.key("*", "log"), count=1000):
            yield key.decode().partition(":")[2].removesuffix("}:log")

    def has(self, some_id: str) -> bool:
        """Return whether something has a history here."""
        return bool(self.redis.exists(self.key(some_id, "log")))

    def entries(self, some_id: str, after: int = 0, until: int | None = None) -> Iterator[Written]:
        """Yield (text, hash) of the entries after a version, up to another."""
        log, last = self.key(some_id, "log"), "+" if until is None else f"0-{until}"
        while page := self.redis.xrange(log, f"(0-{after}", last, count=PAGE):
            yield from map(_written, page)
            if len(page) < PAGE:
                return
            after = int(page[-1][0].partition(b"-")[2])

    def whole(self, ids: Iterable[str]) -> list[list[Written]]:
        """Return all entries of each of these, which are read at once."""
        pipe = self.redis.pipeline(transaction=False)
        for some_id in ids:
            pipe.xrange(self.key(some_id, "log"))
        return [[_written(row) for row in rows] for rows in pipe.execute()]

    def ends(self, some_id: str) -> tuple[int, bytes, bytes] | None:
        """Return the last version and the texts of the first and the last entry, None if there is
        none."""
        pipe, log = self.redis.pipeline(transaction=False), self.key(some_id, "log")
        pipe.xrange(log, count=1)
        pipe.xrevrange(log, count=1)
        first, last = pipe.execute()
        if not first:
            return None
        return int(last[0][0].partition(b"-")[2]), _written(first[0])[0], _written(last[0])[0]

    def heads(self, ids: Iterable[str]) -> list[Any]:
        """Return what lists show of these, None where there is no such one."""
        pipe = self.redis.pipeline(transaction=False)
        for some_id in ids:
            pipe.get(self.key(some_id, "head"))
        return [orjson.loads(raw) if raw else None for raw in pipe.execute()]

    def are_imported(self, ids: Iterable[str]) -> list[bool]:
        """Return of each whether its history comes from elsewhere."""
        pipe = self.redis.pipeline(transaction=False)
        for some_id in ids:
            pipe.exists(self.key(some_id, "imported"))
        return [bool(found) for found in pipe.execute()]

    def append_text(
        self,
        some_id: str,
        after: tuple[int, str],
        text: bytes,
        entry_hash: str,
        head: Any,
        keys: Sequence[str] = (),
        args: Sequence[Any] = (),
    ) -> int:
        """Write an entry ``after`` a version with its hash, and the head; give ``keys`` and
        ``args`` to the kind's own lines, and return their ``answer``. Raise Conflict, or Guarded,
        and write nothing, unless that is where the history ends and the guard lets it."""
        version, previous = after
        done, answer = self._append(
            keys=[self.key(some_id, "log"), self.key(some_id, "head"), *keys],
            args=[version, previous, text, entry_hash, orjson.dumps(head), NEWS,
                  f"{some_id} {version + 1}", *args])
        if done == 2:
            raise Guarded
        if not done:
            raise Conflict(answer)
        return answer

    def put_texts(self, some_id: str, history: Iterable[Written], head: Any) -> bool:
        """Make entries from elsewhere a whole history; return whether they became that, which they
        do unless there is one."""
        return bool(self._put(
            keys=[self.key(some_id, part) for part in ("log", "head", "imported")],
            args=[orjson.dumps(head), *(part for row in history for part in row)]))

    def put_head(self, some_id: str, head: Any) -> None:
        """Write what lists show anew."""
        self.redis.set(self.key(some_id, "head"), orjson.dumps(head))


def _written(row: Any) -> Written:
    _, fields = row
    return fields[b"e"], fields[b"h"].decode()
