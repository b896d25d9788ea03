"""Whatever has a history, folded: loaded, decided upon, appended to.

``CREATED:KEY``  the id of what was created under an idempotency key, where it is another than the
                 service would derive of the key: it comes from elsewhere, or from before

A process keeps the states it has folded and reads only the entries it lacks, and the one it had
last: what it keeps counts only while that stands there. Of entries that others have written it
also keeps the versions and the beginnings of hashes that their news tells, until it has read them:
so it can notice that such an entry was lost, though the process that wrote it has ended. ``Store``
is the same for games and tournaments; ``service.store.games`` and ``service.store.tournaments`` say
what is theirs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, ClassVar, Generic

from redis import Redis

from domain.codec import Tagged
from domain.entry import (
    SCHEMA_VERSION,
    Entry,
    Once,
    canonical,
    hash_after,
    new_entry,
    unknown_schema,
)
from domain.errors import BrokenHistory, FoggError
from domain.game.state import FINISHED
from service.errors import UnknownThing
from service.store.archive import Archive
from service.store.histories import Conflict, Histories, Written
from service.store.known import MARK, K, Loss, entry_of
from service.store.secret import derived_id, new_id, service_secret
from service.store.together import Together
from service.times import now

TRIES = 50  # how often a decision is made anew because others were quicker
OVER = 256  # states kept of what is over; some 100 kB of memory each
MAX_TOLD = 64  # entries of one history that news has told of and that were not read yet


class Store(Histories, ABC, Generic[K]):
    """What has a history of one kind, in one Redis."""

    kind: ClassVar[str]  # what one is called
    created: ClassVar[str]  # that the keys of what was created once begin with
    keeps: ClassVar[int]  # states kept, of which some that are over

    def __init__(self, redis: Redis, archive: Archive | None = None):
        super().__init__(redis, archive)
        self._kept: OrderedDict[str, K] = OrderedDict()
        self._over: OrderedDict[str, None] = OrderedDict()  # of these
        # id -> version -> how the hash begins: entries that news has told of
        self._told: OrderedDict[str, dict[int, str]] = OrderedDict()
        self.load_together = Together(self.load)  # for many who ask at one moment
        self.when_lost: list[Callable[[Loss[K]], None]] = []  # told of histories that go back

    @cached_property
    def secret(self) -> bytes:
        """The service's secret, of which codes and ids are derived."""
        return service_secret(self.redis)

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
        """Return something as it is now. Raise UnknownThing if it is not there, BrokenHistory if
        its history is of no use: then it is set aside, refused for a while without a look."""
        if not self.is_id(some_id):
            raise UnknownThing(self.kind, some_id)
        self.broken.check(some_id)
        try:
            found = self._load(some_id)
        except BrokenHistory as error:
            self.set_aside(some_id, error)
            raise
        self.broken.drop(some_id)
        return found

    def set_aside(self, some_id: str, error: BrokenHistory) -> None:
        """Let a broken history be left alone for a while."""
        self.broken.add(some_id, error)
        self._kept.pop(some_id, None)

    def _load(self, some_id: str) -> K:
        known = self._kept.get(some_id)
        if known is None:
            rows = self.entries(some_id)
        else:
            rows = self.entries(some_id, known.state.version - 1)
            if next(rows, (b"", ""))[1] != known.hash:
                return self._gone_back(known)
        new = _last_of(self._following(known, rows), known)
        if new is None:
            raise UnknownThing(self.kind, some_id)
        if new is not known:
            self._keep(new)
        return new

    def _gone_back(self, known: K) -> K:
        """Return something as it is, which does not go on from what was kept of it."""
        some_id = known.state.id
        new = _last_of(self.fold(some_id))
        if new is None and self.is_gone(some_id):
            self._kept.pop(some_id, None)
        elif self._kept.get(some_id) is known:  # else another request has found out
            self._kept.pop(some_id)
            if new:
                self._keep(new)
            lost = self._lost_of_told(some_id, new)
            version = known.version_shared_with(new) if new else 0
            told = max(lost) if lost and max(lost)[0] > known.state.version else None
            try:
                self._tell_lost(Loss(known, new, version, told))
            except Exception:
                self._kept[some_id] = known  # so that it is found out again
                raise
            self._told.pop(some_id, None)
        if new is None:
            raise UnknownThing(self.kind, some_id)
        return new

    def kept(self) -> list[K]:
        """Return everything that this process keeps, as it last saw it."""
        return [*self._kept.values()]

    def hear(self, some_id: str, message: bytes) -> None:
        """Note which entry the news of a history tells of: its version and how its hash begins."""
        version, _, mark = message.partition(b" ")
        if some_id[:2] != f"{self.letter}_" or not version.isdigit() or len(mark) != 2 * MARK or (
                not mark.isalnum()):
            return  # another kind's, or told by another version of this program
        self._told.setdefault(some_id, {}).setdefault(int(version), mark.decode())
        known = self._kept.get(some_id)
        self._told[some_id] = dict(self._lost_of_told(some_id, known)[-MAX_TOLD:])
        self._told.move_to_end(some_id)
        if len(self._told) > self.keeps:
            self._told.popitem(last=False)

    def _lost_of_told(self, some_id: str, known: K | None) -> list[tuple[int, str]]:
        """Return the entries that news has told of and that are not in what is known: they were
        lost, or were not read yet."""
        told = tuple(self._told.get(some_id, {}).items())
        return [row for row in told if known is None or not known.has(*row)]

    def look_again(self) -> None:
        """Find out whether all that is kept, or was told of, is still so; first what has changed
        last, as that is what may be lost."""
        for some_id in dict.fromkeys((*reversed(tuple(self._told)), *reversed(tuple(self._kept)))):
            with suppress(FoggError):
                known = self.load(some_id)
                if lost := self._lost_of_told(some_id, known):
                    version = min(known.state.version, min(lost)[0] - 1)
                    self._tell_lost(Loss(known, known, version, max(lost)))
                self._told.pop(some_id, None)

    def _tell_lost(self, loss: Loss[K]) -> None:
        for tell in self.when_lost:
            tell(loss)

    def at(self, some_id: str, version: int) -> K:
        """Return something as it was at a version that it has had."""
        known = self.load(some_id)
        if known.state.version == version:
            return known
        last = _last_of(self.fold(some_id, version))
        if last is None or last.state.version != version:
            raise UnknownThing("version", str(version))
        return last

    def fold(self, some_id: str, until: int | None = None) -> Iterator[K]:
        """Yield something after each of its entries, from the first on, up to a version. Raise
        BrokenHistory at one that is wrong."""
        return self._following(None, self.entries(some_id, 0, until))

    # Writing

    def new_id(self, once: Once | None = None) -> str:
        """Return the id of something to be created: always the same for one idempotency key, of
        which nothing is kept, as it may be that the request is refused."""
        if once is None:
            return new_id(self.letter)
        made = self.redis.get(f"{self.created}:{once.id}")
        return made.decode() if made else self.derived_id(once.id)

    def derived_id(self, once_id: str) -> str:
        """Return the id of what is created under an idempotency key, if it is created here."""
        return derived_id(self.letter, self.secret, f"{self.created}\n{once_id}")

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
        out if it is old, and neither a refusal nor what was done counts unless it is not.
        """
        known = self._kept.get(some_id)
        for _ in range(TRIES):
            is_new = known is None
            known = known or self.load(some_id)
            try:
                version = known.version_of(once) if once else None
                if version is None:
                    return attempt(known), True
                if is_new:
                    return self.at(some_id, version), False
                known = None  # what is kept may have been lost: look whether it was done
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

    def refold_all(self, ids: Iterable[str] | None = None) -> Iterator[K]:
        """Yield everything that has a history, or these, folded anew, with all that is derived from
        its history alone; but what is ``broken``, or gone."""
        for some_id in self.ids() if ids is None else ids:
            try:
                known = self.refold(some_id)
            except (BrokenHistory, UnknownThing):
                continue
            for once_id, (version, _) in known.commands.items():
                # the idempotency key that it was created with
                if version == 1 and some_id != self.derived_id(once_id):
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
        at = max(now(), known.updated)  # another machine's clock may be ahead of this one's
        text = canonical(new_entry(state.version, at, events, command=command, **members))
        entry_hash = hash_after(known.hash, text)
        new = self._next(known, state, entry_of(text, entry_hash))
        answer = self.append_text(state.id, (known.state.version, known.hash), text, entry_hash,
                                  self.head(new), keys, args)
        new.remember()
        self._keep(new)
        return new, answer

    # Folding

    def _following(self, known: K | None, rows: Iterable[Written]) -> Iterator[K]:
        """Yield what is known after each of the next entries; before the first, nothing is."""
        for text, entry_hash in rows:
            known = self._folded(known, text, entry_hash)
            yield known

    def _folded(self, known: K | None, text: bytes, entry_hash: str) -> K:
        version = known.state.version + 1 if known else 1
        if hash_after(known.hash if known else "", text) != entry_hash:
            raise BrokenHistory(version, "the chain of hashes is broken")
        try:
            entry = entry_of(text, entry_hash)
            if entry["schema_version"] != SCHEMA_VERSION:
                raise BrokenHistory(version, unknown_schema(entry["schema_version"]))
            known = known or self.before(entry)
            new = self._next(known, self.evolved(known.state, entry["events"]), entry)
            new.remember()
        except BrokenHistory:
            raise
        except Exception as error:  # what is wrong may be a secret
            raise BrokenHistory(version, f"cannot be folded: {type(error).__name__}") from error
        return new

    def _next(self, known: K, state: Any, entry: Entry) -> K:
        at = entry["at"]
        return type(known)(state, entry["hash"], known.created or at, at, entry, known.commands,
                           known.trail, *self.also_known(known, state, entry))

    def _keep(self, known: K) -> None:
        some_id = known.state.id
        kept = self._kept.get(some_id)
        if kept is None or kept.state.version < known.state.version:
            self._kept[some_id] = known
        self._kept.move_to_end(some_id)
        if len(self._kept) > self.keeps:
            self._kept.popitem(last=False)
        if known.state.status == FINISHED:  # nobody is likely to come back to it
            self._over[some_id] = None
            self._over.move_to_end(some_id)
            if len(self._over) > OVER:
                self._kept.pop(self._over.popitem(last=False)[0], None)


def _last_of(found: Iterator[K], otherwise: K | None = None) -> K | None:
    """Return the last of what is found, or something else if there is nothing."""
    return next(iter(deque(found, maxlen=1)), otherwise)
