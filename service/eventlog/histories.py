"""Histories in Redis: one stream for each, one entry for each command.
Only this module and its scripts use the streams.

``{TAG:ID}:log``       the history. Entry ``0-VERSION`` has the fields ``e``, its text, and ``h``,
                       its hash, which covers the one before (``domain.entry``), and ``n``,
                       random bytes of the call that wrote it (``append.lua``).
``{TAG:ID}:head``      what lists show, as JSON; derived, written with each entry.
``{TAG:ID}:imported``  exists if the history comes from elsewhere; not derived.
``{TAG:ID}:news``      the channel on which entries are announced (``service.redis.news``).

The braces put all keys of one history on one node of a cluster. All other keys of a history are
indexes, derived from its stream.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import orjson
from redis import Redis

from domain.entry import hash_after
from domain.errors import BrokenHistory
from service.redis.scripts import Script

Written = tuple[bytes, str]  # an entry's text and its hash
End = tuple[int, str]  # the version and the hash of a history's last entry
Row = tuple[bytes, dict[bytes, bytes]]  # an entry as it lies in Redis: its id, its fields
Place = tuple[int, str]  # in lists by creation: when, in milliseconds since 1970, and the id
PAGE = 1000  # entries read at a time
REMEMBERED = 30 * 86_400  # seconds for which a deleted history is not taken for a lost one
PUT, REMOVE = Script(__file__, "put.lua"), Script(__file__, "remove.lua")


class Records:
    """The recorded histories of one kind. This base class has none, for stores without a database;
    ``service.records.reading`` reads those of a database."""

    def has(self, some_id: str) -> bool:
        """Return whether one is recorded."""
        return False

    def histories(self, ids: Sequence[str]) -> Mapping[str, list[Written]]:
        """Return the histories of these ids, as far as they are recorded."""
        return {}

    def heads(self, ids: Sequence[str]) -> Mapping[str, Any]:
        return {}

    def ends(self, ids: Sequence[str]) -> Mapping[str, End]:
        return {}

    def imported(self, ids: Sequence[str]) -> set[str]:
        return set()

    def board_table(self, digest: str) -> str | None:
        """Return the table of a board that a recorded game was played on, as JSON."""
        return None

    def newest(
        self, which: Any, below: Place, limit: int
    ) -> tuple[Mapping[Place, Any], Place | None]:
        """Return the heads of the newest items below a place that a filter may match, by their
        places: time of creation and id. Also return the place of the last row read, None at the
        end."""
        return {}, None

    def over(self, account: str, since: int) -> set[str]:
        """Return those that an account has got notices of since a time, in milliseconds since 1970,
        for example that a game is over, or that an invitation to it was declined."""
        return set()

    def count(self) -> int:
        return 0


class Histories:
    """The histories of one kind: those in Redis, and the recorded ones that have left it."""

    letter: ClassVar[str]  # the first of each id
    tag: ClassVar[str]  # the first part of each key

    def __init__(self, redis: Redis, records: Records | None = None):
        self.redis, self.records = redis, records or Records()

    @classmethod
    def key(cls, some_id: str, part: str) -> str:
        """Return a key of a history: that of its log, its head or another part."""
        return f"{{{cls.tag}:{some_id}}}:{part}"

    @classmethod
    def is_id(cls, name: str) -> bool:
        return re.fullmatch(rf"{cls.letter}_[0-9a-f]{{20}}", name) is not None

    def ids(self, part: str = "log") -> set[str]:
        """Return the ids that have a key: all that have a history here."""
        return {
            key.decode().partition(":")[2].removesuffix(f"}}:{part}")
            for key in self.redis.scan_iter(self.key("*", part), count=1000)
        }

    def has(self, some_id: str) -> bool:
        return bool(self.redis.exists(self.key(some_id, "log")) or self.records.has(some_id))

    def entries(self, some_id: str, after: int = 0, until: int | None = None) -> Iterator[Written]:
        """Yield (text, hash) of the entries after a version, up to another."""
        log, last = self.key(some_id, "log"), "+" if until is None else f"0-{until}"
        while page := self.redis.xrange(log, f"(0-{after}", last, count=PAGE):
            yield from map(_written, page)
            if len(page) < PAGE:
                return
            after = int(page[-1][0].partition(b"-")[2])
        if not self.redis.exists(log):
            yield from self.records.histories([some_id]).get(some_id, ())[after:until]

    def rows(self, ids: Iterable[str]) -> list[list[Row]]:
        return rows_of(self.redis, [self.key(some_id, "log") for some_id in ids])

    def ends(self, ids: Sequence[str]) -> dict[str, End]:
        """Return the last entries of these histories, as far as they are in Redis."""
        pipe = self.redis.pipeline(transaction=False)
        for some_id in ids:
            pipe.xrevrange(self.key(some_id, "log"), count=1)
        return {
            some_id: (int(row[0].partition(b"-")[2]), row[1].get(b"h", b"").decode())
            for some_id, rows in zip(ids, pipe.execute(), strict=True)
            for row in rows
        }

    def remove(
        self, some_id: str, version: int, last_hash: str, *, is_recorded: bool = False
    ) -> bool:
        """Delete a history for good, or with ``is_recorded`` only from Redis. Return False, having
        changed nothing, if its last version and hash are others."""
        keys = {
            part: self.key(some_id, part)
            for part in ("log", "gone", "head", "bots", "imported", "lost", "told", "faults")
        }
        return bool(
            REMOVE(
                self.redis,
                **keys,
                version=version,
                hash=last_hash,
                remembered=0 if is_recorded else REMEMBERED,
            )
        )

    def is_gone(self, some_id: str) -> bool:
        """Return whether a missing history was deleted, and not lost."""
        return bool(self.redis.exists(self.key(some_id, "gone")))

    def heads(self, ids: Iterable[str]) -> list[Any]:
        """Return the heads of these histories, None for one that is missing or unreadable."""
        ids = [*ids]
        here = dict(zip(ids, self.live_heads(ids), strict=True))
        if gone := [some_id for some_id in ids if here[some_id] is None]:
            here |= self.records.heads(gone)
        return [here[some_id] for some_id in ids]

    def live_heads(self, ids: Iterable[str]) -> list[Any]:
        """Return the heads that are in Redis, None for others. For work on unfinished games, which
        needs no database."""
        pipe = self.redis.pipeline(transaction=False)
        for some_id in ids:
            pipe.get(self.key(some_id, "head"))
        return [*map(_head, pipe.execute())]

    def imported(self, ids: Iterable[str]) -> set[str]:
        ids, pipe = [*ids], self.redis.pipeline(transaction=False)
        for some_id in ids:
            pipe.exists(self.key(some_id, "imported"), self.key(some_id, "log"))
        left = dict(zip(ids, pipe.execute(), strict=True))
        gone = [some_id for some_id in ids if not left[some_id]]
        return {some_id for some_id in ids if left[some_id] == 2} | (
            self.records.imported(gone) if gone else set()
        )

    def put_texts(
        self, some_id: str, history: Iterable[Written], head: Any, where: str = "elsewhere"
    ) -> bool:
        """Store entries as a whole history: those from "elsewhere" unless there is one already,
        those from the "records" in its place. Return whether they were stored."""
        keys = {part: self.key(some_id, part) for part in ("log", "head", "imported")}
        return bool(
            PUT(
                self.redis,
                [part for row in history for part in row],
                **keys,
                shown=orjson.dumps(head),
                origin=where,
            )
        )


def rows_of(redis: Redis, logs: Iterable[str | bytes]) -> list[list[Row]]:
    """Return the rows of each of these streams, unchecked."""
    pipe = redis.pipeline(transaction=False)
    for log in logs:
        pipe.xrange(log)
    return pipe.execute()


def end_of(rows: Sequence[Row]) -> End | None:
    """Return the last entry of a whole stream; None if its entries form no chain of hashes."""
    before = ""
    for version, (entry_id, fields) in enumerate(rows, 1):
        before = hash_after(before, fields.get(b"e", b""))
        if entry_id != b"0-%d" % version or fields.get(b"h") != before.encode():
            return None
    return len(rows), before


def _head(raw: bytes | None) -> Any:
    try:
        return orjson.loads(raw) if raw else None
    except ValueError:
        return None


def _written(row: Row) -> Written:
    entry_id, fields = row
    try:
        return fields[b"e"], fields[b"h"].decode()
    except (KeyError, UnicodeDecodeError) as error:
        raise BrokenHistory(int(entry_id.partition(b"-")[2]), "is no entry") from error
