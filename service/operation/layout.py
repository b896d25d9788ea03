"""Which version of Fogg has written a Redis, and how data of an earlier version are brought up to
date.

``fogg:layout``          the number of the layout: the indexes are where this version looks for them
``fogg:layout:lock``     there while a process moves them; it expires
``fogg:indexes``         ``INDEXES`` of the version that made the indexes; none before they had a
                         number
``fogg:indexes:newest``  the highest ``INDEXES`` of all versions that have used this Redis

Histories, accounts, tokens and webhooks are not derived, and have not moved.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Iterator

from redis import Redis

from domain.game.state import PLAYING
from domain.tournament.state import OPEN, RUNNING
from service.games import buckets, index
from service.operation.redis import RedisUnavailable
from service.store.scripts import Script
from service.times import now_in_ms
from service.tournaments.index import DUE

LAYOUT = 3  # since 3, an archived game's head is where its place in the archive is
# Count this up when heads, lists, statistics, ratings or the log would be made otherwise from the
# same histories: the service then rebuilds them once after it was started.
INDEXES = 2
MADE_BY, NEWEST = "fogg:indexes", "fogg:indexes:newest"
LOCKED = 30_000  # milliseconds after which another process goes on, should the one that moves die
AT_ONCE = 500  # rows moved at a time
log = logging.getLogger(__name__)

# KEYS lock. ARGV whose it is. Gives it back.
UNLOCK = "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end"


def settle(redis: Redis) -> None:
    """Make the layout this version's: return at once if it is, else once this process, or another,
    has moved what is elsewhere. Raise RedisUnavailable if a later version has made it.

    Indexes stay as they are: ``are_indexes_old`` says whether they must be rebuilt."""
    while (found := redis.get("fogg:layout")) != str(LAYOUT).encode():
        if found and int(found) > LAYOUT:
            raise RedisUnavailable(f"this Redis was used by a later version (layout {int(found)}, "
                                   f"this one knows {LAYOUT}): start that one, or restore a backup")
        name = secrets.token_hex(8)
        if redis.set("fogg:layout:lock", name, nx=True, px=LOCKED):
            try:
                if not _move(redis) and not found:  # nothing has been here before
                    redis.set(MADE_BY, INDEXES, nx=True)
                redis.set("fogg:layout", LAYOUT)
            finally:
                Script(redis, UNLOCK)(["fogg:layout:lock"], [name])
        else:
            time.sleep(0.2)
    if _number(redis, MADE_BY) > INDEXES:  # the later version is to rebuild what this one writes
        redis.set(MADE_BY, INDEXES)
    if _number(redis, NEWEST) < INDEXES:
        redis.set(NEWEST, INDEXES)


def are_indexes_old(redis: Redis) -> bool:
    """Return whether an earlier version has made the indexes, so that they must be rebuilt."""
    return _number(redis, MADE_BY) < INDEXES


def note_rebuilt(redis: Redis) -> None:
    """Note that this version has made all indexes."""
    redis.set(MADE_BY, INDEXES)


def warnings(redis: Redis) -> list[str]:
    """Return a sentence about data of an earlier version, and one about data of a later version, if
    there are any."""
    found = []
    if redis.exists("fogg:layout", "games") and are_indexes_old(redis):
        found.append("an earlier version has made lists, statistics and ratings: the service "
                     "rebuilds them in the background, and they may be wrong until then")
    if (newest := _number(redis, NEWEST)) > INDEXES:
        found.append(f"a later version has used this Redis (its indexes are number {newest}, this "
                     f"version knows {INDEXES}): some games and lists may be unreadable here; "
                     "start the later version, or restore a backup")
    return found


def _number(redis: Redis, key: str) -> int:
    return int(redis.get(key) or 0)


def _move(redis: Redis) -> int:
    """Move what the first layout has in one list each to where games are indexed now; return how
    many rows that were."""
    old = {"games": "all", "deadlines": "deadlines"}
    old |= {f"games:{status}": status for status in index.STATUSES}
    moved = 0
    for key, name in old.items():
        for rows in _pages(redis, key):
            pipe = redis.pipeline(transaction=False)
            for game, at in rows:
                pipe.zadd(buckets.key(game, name), {game: at})
                if name == PLAYING:  # it may wait for a bot
                    pipe.zadd(buckets.key(game, "due"), {game: now_in_ms()})
            pipe.execute()
            redis.pexpire("fogg:layout:lock", LOCKED)
            moved += len(rows)
        redis.delete(key)
    for status in (OPEN, RUNNING):
        for rows in _pages(redis, f"tournaments:{status}"):
            redis.zadd(DUE, dict.fromkeys((tournament for tournament, _ in rows), now_in_ms()))
    if moved:
        log.warning("moved %d rows of lists that an earlier version had made", moved)
    return moved


def _pages(redis: Redis, key: str) -> Iterator[list[tuple[str, float]]]:
    """Yield the rows of a sorted set, some at a time."""
    start = 0
    while rows := redis.zrange(key, start, start + AT_ONCE - 1, withscores=True):
        yield [(member.decode(), at) for member, at in rows]
        start += AT_ONCE
