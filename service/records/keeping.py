"""Histories that are recorded and still in Redis: games, and those of other kinds.

They stay there for FOGG_KEEP_HOURS, so that none is in the database alone before there is a backup
of it. After a restart of Redis, which may have lost the end of a game or of a list, ``recover``
compares both.
"""

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import ClassVar, Generic

from domain.game.state import FINISHED, LOBBY, PLAYING
from service import settings
from service.errors import Finding, RecordsUnavailable
from service.eventlog.histories import end_of
from service.eventlog.loaded import K, Rollback
from service.eventlog.store import Store
from service.games import buckets, index, listing, rollbacks
from service.games.clocks import has_deadline
from service.games.games import Games
from service.games.marks import Marks, is_marked
from service.games.store import GameHead, GameStore, LoadedGame
from service.http import metrics
from service.redis.batches import batches_of
from service.redis.guarding import log_errors
from service.times import in_ms, now_in_ms

BATCH_SIZE = 100  # games that are compared or removed at a time
AGAIN_MS = 3_600_000  # milliseconds until a game is tried again that could not be removed
HOUR = 3_600_000  # milliseconds
DIFFERS = "the records have another history than Redis, or none"
WARN_AFTER_S = 300  # seconds for which a game waits to be recorded before ``fogg check`` says so

log = logging.getLogger(__name__)


class NotRecorded(Exception):
    """The records and Redis have different histories; the message describes the difference."""


class Kept(ABC, Generic[K]):
    """The recorded histories of one kind that are still in Redis. ``Games.kept`` has all kinds."""

    keys: ClassVar[Sequence[str]]  # of the sorted sets of it: id -> when it was recorded

    def __init__(self, store: Store[K]):
        self.store, self.redis = store, store.redis

    @abstractmethod
    def key(self, some_id: str) -> str:
        """Return the key in ``keys`` for this id."""

    @abstractmethod
    def lists(self, some_id: str) -> list[str]:
        """Return the keys of lists that hold only unrecorded items."""

    @abstractmethod
    def place(self, known: K) -> None:
        """Put an item into the lists where it belongs, and have it checked for due work."""

    @abstractmethod
    def forget(self, known: K) -> None:
        """Remove an item from all lists and indexes in Redis, but keep its own keys."""

    @abstractmethod
    def wrong_with(self, known: K) -> Iterator[Finding]:
        """Yield the errors in the lists that Redis has of one that is not recorded."""

    def leave(self) -> int:
        """Remove histories from Redis that were recorded FOGG_KEEP_HOURS ago, ``BATCH_SIZE`` at
        most; return how many. The record of each is read back, folded and compared first. One that
        differs is logged, and stays."""
        before, count = now_in_ms() - int(settings.KEEP_HOURS.value() * HOUR), 0
        for key in self.keys:
            ids = self.redis.zrangebyscore(key, "-inf", before, start=0, num=BATCH_SIZE - count)
            for some_id in map(bytes.decode, ids):
                with log_errors(f"{some_id} stays in Redis", RecordsUnavailable) as guard:
                    self._leave(some_id)
                    count += 1
                if guard.failed:
                    self.redis.zadd(key, {some_id: before + AGAIN_MS}, xx=True)
        return count

    def _leave(self, some_id: str) -> None:
        self.put_back(some_id)
        over = self.recorded(some_id)
        self.forget(over)
        if not self.store.remove(some_id, over.state.version, over.hash, is_recorded=True):
            raise NotRecorded("Redis has other entries since")
        self.redis.zrem(self.key(some_id), some_id)

    def recorded(self, some_id: str) -> K:
        """Return the state of a recorded history. Raise NotRecorded unless Redis has the same."""
        history = self.store.records.histories([some_id]).get(some_id, [])
        [rows] = self.store.rows([some_id])
        if rows and [(row[b"e"], row[b"h"].decode()) for _, row in rows] != history:
            raise NotRecorded(DIFFERS)
        known = self.store.folded(history)
        if known is None or known.state.id != some_id or known.state.status != FINISHED:
            raise NotRecorded("the records do not have it as a finished one")
        return known

    def recover(
        self, *, anew: bool = False, progress: Callable[[str], object] = lambda some_id: None
    ) -> None:
        """Compare all histories in Redis with the records. Put unrecorded finished ones into the
        recorder's lists, put back lost entries of recorded ones, and remove recorded ones from
        other lists. With ``anew``, also rebuild the heads and lists of all other games. Leave out
        broken histories. ``progress`` gets each id."""
        for ids in batches_of(BATCH_SIZE, self.store.ids()):
            heads, ends = self.store.heads(ids), self.store.ends(ids)
            rows = self.store.records.ends(ids)
            for some_id, head in zip(ids, heads, strict=True):
                with log_errors(f"{some_id} cannot be compared", RecordsUnavailable):
                    if some_id in rows:
                        is_right = rows[some_id] == ends.get(some_id) and self._is_noted(some_id)
                    else:
                        is_right = head is not None and head["status"] != FINISHED and not anew
                    if not is_right and not (some_id in rows and self.put_back(some_id)):
                        self.redis.zrem(self.key(some_id), some_id)
                        self.place(self.store.refold(some_id))
                    progress(some_id)

    def _is_noted(self, some_id: str) -> bool:
        pipe = self.redis.pipeline(transaction=False)
        for key in (self.key(some_id), *self.lists(some_id)):
            pipe.zscore(key, some_id)
        noted, *listed = pipe.execute()
        return noted is not None and not any(listed)

    def put_back(self, some_id: str) -> bool:
        """Put back the end of a recorded history; return whether Redis had lost it."""
        if not self.store.put_back(some_id):
            return False
        self.place(self.store.load(some_id))
        return True

    def noted(self) -> Iterator[str]:
        """Yield the recorded items that are still in Redis."""
        for key in self.keys:
            yield from map(bytes.decode, self.redis.zrange(key, 0, -1))

    def findings(self) -> Iterator[Finding]:
        """Yield the differences between Redis and the records, which are checked elsewhere. The end
        of a history stands for all of it, as its hash covers the entries before. A history that
        leaves Redis meanwhile has no difference."""
        for ids in batches_of(BATCH_SIZE, self.noted()):
            ends = self.store.records.ends(ids)
            try:
                heads = self.store.records.heads(ids)
            except ValueError:  # a damaged row, which is found where the records are checked
                heads = {}
            for some_id, head, rows in zip(
                ids, self.store.heads(ids), self.store.rows(ids), strict=True
            ):
                if not rows and (some_id in ends or not self._is_noted(some_id)):
                    continue
                if rows and end_of(rows) and some_id not in ends:
                    yield Finding("records-differ", some_id, "it was recorded, and has no row")
                elif end_of(rows) != ends.get(some_id):
                    yield Finding("record-differs", some_id, DIFFERS)
                elif head != heads.get(some_id, head):
                    yield Finding("head-differs", some_id, "lists show another one than its record")


