"""Whatever has a history, folded: loaded, decided upon, appended to.

``CREATED:KEY``  the id of what is created under an idempotency key; derived once it is

A process keeps the states it has folded and reads only the entries it lacks. ``Store`` is the same
for games and tournaments; ``service.store.games`` and ``service.store.tournaments`` say what is
theirs.
"""

from __future__ import annotations

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
from service.store.histories import Conflict, Histories, Written
from service.store.secret import new_id
from service.times import now

TRIES = 50  # how often a decision is made anew because others were quicker


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


def entry_of(text: bytes, entry_hash: str) -> Entry:
    """Return an entry as everybody reads it, with its hash."""
    entry: Entry = orjson.loads(text)
    entry["hash"] = entry_hash
    return entry


class Store(Histories, ABC, Generic[K]):
    """What has a history of one kind, in one Redis."""

    kind: ClassVar[str]  # what one is called
    created: ClassVar[str]  # that the keys of what was created once begin with
    keeps: ClassVar[int]  # states kept

    def __init__(self, redis: Redis):
        super().__init__(redis)
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

    def put(self, known: K, history: Iterable[Written]) -> bool:
        """Make entries from elsewhere the whole history of what they lead to; return whether they
        became that, which they do unless there is one."""
        return self.put_texts(known.state.id, history, self.head(known))

    def refold(self, some_id: str) -> K:
        """Fold something from its first entry and write its head anew."""
        self._kept.pop(some_id, None)
        known = self.load(some_id)
        self.put_head(some_id, self.head(known))
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

    def _append_events(
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
        try:
            answer = self.append_text(state.id, (known.state.version, known.hash), text, entry_hash,
                                      self.head(new), keys, args)
        except Conflict as conflict:
            if conflict.version <= known.state.version:  # Redis has less than it had, or another
                self._kept.pop(state.id, None)
            raise
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
