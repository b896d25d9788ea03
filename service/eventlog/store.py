"""Histories, folded to states: load one, decide on it, append to it.

A process caches the states that it has folded. It reads only the entries that it lacks, and the
last one that it has: if that entry is another one now, Redis has lost entries, and the cached state
is dropped. Pub/sub messages announce the entries that other processes append. A process remembers
their versions and the beginnings of their hashes until it has read them. So it notices a lost entry
even if the process that wrote it has ended.

``Store`` is common to all kinds of histories; ``service.games.store`` has what is special to games.
"""

import logging
import os
import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, Generic

import orjson
from redis import Redis, RedisCluster

from domain.codec import Tagged
from domain.entry import (
    SCHEMA_VERSION,
    Entry,
    IdempotencyKey,
    Timing,
    canonical,
    hash_after,
    new_entry,
    unknown_schema,
)
from domain.errors import BrokenHistory, FoggError
from domain.game.commands import Command
from domain.game.state import FINISHED
from service.errors import Revoked, UnknownThing
from service.eventlog.histories import Histories, Records, Written
from service.eventlog.loaded import MARK, K, Rollback, entry_of
from service.redis.conflicts import Conflict, retry
from service.redis.news import publish
from service.redis.scripts import Script
from service.redis.secret import derived_id, new_id, service_secret
from service.redis.single_flight import SingleFlight
from service.times import now

FINISHED_CACHED = 256  # histories that are over, in the cache; some 100 kB of memory each
MAX_ANNOUNCED = 64  # entries of one history that were announced and not read yet
RETRY_AFTER_S = 30.0  # seconds after which a broken history is read again, as it may be repaired
CALL_BYTES = 4  # random bytes that distinguish two calls that write the same entry
NO_LEASE = "", 0
APPEND = Script(__file__, "append.lua")
Lease = tuple[str, int]  # how to take the lease on a game's bots (append.lua), and milliseconds

log = logging.getLogger(__name__)


@dataclass(slots=True)  # not frozen, which would make each action slower; nobody changes one
class NewEntry:
    """An entry to append: its events, the state after them, its other members.

    ``tokens`` are the keys of the tokens without which nothing is written."""

    events: Sequence[Tagged]
    state: Any
    seat: int | None = None
    action: Command | None = None
    note: str | None = None
    once: IdempotencyKey | None = None
    timing: Timing | None = None
    tokens: tuple[str, ...] = ()


