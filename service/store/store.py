"""Histories in Redis: one stream for each game and each tournament, one entry for each thing done.

``{TAG:ID}:log``       the history. Entry ``0-VERSION`` has the fields ``e``, its text, and ``h``,
                       its hash, which covers the one before (``domain.entry``).
``{TAG:ID}:head``      what lists show of it, as JSON; derived, written with each entry.
``{TAG:ID}:imported``  there if the history comes from elsewhere; not derived.
``CREATED:KEY``        the id of what is created under an idempotency key; derived once it is.

The braces put all that belongs to one history on one node of a cluster. Everything else is an
index, derived from the streams. A process keeps the states it has folded and reads only the entries
it lacks.

``Store`` is the same for whatever has a history; ``service.store.games`` and
``service.store.tournaments`` say what is theirs. Nothing outside this room opens a stream.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import orjson
from redis import Redis

from domain.codec import Tagged
from domain.entry import Entry, Once, canonical, hash_after, new_entry
from domain.errors import BrokenHistory, FoggError
from service.errors import KeyReused, UnknownThing
from service.store.news import NEWS
from service.store.secret import new_id
from service.times import now

PAGE = 1000  # entries read at a time
TRIES = 50  # how often a decision is made anew because others were quicker

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
    """The history has moved on since the state that was decided on."""


class Guarded(Exception):
    """The kind's own ``guard`` let nothing be written."""


class State(Protocol):
    """What a history is folded to; ``version`` counts its entries."""

    @property
    def id(self) -> str: ...
    @property
    def version(self) -> int: ...


S = TypeVar("S", bound=State)


@dataclass  # one is made for each entry: to freeze it would make folding slower by a tenth
class Known(Generic[S]):
    """A state with what must be known to append to its history. Nobody changes one."""

    state: S
    hash: str = ""  # of the last entry, hex
    created: str = ""  # RFC 3339, as are all times
    updated: str = ""
    last: Entry = field(default_factory=dict)  # the last entry, with its hash
    # id of an idempotency key -> (the version that it led to, digest of what was asked); shared
    # between the values of one history
    commands: dict[str, tuple[int, str]] = field(default_factory=dict)

    def version_of(self, once: Once) -> int | None:
        """Return the version that an idempotency key has led to, None if it has not; raise
        KeyReused if it led there with another request."""
        version, digest = self.commands.get(once.id, (None, once.digest))
        if digest != once.digest:
            raise KeyReused
        return version


K = TypeVar("K", bound=Known[Any])
Written = tuple[bytes, str]  # an entry's text and its hash


def entry_of(text: bytes, entry_hash: str) -> Entry:
    """Return an entry as everybody reads it, with its hash."""
    entry: Entry = orjson.loads(text)
    entry["hash"] = entry_hash
    return entry


