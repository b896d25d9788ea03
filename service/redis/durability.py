"""Checks of an external Redis: whether it is fit for the service, and which settings may lose
games."""

import re
from collections.abc import Iterator
from contextlib import suppress

from redis import ConnectionError, Redis, RedisCluster, RedisError, ResponseError, TimeoutError
from redis.exceptions import RedisClusterException

from service.redis.connection import OLDEST_SERVER
from service.starting import RedisUnavailable

# setting -> its right value, and what may happen otherwise
WANTED = {
    "appendonly": ("yes", "what was answered is lost when Redis ends"),
    "appendfsync": ("always", "the last second before the machine fails may be lost"),
    "aof-load-truncated": ("no", "a torn file may break a history, one start later"),
    "maxmemory-policy": ("noeviction", "what it holds is deleted when memory is full"),
}
EVICTS_ALL = "allkeys-"  # prefix of the policies by which Redis may delete any key


def refuse_unfit(redis: Redis) -> None:
    """Raise RedisUnavailable if a Redis, or one of a cluster's masters, is too old, or deletes
    histories when its memory is full. A server that does not answer, or forbids the commands,
    counts as fit."""
    for node in _nodes(redis):
        with suppress(ConnectionError, TimeoutError):
            _refuse_unfit_node(node)


def _refuse_unfit_node(node: Redis) -> None:
    with suppress(ResponseError):
        version = str(node.info("server")["redis_version"])
        if numbers(version) < OLDEST_SERVER:
            oldest = ".".join(map(str, OLDEST_SERVER))
            raise RedisUnavailable(
                f"this Redis is of version {version}; the service needs {oldest} or newer"
            )
    with suppress(ResponseError):
        policy = _settings(node).get("maxmemory-policy", "")
        if policy.startswith(EVICTS_ALL):
            raise RedisUnavailable(
                f"this Redis has maxmemory-policy {policy}: it would delete histories when its "
                "memory is full. Set maxmemory-policy to noeviction"
            )


def risky_settings(redis: Redis) -> list[str]:
    """Return a sentence for each risky setting of a Redis, or of a cluster's nodes; none if their
    settings cannot be read."""
    risks: dict[str, None] = {}
    with suppress(RedisError, RedisClusterException):
        for node in _nodes(redis):
            risks |= dict.fromkeys(_risks_of(node))
    return list(risks)


def _nodes(redis: Redis) -> list[Redis]:
    """Return a client of each server that holds data: the masters of a cluster."""
    if isinstance(redis, RedisCluster):
        return [redis.get_redis_connection(node) for node in redis.get_primaries()]
    return [redis]


def _settings(node: Redis) -> dict[str, str]:
    return {_text(name): _text(value) for name, value in node.config_get(*WANTED).items()}


def numbers(version: str) -> tuple[int, ...]:
    """Return (major, minor) of a version, for comparisons."""
    return tuple(map(int, re.findall(r"\d+", version)[:2]))


def _risks_of(node: Redis) -> Iterator[str]:
    settings = _settings(node)
    for name, (wanted, otherwise) in WANTED.items():
        if (said := settings.get(name, wanted)) != wanted:
            yield f"Redis has {name} {said}, not {wanted}: {otherwise}"
    if "0" in map(_text, node.config_get("maxmemory").values()):
        yield "Redis has no maxmemory: the system kills it when the machine's memory is full"


def _text(raw: bytes | str) -> str:
    return raw.decode() if isinstance(raw, bytes) else raw
