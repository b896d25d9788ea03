"""What a Redis of one's own is set to that games may be lost by."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from redis import Redis, RedisCluster, RedisError
from redis.exceptions import RedisClusterException

# setting: what it should be, and what may happen otherwise
WANTED = {
    "appendonly": ("yes", "what was answered is lost when Redis ends"),
    "appendfsync": ("always", "the last second before the machine fails may be lost"),
    "aof-load-truncated": ("no", "a torn file may break a history, one start later"),
    "maxmemory-policy": ("noeviction", "histories are thrown away when memory is full"),
}


def doubts(redis: Redis) -> list[str]:
    """Return what is to be said of how a Redis, or a cluster's nodes, are set, each in a sentence;
    nothing where that may not be asked."""
    nodes = [redis]
    if isinstance(redis, RedisCluster):
        nodes = [redis.get_redis_connection(node) for node in redis.get_primaries()]
    found: dict[str, None] = {}
    with suppress(RedisError, RedisClusterException):
        for node in nodes:
            found |= dict.fromkeys(_doubts_of(node))
    return list(found)


def _doubts_of(node: Redis) -> Iterator[str]:
    settings = {_text(name): _text(value) for name, value in node.config_get(*WANTED).items()}
    for name, (wanted, otherwise) in WANTED.items():
        if (said := settings.get(name, wanted)) != wanted:
            yield f"Redis has {name} {said}, not {wanted}: {otherwise}"
    if "0" in map(_text, node.config_get("maxmemory").values()):
        yield "Redis has no maxmemory: the system kills it when the machine's memory is full"


def _text(raw: bytes | str) -> str:
    return raw.decode() if isinstance(raw, bytes) else raw
