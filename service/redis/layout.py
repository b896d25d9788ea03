"""Which version of Fogg has written a Redis, and whether its indexes have to be rebuilt.

``fogg:layout``          ``LAYOUT`` of the version that wrote this Redis
``fogg:indexes``         ``INDEXES`` of the version that made the indexes
``fogg:indexes:newest``  the highest ``INDEXES`` of all versions that have used this Redis
"""

from redis import Redis

from service.starting import RedisUnavailable

LAYOUT = 4  # count this up when keys that are not derived from histories move
# Count this up when heads, lists, statistics, ratings or the log change although the histories are
# the same: the service then rebuilds them once after its start.
INDEXES = 5
MADE_BY, NEWEST = "fogg:indexes", "fogg:indexes:newest"


def settle(redis: Redis) -> None:
    """Store which version of Fogg uses this Redis. Raise RedisUnavailable if the data has the
    layout of an incompatible version. Afterwards, ``are_indexes_old`` says whether the indexes must
    be rebuilt."""
    stored = redis.get("fogg:layout")
    if stored is None:
        redis.set(MADE_BY, INDEXES, nx=True)  # a new Redis has nothing to rebuild
        redis.set("fogg:layout", LAYOUT)
    elif int(stored) != LAYOUT:
        which = "a later" if int(stored) > LAYOUT else "an earlier"
        raise RedisUnavailable(
            f"this Redis was used by {which} version (layout {int(stored)}, this one knows "
            f"{LAYOUT}): start that one, or move its data over (docs/operations.md, Upgrade)"
        )
    if _number(redis, MADE_BY) > INDEXES:  # the later version has to rebuild what this one writes
        redis.set(MADE_BY, INDEXES)
    if _number(redis, NEWEST) < INDEXES:
        redis.set(NEWEST, INDEXES)


def are_indexes_old(redis: Redis) -> bool:
    """Return whether an earlier version made the indexes, so that they have to be rebuilt."""
    return _number(redis, MADE_BY) < INDEXES


def note_rebuilt(redis: Redis) -> None:
    redis.set(MADE_BY, INDEXES)


def warnings(redis: Redis) -> list[str]:
    """Return sentences about indexes of an earlier version and data of a later version."""
    sentences = []
    if redis.exists("fogg:layout") and are_indexes_old(redis):
        sentences.append(
            "an earlier version has made lists, statistics and ratings: the service rebuilds them "
            "in the background, and they may be wrong until then"
        )
    if (newest := _number(redis, NEWEST)) > INDEXES:
        sentences.append(
            f"a later version has used this Redis (its indexes are number {newest}, this version "
            f"knows {INDEXES}): some games and lists may be unreadable here; start the later "
            "version, or restore a backup"
        )
    return sentences


def _number(redis: Redis, key: str) -> int:
    return int(redis.get(key) or 0)