class Store(Histories, ABC, Generic[K]):
    """The histories of one kind, for example games, in one Redis."""

    kind: ClassVar[str]  # the noun in error messages
    created: ClassVar[str]  # part of the names from which ids are derived
    keeps: ClassVar[int]  # the most states in the cache
    has_leases: ClassVar[bool] = False  # whether built-in bots act in it

    def __init__(self, redis: Redis, records: Records | None = None):
        super().__init__(redis, records)
        self._is_cluster = isinstance(redis, RedisCluster)
        self._cache: OrderedDict[str, K] = OrderedDict()
        self._finished: OrderedDict[str, None] = OrderedDict()  # finished ones in the cache
        # id -> version -> how the hash begins: announced entries that were not read yet
        self._announced: OrderedDict[str, dict[int, str]] = OrderedDict()
        # those found to be broken: until when each is refused, and why
        self.broken: dict[str, tuple[float, BrokenHistory]] = {}
        self.load_shared = SingleFlight(self.load)  # one load for all who ask at the same moment
        self.on_rollback: list[Callable[[Rollback[K]], None]] = []  # called after a rollback
        # called after an append by this process: with the state before, that after, and the entry
        self.on_append: list[Callable[[K, K, NewEntry], None]] = []
        self.on_conflict: list[Callable[[], None]] = []

    @cached_property
    def secret(self) -> bytes:
        """The service's secret, from which codes and ids are derived."""
        return service_secret(self.redis)

    # For subclasses

    @abstractmethod
    def before(self, first: Entry) -> K:
        """Return the state before a first entry."""

    @abstractmethod
    def evolve(self, known: K, entry: Entry, is_own: bool) -> None:
        """Set the state of ``known`` to the one after one more entry. ``is_own``: nobody else
        refers to the present one; it may be changed if ``Loaded.take`` does not need it."""

    @staticmethod
    @abstractmethod
    def head(known: Any) -> Any:
        """Return the head, which lists show; nothing in it is secret."""

    def more_members(self, known: K) -> Mapping[str, Any]:
        """Return the members of the next entry that only this kind of history has."""
        return {}

    # Reading

    def load(self, some_id: str) -> K:
        """Return the present state. Raise UnknownThing if there is no such history. Raise
        BrokenHistory if it cannot be folded; it is then refused for a while without being read."""
        if not self.is_id(some_id):
            raise UnknownThing(self.kind, some_id)
        until, known_error = self.broken.get(some_id, (0.0, None))
        if known_error and time.monotonic() < until:
            raise BrokenHistory(known_error.version, known_error.reason)
        try:
            known = self._load(some_id)
        except BrokenHistory as error:
            self.set_aside(some_id, error)
            raise
        if self.broken.pop(some_id, None):
            log.info("%s is whole again", some_id)
        return known

    def set_aside(self, some_id: str, error: BrokenHistory) -> None:
        """Refuse a broken history for a while; log the error the first time."""
        if some_id not in self.broken:
            log.error("%s is broken and set aside: %s", some_id, error)
        self.broken[some_id] = time.monotonic() + RETRY_AFTER_S, error
        self._cache.pop(some_id, None)

    def _load(self, some_id: str) -> K:
        cached = self._cache.get(some_id)
        if cached is None:
            rows = self.entries(some_id)
        else:
            rows = self.entries(some_id, cached.state.version - 1)
            if next(rows, (b"", ""))[1] != cached.hash:
                return self._reload_after_rollback(cached)
        new = self._fold_last(cached, rows)
        if new is None:
            raise UnknownThing(self.kind, some_id)
        if new is not cached:
            self._keep(new)
        return new

    def _reload_after_rollback(self, cached: K) -> K:
        """Return the present state of a history that does not contain the cached state's last
        entry; report the rollback."""
        some_id = cached.state.id
        new = self._fold_last(None, self.entries(some_id))
        if new is None and self.is_gone(some_id):
            self._cache.pop(some_id, None)
        elif self._cache.get(some_id) is cached:  # else another request has found out
            self._cache.pop(some_id)
            if new:
                self._keep(new)
            missing = self._announced_and_missing(some_id, new)
            version = cached.version_shared_with(new) if new else 0
            last = max(missing) if missing and max(missing)[0] > cached.state.version else None
            try:
                self._report(Rollback(cached, new, version, last))
            except Exception:
                self._cache[some_id] = cached  # so that the next load finds out again
                raise
            self._announced.pop(some_id, None)
            new = self._cache.get(some_id) or new  # a listener may have put entries back
        if new is None:
            raise UnknownThing(self.kind, some_id)
        return new

    def kept(self) -> list[K]:
        """Return all cached states."""
        return [*self._cache.values()]

    def on_announced(self, some_id: str, message: bytes) -> None:
        """Remember an entry that was announced: ``message`` has its version and the beginning of
        its hash."""
        version, _, mark = message.partition(b" ")
        if (
            some_id[:2] != f"{self.letter}_"
            or not version.isdigit()
            or len(mark) != 2 * MARK
            or (not mark.isalnum())
        ):
            return  # of another kind, or from another version of this program
        self._announced.setdefault(some_id, {}).setdefault(int(version), mark.decode())
        missing = self._announced_and_missing(some_id, self._cache.get(some_id))
        self._announced[some_id] = dict(missing[-MAX_ANNOUNCED:])
        self._announced.move_to_end(some_id)
        if len(self._announced) > self.keeps:
            self._announced.popitem(last=False)

    def _announced_and_missing(self, some_id: str, known: K | None) -> list[tuple[int, str]]:
        """Return the announced entries that a state does not include: version, beginning of the
        hash. They were lost, or were not read yet."""
        announced = tuple(self._announced.get(some_id, {}).items())
        return [row for row in announced if known is None or not known.has(*row)]

    def check_all(self) -> None:
        """Check all cached and announced entries against Redis, and report rollbacks. Begin with
        the latest changes, as Redis loses those first."""
        latest_first = (*reversed(tuple(self._announced)), *reversed(tuple(self._cache)))
        for some_id in dict.fromkeys(latest_first):
            with suppress(FoggError):
                known = self.load(some_id)
                if missing := self._announced_and_missing(some_id, known):
                    version = min(known.state.version, min(missing)[0] - 1)
                    self._report(Rollback(known, known, version, max(missing)))
                self._announced.pop(some_id, None)

    def _report(self, rollback: Rollback[K]) -> None:
        for listener in self.on_rollback:
            listener(rollback)

    def at(self, some_id: str, version: int) -> K:
        """Return the state at a version; raise UnknownThing if the history is not that long."""
        known = self.load(some_id)
        if known.state.version == version:
            return known
        last = self._fold_last(None, self.entries(some_id, 0, version))
        if last is None or last.state.version != version:
            raise UnknownThing("version", str(version))
        return last

    # Writing

    def new_id(self, once: IdempotencyKey | None = None) -> str:
        """Return the id of a history to be created. It is the same for the same idempotency key;
        nothing is stored, as the request may be refused."""
        if once is None:
            return new_id(self.letter)
        return derived_id(self.letter, self.secret, f"{self.created}\n{once.id}")

    def made(self, some_id: str, once: IdempotencyKey | None = None) -> K | None:
        """Return the state right after creation, None if it was not created yet. Raise KeyReused if
        the idempotency key belongs to another request."""
        try:
            made = self.at(some_id, 1)
        except UnknownThing:
            return None
        if once:
            made.version_of(once)
        return made

    def do(
        self, some_id: str, attempt: Callable[[K], K], once: IdempotencyKey | None = None
    ) -> tuple[K, bool]:
        """Load a history and call ``attempt``, which decides and appends; repeat that after a
        conflict. Return the state after the entry, and whether the entry is new: an earlier request
        with the same idempotency key may have written it. Raise Conflict after many conflicts.

        The first attempt is made on the cached state, which is mostly the present one. If it is
        old, the append finds out, and a refusal does not count.
        """
        cached = self._cache.get(some_id)
        if cached is not None:
            try:
                if once is None or cached.version_of(once) is None:
                    return attempt(cached), True
            except (Conflict, FoggError):
                pass  # the cached state may be old
        return retry(partial(self._do_on_loaded, some_id, attempt, once))

    def _do_on_loaded(
        self, some_id: str, attempt: Callable[[K], K], once: IdempotencyKey | None
    ) -> tuple[K, bool]:
        known = self.load(some_id)
        version = known.version_of(once) if once else None
        if version is not None:
            return self.at(some_id, version), False
        return attempt(known), True

    def append(self, known: K, new: NewEntry, lease: Lease | None = None) -> tuple[K, bool]:
        """Append an entry. Return the state after it, and whether this call took the ``lease``.

        The entry is on disk when Redis answers. Raise Conflict if the history does not end where
        ``known`` does any more, Revoked if a token was revoked; then nothing was written.
        """
        state, once, tokens = new.state, new.once, new.tokens
        if tokens and self._is_cluster:  # the script cannot see them: they may be on other nodes
            if self.redis.exists(*tokens) < len(tokens):
                raise Revoked
            tokens = ()
        at = max(now(), known.updated)  # another machine's clock may be ahead of this one's
        text = canonical(
            new_entry(
                state.version,
                at,
                new.events,
                timing=new.timing,
                seat=new.seat,
                action=new.action.json if new.action else None,
                note=new.note,
                command=str(once) if once else None,
                **self.more_members(known),
            )
        )
        entry_hash = hash_after(known.hash, text)
        after, entry = known.copy(), entry_of(text, entry_hash)
        after.state = state
        after.take(entry, known.state)
        key, (how, milliseconds) = self.key(state.id, ""), lease or NO_LEASE
        done, answer = APPEND(
            self.redis,
            log=f"{key}log",
            head=f"{key}head",
            bots=f"{key}bots" if self.has_leases else None,
            more_keys=tokens,
            version=known.state.version,
            hash=known.hash,
            text=text,
            new_hash=entry_hash,
            shown=orjson.dumps(self.head(after)),
            channel=f"{key}news",
            news=f"{state.version} {entry_hash[: 2 * MARK]}",
            call=os.urandom(CALL_BYTES),
            lease=how,
            lease_ms=milliseconds,
        )
        if done == 0:
            for note in self.on_conflict:
                note()
            raise Conflict
        if done == 2:
            raise Revoked
        after.remember(entry_hash[: 2 * MARK])
        self._keep(after)
        for listener in self.on_append:
            listener(known, after, new)
        return after, bool(answer)

    def put(self, known: K, history: Iterable[Written]) -> bool:
        """Store entries from elsewhere as the whole history that leads to a state. Return False,
        having changed nothing, if there is a history already."""
        return self.put_texts(known.state.id, history, self.head(known))

    def folded(self, history: Iterable[Written]) -> K | None:
        """Fold a history and return its state, None if it has no entries. Raise BrokenHistory if it
        cannot be folded."""
        return self._fold_last(None, history)

    def put_back(self, some_id: str) -> bool:
        """Write the recorded history in place of one in Redis that has lost its end. Return whether
        that was so. Entries appended meanwhile are lost, which is reported like any rollback. A
        record that is another's is not written."""
        end = self.records.ends([some_id]).get(some_id)
        if end is None or self.ends([some_id]).get(some_id) in (None, end):
            return False
        [history], [head] = (
            read([some_id]).values() for read in (self.records.histories, self.records.heads)
        )
        if (known := self.folded(history)) is None or known.state.id != some_id:
            return False
        with suppress(BrokenHistory, UnknownThing):  # so that this process knows the entries
            self.load(some_id)
        self.put_texts(some_id, history, head, "records")
        publish(self.redis, some_id)
        log.warning("%s has got the entries back that Redis had lost", some_id)
        self.load(some_id)
        return True

    def refold(self, some_id: str) -> K:
        """Fold a history from its first entry, write its head, and return the state."""
        self._cache.pop(some_id, None)
        known = self.load(some_id)
        self.redis.set(self.key(some_id, "head"), orjson.dumps(self.head(known)))
        return known

    # Folding

    def fold_entries(self, rows: Iterable[Written], known: K | None = None) -> Iterator[K]:
        """Yield the state after each of these entries, which follow on ``known``; without it, they
        begin with the first one. Raise BrokenHistory at a broken entry."""
        for text, entry_hash in rows:
            known = self._folded(known, text, entry_hash)
            yield known

    def _fold_last(self, known: K | None, rows: Iterable[Written]) -> K | None:
        """Return the state after all of these entries; ``known`` if there are none. It is quicker
        than ``fold_entries``, as one value is changed from entry to entry."""
        is_own, marks = known is None, []
        for text, entry_hash in rows:
            known = self._folded(known, text, entry_hash, is_own)
            if is_own:
                marks.append(entry_hash[: 2 * MARK])
            is_own = True
        if known and marks:
            known.remember("".join(marks))
        return known

    def _folded(self, known: K | None, text: bytes, entry_hash: str, is_own: bool = False) -> K:
        """Return the state after an entry. With ``is_own`` it is ``known`` itself, changed; how the
        entry's hash begins is then still to be remembered."""
        version = known.state.version + 1 if known else 1
        if hash_after(known.hash if known else "", text) != entry_hash:
            raise BrokenHistory(version, "the chain of hashes is broken")
        try:
            entry = entry_of(text, entry_hash)
            if entry["schema_version"] != SCHEMA_VERSION:
                raise BrokenHistory(version, unknown_schema(entry["schema_version"]))
            known = known or self.before(entry)
            new, before = known if is_own else known.copy(), known.state
            self.evolve(new, entry, is_own)
            new.take(entry, before)
            new.remember("" if is_own else entry_hash[: 2 * MARK])
        except BrokenHistory:
            raise
        except Exception as error:  # its message may contain a secret
            raise BrokenHistory(version, f"cannot be folded: {type(error).__name__}") from error
        return new

    def _keep(self, known: K) -> None:
        some_id = known.state.id
        kept = self._cache.get(some_id)
        if kept is None or kept.state.version < known.state.version:
            self._cache[some_id] = known
        self._cache.move_to_end(some_id)
        if len(self._cache) > self.keeps:
            self._cache.popitem(last=False)
        if known.state.status == FINISHED:  # it is not likely to be needed again
            self._finished[some_id] = None
            self._finished.move_to_end(some_id)
            if len(self._finished) > FINISHED_CACHED:
                self._cache.pop(self._finished.popitem(last=False)[0], None)