class Store(ABC, Generic[K]):
    """The histories of one kind in one Redis."""

    kind: ClassVar[str]  # what one is called
    letter: ClassVar[str]  # that its ids begin with
    tag: ClassVar[str]  # that its keys begin with
    created: ClassVar[str]  # that the keys of what was created once begin with
    keeps: ClassVar[int]  # states kept
    guard: ClassVar[str] = ""  # Lua before an entry is written: ``return {2, 0}`` refuses it
    also: ClassVar[str] = ""  # Lua beside an entry: it may set ``answer``

    def __init__(self, redis: Redis):
        self.redis = redis
        self._append_script = redis.register_script(
            APPEND.replace("GUARD", self.guard).replace("ALSO", self.also))
        self._kept: OrderedDict[str, K] = OrderedDict()

    # What a kind says of itself

    @abstractmethod
    def before(self, first: Entry) -> K:
        """Return what there is before a first entry."""

    @abstractmethod
    def evolved(self, state: Any, events: list[dict[str, Any]]) -> Any:
        """Return the state after the events of one more entry."""

    @staticmethod
    @abstractmethod
    def head(known: Any) -> Any:
        """Return what lists show of it; nothing in it is secret."""

    def also_known(self, known: K, state: Any, entry: Entry) -> tuple[Any, ...]:
        """Return the members that this kind's ``Known`` has beside, in their order, after one more
        entry, which has led to a state."""
        return ()

    # Reading

    @classmethod
    def key(cls, some_id: str, part: str) -> str:
        """Return a key of something: of its log, its head, or whatever belongs to it."""
        return f"{{{cls.tag}:{some_id}}}:{part}"

    @classmethod
    def is_id(cls, name: str) -> bool:
        """Return whether something may be called so here."""
        return re.fullmatch(rf"{cls.letter}_[0-9a-f]{{20}}", name) is not None

    def load(self, some_id: str) -> K:
        """Return something as it is now; raise UnknownThing if it is not there."""
        if not self.is_id(some_id):
            raise UnknownThing(self.kind, some_id)
        known = new = self._kept.get(some_id)
        for text, entry_hash in self.entries(some_id, known.state.version if known else 0):
            if hash_after(new.hash if new else "", text) != entry_hash:
                if known is None:
                    version = new.state.version if new else 0
                    raise BrokenHistory(version + 1, "the chain of hashes is broken")
                self._kept.pop(some_id, None)  # another history took the place of the one known
                return self.load(some_id)
            new = self._folded(new, text, entry_hash)
        if new is None:
            raise UnknownThing(self.kind, some_id)
        if new is not known:
            self._keep(new)
        return new

    def at(self, some_id: str, version: int) -> K:
        """Return something as it was at a version that it has had."""
        known = self._kept.get(some_id)
        if known and known.state.version == version:
            return known
        last = deque(self.fold(some_id, version), maxlen=1)
        if not last or last[0].state.version != version:
            raise UnknownThing("version", str(version))
        return last[0]

    def fold(self, some_id: str, until: int | None = None) -> Iterator[K]:
        """Yield something after each of its entries, from the first on, up to a version."""
        known = None
        for text, entry_hash in self.entries(some_id, 0, until):
            known = self._folded(known, text, entry_hash)
            yield known

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

    def ids(self) -> Iterator[str]:
        """Yield the id of everything that has a history, in no order."""
        for key in self.redis.scan_iter(self.key("*", "log"), count=1000):
            yield key.decode().partition(":")[2].removesuffix("}:log")

    # Writing

    def new_id(self, once: Once | None = None) -> str:
        """Return the id of something to be created: always the same for one idempotency key."""
        new = new_id(self.letter)
        if once and not self.redis.set(f"{self.created}:{once.id}", new, nx=True):
            return self.redis.get(f"{self.created}:{once.id}").decode()
        return new

    def made(self, some_id: str, once: Once | None = None) -> K | None:
        """Return something as it was when it had just been created, None if it was not yet; raise
        KeyReused if its idempotency key was to create another."""
        try:
            made = self.at(some_id, 1)
        except UnknownThing:
            return None
        if once:
            made.version_of(once)
        return made

    def do(
        self, some_id: str, attempt: Callable[[K], K], once: Once | None = None
    ) -> tuple[K, bool]:
        """Let an attempt decide and append, again if others were quicker; return something as it is
        right after, and whether that was done now: what was done already under the same
        idempotency key is not done again. Raise Conflict if others were quicker too often.

        What this process last saw mostly is how it stands, so that is tried first: the append finds
        out if it is old, and a refusal counts only if it is not.
        """
        known = self._kept.get(some_id)
        for _ in range(TRIES):
            is_new = known is None
            known = known or self.load(some_id)
            try:
                if once and (version := known.version_of(once)):
                    return self.at(some_id, version), False
                return attempt(known), True
            except Conflict:
                known = None
            except FoggError:
                if is_new:
                    raise
                known = None
        raise Conflict

    def put(self, known: K, history: Sequence[Written]) -> bool:
        """Make entries from elsewhere the whole history of what they lead to; return whether they
        became that, which they do unless there is one."""
        some_id = known.state.id
        return bool(self.redis.register_script(PUT)(
            keys=[self.key(some_id, part) for part in ("log", "head", "imported")],
            args=[orjson.dumps(self.head(known)), *(part for row in history for part in row)]))

    def are_imported(self, ids: Iterable[str]) -> list[bool]:
        """Return of each whether its history comes from elsewhere."""
        pipe = self.redis.pipeline(transaction=False)
        for some_id in ids:
            pipe.exists(self.key(some_id, "imported"))
        return [bool(found) for found in pipe.execute()]

    def refold(self, some_id: str) -> K:
        """Fold something from its first entry and write its head anew."""
        self._kept.pop(some_id, None)
        known = self.load(some_id)
        self.redis.set(self.key(some_id, "head"), orjson.dumps(self.head(known)))
        return known

    def refold_all(self) -> Iterator[K]:
        """Yield everything that has a history, folded anew, with all that is derived from its
        history alone."""
        for some_id in self.ids():
            known = self.refold(some_id)
            for once_id, (version, _) in known.commands.items():
                if version == 1:  # the idempotency key that it was created with
                    self.redis.set(f"{self.created}:{once_id}", some_id)
            yield known

    def _append(
        self,
        known: K,
        state: Any,
        events: Iterable[Tagged],
        *,
        once: Once | None = None,
        keys: Sequence[str] = (),
        args: Sequence[Any] = (),
        **members: Any,
    ) -> tuple[K, int]:
        """Make events, and the state they lead to, the next entry, with these members beside; give
        ``keys`` and ``args`` to the kind's own lines.

        Returns what is known then, and the ``answer``. Raises Conflict, or Guarded, and writes
        nothing, unless the history still ends where ``known`` does and the guard lets it.
        """
        command = str(once) if once else None
        text = canonical(new_entry(state.version, now(), events, command=command, **members))
        entry_hash = hash_after(known.hash, text)
        new = self._next(known, state, entry_of(text, entry_hash))
        done, answer = self._append_script(
            keys=[self.key(state.id, "log"), self.key(state.id, "head"), *keys],
            args=[known.state.version, known.hash, text, entry_hash, orjson.dumps(self.head(new)),
                  NEWS, f"{state.id} {state.version}", *args])
        if done == 2:
            raise Guarded
        if not done:
            if answer <= known.state.version:  # Redis came back with less, or with another end
                self._kept.pop(state.id, None)
            raise Conflict
        _remember(new)
        self._keep(new)
        return new, answer

    # Folding

    def _folded(self, known: K | None, text: bytes, entry_hash: str) -> K:
        """Return what is known after the next entry; before the first, nothing is."""
        entry = entry_of(text, entry_hash)
        known = known or self.before(entry)
        new = self._next(known, self.evolved(known.state, entry["events"]), entry)
        _remember(new)
        return new

    def _next(self, known: K, state: Any, entry: Entry) -> K:
        at = entry["at"]
        return type(known)(state, entry["hash"], known.created or at, at, entry, known.commands,
                           *self.also_known(known, state, entry))

    def _keep(self, known: K) -> None:
        some_id = known.state.id
        kept = self._kept.get(some_id)
        if kept is None or kept.state.version < known.state.version:
            self._kept[some_id] = known
        self._kept.move_to_end(some_id)
        if len(self._kept) > self.keeps:
            self._kept.popitem(last=False)


def _remember(known: Known[Any]) -> None:
    """Note the last entry's idempotency key, now that the entry is in the history."""
    if command := known.last.get("command"):
        once = Once.read(command)
        known.commands[once.id] = known.state.version, once.digest


def _written(row: Any) -> Written:
    _, fields = row
    return fields[b"e"], fields[b"h"].decode()
