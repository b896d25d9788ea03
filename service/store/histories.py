"""Histories in Redis: one stream for each game and each tournament, one entry for each command.
Only this module and the scripts in ``service/store/lua`` use the streams.

``{TAG:ID}:log``       the history. Entry ``0-VERSION`` has the fields ``e``, its text, and ``h``,
                       its hash, which covers the one before (``domain.entry``), and ``n``,
                       random bytes of the call that wrote it (``append.lua``).
``{TAG:ID}:head``      what lists show, as JSON; derived, written with each entry.
``{TAG:ID}:imported``  exists if the history comes from elsewhere; not derived.
``{TAG:ID}:archived``  the place in the archive of a history that has no stream any more, and its
                       head, which then has no key of its own (``service.store.archived``).
``{TAG:ID}:news``      the channel on which entries are announced (``service.store.news``).

The braces put all keys of one history on one node of a cluster. All other keys of games and
tournaments are indexes, derived from the streams.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import orjson
from redis import Redis

from domain.entry import hash_after
from domain.errors import BrokenHistory
from service.store import archived
from service.store.archive import Archive, Place
from service.store.broken import Broken
from service.store.conflicts import Conflict, retry
from service.store.packing import Written
from service.store.scripts import ScriptFile

Row = tuple[bytes, dict[bytes, bytes]]  # an entry as it lies in Redis: its id, its fields
PAGE = 1000  # entries read at a time
REMEMBERED = 30 * 86_400  # seconds for which a deleted history is not taken for a lost one
log = logging.getLogger(__name__)


class Histories:
    """The histories of one kind in one Redis."""

    letter: ClassVar[str]  # the first of each id
    tag: ClassVar[str]  # the first part of each key

    def __init__(self, redis: Redis, archive: Archive | None = None):
        self.redis, self.archive, self.broken = redis, archive or Archive(), Broken()
        self._append, self._put, self._remove, self._put_head = (
            ScriptFile(redis, name) for name in ("append", "put", "remove", "put_head"))

    @classmethod
    def key(cls, some_id: str, part: str) -> str:
        """Return a key of a game or tournament: that of its log, its head or another part."""
        return f"{{{cls.tag}:{some_id}}}:{part}"

    @classmethod
    def is_id(cls, name: str) -> bool:
        """Return whether a text has the form of an id."""
        return re.fullmatch(rf"{cls.letter}_[0-9a-f]{{20}}", name) is not None

    def ids(self) -> Iterator[str]:
        """Yield the ids of all histories, each once, in no order."""
        seen: set[str] = set()
        for part in ("log", "archived"):  # in this order, as histories move to the archive
            for some_id in self.ids_with(part):
                if some_id not in seen:
                    seen.add(some_id)
                    yield some_id

    def ids_here(self) -> Iterator[str]:
        """Yield the ids of the histories that are in Redis, perhaps more than once."""
        return self.ids_with("log")

    def ids_with(self, part: str) -> Iterator[str]:
        """Yield the ids that have such a key, perhaps more than once, in no order."""
        for key in self.redis.scan_iter(self.key("*", part), count=1000):
            yield key.decode().partition(":")[2].removesuffix(f"}}:{part}")

    def has(self, some_id: str) -> bool:
        """Return whether there is a history, in Redis or in the archive."""
        keys = [self.key(some_id, part) for part in ("log", "archived")]
        return bool(self.redis.exists(*keys))

    def entries(self, some_id: str, after: int = 0, until: int | None = None) -> Iterator[Written]:
        """Yield (text, hash) of the entries after a version, up to another."""
        log, last = self.key(some_id, "log"), "+" if until is None else f"0-{until}"
        while page := self.redis.xrange(log, f"(0-{after}", last, count=PAGE):
            yield from map(_written, page)
            if len(page) < PAGE:
                return
            after = int(page[-1][0].partition(b"-")[2])
        yield from self._archived(some_id)[after:until]

    def whole(self, ids: Sequence[str]) -> list[list[Written]]:
        """Return all entries of each of these histories, read together. A history that is missing
        or broken has none."""
        return [self._readable(some_id, rows)
                for some_id, rows in zip(ids, self.rows(ids), strict=True)]

    def rows(self, ids: Iterable[str]) -> list[list[Row]]:
        """Return the rows of each of these streams, unchecked."""
        pipe = self.redis.pipeline(transaction=False)
        for some_id in ids:
            pipe.xrange(self.key(some_id, "log"))
        return pipe.execute()

    def _readable(self, some_id: str, rows: list[Row]) -> list[Written]:
        try:
            history = [_written(row) for row in rows] or self._archived(some_id)
            _check_chain(history)
        except BrokenHistory as error:
            self.set_aside(some_id, error)
            return []
        return history

    def set_aside(self, some_id: str, error: BrokenHistory) -> None:
        """Refuse a broken history for a while."""
        self.broken.add(some_id, error)

    def ends(self, some_id: str) -> tuple[int, bytes, bytes] | None:
        """Return the last version and the texts of the first and the last entry, None if the
        history does not exist."""
        pipe, log = self.redis.pipeline(transaction=False), self.key(some_id, "log")
        pipe.xrange(log, count=1)
        pipe.xrevrange(log, count=1)
        first, last = pipe.execute()
        if not first or not last:
            history = self._archived(some_id)
            return (len(history), history[0][0], history[-1][0]) if history else None
        return int(last[0][0].partition(b"-")[2]), _written(first[0])[0], _written(last[0])[0]

    def place(self, some_id: str) -> Place | None:
        """Return a history's place in the archive, None if it is not there."""
        raw = self.redis.get(self.key(some_id, "archived"))
        return archived.place_of(raw) if raw else None

    def archived(self, ids: Iterable[str]) -> set[str]:
        """Return those of these histories that are in the archive."""
        return self._with("archived", ids)

    def _archived(self, some_id: str) -> list[Written]:
        """Return the entries of an archived history, none if it is not in the archive."""
        place = self.place(some_id)
        try:
            return self.archive.history(place) if place else []
        except BrokenHistory as error:
            log.error("%s is broken in the archive, in %s: %s", some_id,
                      place and place.segment, error.__cause__ or error)
            raise

    def remove(self, some_id: str, ends: tuple[int, str], place: Place | None) -> bool:
        """Remove a history from Redis that the archive has at a place; without a place, delete it
        for good. Return False, having changed nothing, if its last version and hash are others."""
        key, (version, last_hash) = self.key(some_id, ""), ends
        raw = self.redis.get(f"{key}head") if place else None
        kept = archived.packed(place, _head(raw)) if place else b""
        has_head = bool(raw) and archived.head_of(some_id, kept) is not None
        return bool(self._remove(
            log=f"{key}log", archived=f"{key}archived", gone=f"{key}gone", head=f"{key}head",
            bots=f"{key}bots", imported=None if place else f"{key}imported",
            rematch=None if place else f"{key}rematch",
            version=version, hash=last_hash, place=kept, remembered=REMEMBERED,
            shown=raw if has_head else ""))

    def is_gone(self, some_id: str) -> bool:
        """Return whether a missing history was deleted, and not lost."""
        return bool(self.redis.exists(self.key(some_id, "gone")))

    def locate(self, some_id: str, place: Place, is_imported: bool) -> bool:
        """Store where the archive has a history that is missing in Redis. Return False if it is not
        missing."""
        if self.has(some_id):
            return False
        if is_imported:
            self.redis.set(self.key(some_id, "imported"), 1)
        return bool(self.redis.set(self.key(some_id, "archived"), archived.packed(place), nx=True))

    def heads(self, ids: Iterable[str]) -> list[Any]:
        """Return the heads of these games or tournaments, None for one that is missing or
        unreadable."""
        ids = [*ids]
        stored = self._kept_of("head", ids)
        heads = [_head(raw) for raw in stored]
        if without := [place for place, raw in enumerate(stored) if raw is None]:
            kept = self._kept_of("archived", [ids[place] for place in without])
            for place, raw in zip(without, kept, strict=True):
                heads[place] = archived.head_of(ids[place], raw) if raw else None
        return heads

    def _kept_of(self, part: str, ids: Iterable[str]) -> list[bytes | None]:
        """Return the value of the key of this ``part`` of each history."""
        pipe = self.redis.pipeline(transaction=False)
        for some_id in ids:
            pipe.get(self.key(some_id, part))
        return pipe.execute()

    def sizes(self, ids: Iterable[str]) -> list[int]:
        """Return how many bytes of Redis' memory each of these streams takes, 0 for a missing
        one."""
        pipe = self.redis.pipeline(transaction=False)
        for some_id in ids:
            pipe.memory_usage(self.key(some_id, "log"))
        return [size or 0 for size in pipe.execute()]

    def imported(self, ids: Iterable[str]) -> set[str]:
        """Return those of these histories that come from elsewhere."""
        return self._with("imported", ids)

    def _with(self, part: str, ids: Iterable[str]) -> set[str]:
        """Return those that have such a key."""
        ids, pipe = [*ids], self.redis.pipeline(transaction=False)
        for some_id in ids:
            pipe.exists(self.key(some_id, part))
        return {some_id for some_id, is_there in zip(ids, pipe.execute(), strict=True) if is_there}

    def put_texts(self, some_id: str, history: Iterable[Written], head: Any) -> bool:
        """Store entries from elsewhere as a whole history; return False if there is one already."""
        key = self.key(some_id, "")
        return bool(self._put(
            [part for row in history for part in row],
            log=f"{key}log", head=f"{key}head", imported=f"{key}imported",
            archived=f"{key}archived", shown=orjson.dumps(head)))

    def put_rows(self, histories: Mapping[str, Iterable[Row]]) -> None:
        """Restore the rows of these streams, which must be missing; heads are restored apart."""
        pipe = self.redis.pipeline(transaction=False)
        for some_id, rows in histories.items():
            for entry_id, fields in rows:
                pipe.xadd(self.key(some_id, "log"), fields, entry_id)
        pipe.execute()

    def put_head(self, some_id: str, head: Any) -> None:
        """Write a head, where the history is: in Redis or in the archive."""
        key = self.key(some_id, "")

        def attempt() -> None:
            raw = self.redis.get(f"{key}archived") or b""
            new = archived.packed(archived.place_of(raw), head) if raw else b""
            has_head = bool(raw) and archived.head_of(some_id, new) is not None
            if not self._put_head(head=f"{key}head", archived=f"{key}archived", place=raw,
                                  new_place=new if has_head else "", shown=orjson.dumps(head)):
                raise Conflict

        retry(attempt)


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


def _check_chain(history: Iterable[Written]) -> None:
    """Raise BrokenHistory at the first entry whose hash is wrong."""
    previous = ""
    for version, (text, entry_hash) in enumerate(history, 1):
        if hash_after(previous, text) != entry_hash:
            raise BrokenHistory(version, "the chain of hashes is broken")
        previous = entry_hash