class KeptGames(Kept[LoadedGame]):
    """The games that are recorded and still in Redis."""

    keys = buckets.keys(index.RECORDED)

    store: GameStore

    def recover(
        self, *, anew: bool = False, progress: Callable[[str], object] = lambda some_id: None
    ) -> None:
        super().recover(anew=anew, progress=progress)
        if anew:
            index.forget_others(self.store)

    def key(self, some_id: str) -> str:
        return buckets.key(some_id, index.RECORDED)

    def lists(self, some_id: str) -> list[str]:
        return [buckets.key(some_id, name) for name in ("all", LOBBY, PLAYING)]

    def place(self, known: LoadedGame) -> None:
        listing.move(self.store, known.state.id)
        if known.state.status != FINISHED:
            Marks(self.redis).mark_uncertain(known.state.id)  # the sweep notes its deadline

    def forget(self, known: LoadedGame) -> None:
        index.forget(self.redis, known.state)
        pipe, game_id = self.redis.pipeline(transaction=False), known.state.id
        for name in ("due", "deadlines"):
            pipe.zrem(buckets.key(game_id, name), game_id)
        pipe.hdel(buckets.key(game_id, "unfiled"), game_id)
        pipe.execute()

    def wrong_with(self, known: LoadedGame) -> Iterator[Finding]:
        game_id = known.state.id
        if is_marked(self.redis, game_id):  # the sweep updates its lists within seconds
            return
        if keys := index.wrong_places(self.redis, known):
            yield Finding("lists-differ", game_id, f"{', '.join(keys)} say otherwise")
        if has_deadline(known) and (
            self.redis.zscore(buckets.key(game_id, "deadlines"), game_id) is None
        ):
            yield Finding("deadline-missing", game_id, "nobody looks at its clock")


def add_kind(
    games: Games, kept: Kept[K], listeners: Sequence[Callable[[Rollback[K]], object]]
) -> None:
    """Add a kind of histories. After a rollback, put the lost end of a recorded history back; for
    another one, call ``listeners`` in the first process that finds out."""

    def report(rollback: Rollback[K]) -> None:
        with suppress(RecordsUnavailable):
            if kept.put_back(rollback.was.state.id):
                return
        with rollbacks.reported(kept.store, rollback) as is_news:
            if is_news:
                metrics.LOST.inc(rollback.entries)
                for listener in listeners:
                    listener(rollback)

    games.kept.append(kept)
    games.news.on_announced.append(kept.store.on_announced)
    kept.store.on_rollback.append(report)


def leave(games: Games) -> int:
    """Remove some histories from Redis that were recorded FOGG_KEEP_HOURS ago; return how many."""
    if count := sum(kept.leave() for kept in games.kept):
        log.info("%d histories have left Redis", count)
    return count


def waiting(games: Games) -> tuple[int, float]:
    """Return how many games wait to be recorded, and about the longest wait in seconds."""
    pipe = games.redis.pipeline(transaction=False)
    for key in buckets.keys(FINISHED):
        pipe.zcard(key)
        pipe.zrange(key, 0, 0)
    answers = pipe.execute()
    ids, heads = {raw.decode() for some in answers[1::2] for raw in some}, list[GameHead | None]()
    with suppress(RecordsUnavailable):  # where Redis has no head
        heads = games.store.heads(ids - games.store.imported(ids))  # imported ones ended long ago
    since = min((in_ms(head["updated"]) for head in heads if head), default=now_in_ms())
    return sum(answers[::2]), max(0, now_in_ms() - since) / 1000


def _known(games: Games) -> int:
    """Return how many of the games that wait are recorded already: all, after a restore."""
    ids = (raw.decode() for key in buckets.keys(FINISHED) for raw in games.redis.zrange(key, 0, -1))
    return sum(len(games.store.records.ends(batch)) for batch in batches_of(BATCH_SIZE, ids))


def findings(games: Games) -> Iterator[Finding]:
    """Yield errors in items that wait to be recorded, and in recorded ones that are still in
    Redis."""
    count, seconds = waiting(games)
    if seconds > WARN_AFTER_S and (count := count - _known(games)):
        yield Finding(
            "not-recorded",
            "records",
            f"{count} games that are over wait to be recorded, one for {seconds:.0f} seconds",
        )
    for kept in games.kept:
        yield from kept.findings()
