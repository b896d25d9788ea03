"""Games that are recorded and still in Redis.

They stay there for FOGG_KEEP_HOURS, so that neither the database nor Redis alone holds a game of
which there is no backup yet. After a restart of Redis, which may have lost the end of a game or of
a list, ``recover`` compares both.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.errors import BrokenHistory
from domain.game.state import FINISHED, LOBBY, PLAYING
from service import settings
from service.errors import Finding, RecordsUnavailable
from service.games import buckets, index, listing
from service.games.games import Games
from service.store.batches import batches_of
from service.store.guarding import log_errors
from service.store.loaded import K
from service.store.store import Store
from service.times import in_ms, now_in_ms

BATCH_SIZE = 500  # games that are compared or removed at a time
AGAIN_MS = 3_600_000  # milliseconds until a game is tried again that could not be removed
HOUR = 3_600_000  # milliseconds
WARN_AFTER_S = 300  # seconds for which a game waits to be recorded before ``fogg check`` says so
ADVICE = {  # code of each finding -> what to do then
    "not-recorded": "look into recorder.log, and at the database; games under way go on",
    "record-differs": "restore the database or Redis from a backup: the one that is wrong",
}


class NotRecorded(Exception):
    """The records do not have a history as Redis has it; the message says how it differs."""


def recorded(store: Store[K], some_id: str) -> K:
    """Return the state that the recorded history of a game or tournament leads to. Raise
    NotRecorded if there is none, or if Redis has another one."""
    history = store.records.histories([some_id]).get(some_id)
    known = store.folded(history or ())
    if known is None:
        raise NotRecorded("the records do not have it")
    in_redis = [(fields[b"e"], fields[b"h"].decode()) for [rows] in [store.rows([some_id])]
                for _, fields in rows]
    if in_redis and in_redis != history:
        raise NotRecorded("the records have another history than Redis")
    if known.state.id != some_id or known.state.status != FINISHED:
        raise NotRecorded("its record is not that of a finished game")
    return known


def leave(games: Games) -> int:
    """Remove the games from Redis that were recorded FOGG_KEEP_HOURS ago; return their number. The
    record of each is read back, folded and compared first. A game that differs is logged, and
    stays."""
    before, count = now_in_ms() - int(settings.KEEP_HOURS.value() * HOUR), 0
    for key in buckets.keys("recorded"):
        while ids := games.redis.zrangebyscore(key, "-inf", before, start=0, num=BATCH_SIZE):
            for game_id in map(bytes.decode, ids):
                with log_errors(f"{game_id} stays in Redis", RecordsUnavailable) as guard:
                    _leave(games, game_id)
                    count += 1
                if guard.failed:
                    games.redis.zadd(key, {game_id: before + AGAIN_MS}, xx=True)
    return count


def _leave(games: Games, game_id: str) -> None:
    redis, over = games.redis, recorded(games.store, game_id)
    index.forget(redis, over.state)
    if not games.store.remove(game_id, over.state.version, over.hash, is_recorded=True) and (
            games.store.last([game_id])):
        raise NotRecorded("Redis has other entries since")
    pipe = redis.pipeline(transaction=False)
    for name in ("due", "deadlines", "recorded"):
        pipe.zrem(buckets.key(game_id, name), game_id)
    pipe.hdel(buckets.key(game_id, "unfiled"), game_id)
    pipe.execute()


def recover(games: Games) -> None:
    """Compare all games that are in Redis with the records. Have each that is over and not recorded
    recorded, put back the entries that Redis has lost of a recorded game, and remove recorded games
    from the lists of others."""
    for ids in batches_of(BATCH_SIZE, games.store.ids()):
        heads, ends = games.store.heads(ids), games.store.last(ids)
        rows = games.store.records.ends(ids)
        for game_id, head in zip(ids, heads, strict=True):
            with log_errors(f"{game_id} cannot be compared with its record", RecordsUnavailable):
                if game_id in rows and rows[game_id] != ends.get(game_id):
                    listing.put_back(games, game_id)
                elif game_id in rows:
                    _recover_lists(games, game_id)
                elif head and head["status"] == FINISHED:
                    _wait(games, game_id, head["created"])


def _recover_lists(games: Games, game_id: str) -> None:
    """Have the recorder remove a recorded game from the lists, if it is in one."""
    pipe = games.redis.pipeline(transaction=False)
    for name in ("recorded", "all", LOBBY, PLAYING):
        pipe.zscore(buckets.key(game_id, name), game_id)
    is_noted, *listed = pipe.execute()
    if is_noted is None or any(at is not None for at in listed):
        _wait(games, game_id, games.get(game_id).created)


def _wait(games: Games, game_id: str, created: str) -> None:
    """Have a game recorded, as if it were over just now."""
    games.redis.zrem(buckets.key(game_id, "recorded"), game_id)
    games.redis.zadd(buckets.key(game_id, FINISHED), {game_id: in_ms(created)})


def waiting(games: Games) -> tuple[int, float]:
    """Return how many games wait to be recorded, and for how many seconds one of those that were
    created first."""
    pipe = games.redis.pipeline(transaction=False)
    for key in buckets.keys(FINISHED):
        pipe.zcard(key)
        pipe.zrange(key, 0, 0)
    answers = pipe.execute()
    heads = games.store.heads([raw.decode() for ids in answers[1::2] for raw in ids])
    since = min((in_ms(head["updated"]) for head in heads if head), default=now_in_ms())
    return sum(answers[::2]), max(0, now_in_ms() - since) / 1000


def findings(games: Games) -> Iterator[Finding]:
    """Yield the errors in what is recorded and still in Redis."""
    count, seconds = waiting(games)
    if seconds > WARN_AFTER_S:
        yield Finding("not-recorded", "records", f"{count} games that are over wait to be "
                                                 f"recorded, one for {seconds:.0f} seconds")
    for key in buckets.keys("recorded"):
        for game_id in map(bytes.decode, games.redis.zrange(key, 0, -1)):
            try:
                recorded(games.store, game_id)
            except (NotRecorded, BrokenHistory) as error:
                yield Finding("record-differs", game_id, str(error))
