"""The sweep's and the director's work after time has passed, on everything that is due at some
time; and all that Redis holds."""

from collections.abc import Iterator

from rq import Queue

from service.games import buckets
from service.games import sweep as sweeping
from service.games.games import Games
from service.tournaments import director, index
from service.tournaments.tournaments import Tournaments


def sweep(games: Games) -> None:
    """Sweep, later."""
    for unfiled, due in zip(buckets.keys("unfiled"), buckets.keys("due"), strict=True):
        for game, mark in games.redis.hgetall(unfiled).items():
            version, at = mark.split()
            games.redis.hset(unfiled, game, b"%b %d" % (version, int(at) - 2 * 60_000))
        _let_be_due(games.redis, due)
    games.marks._known.clear()
    sweeping.sweep(games)


def direct(tournaments: Tournaments) -> None:
    """Direct, later."""
    _let_be_due(tournaments.redis, index.DUE)
    director.run_due(tournaments)


def everything(redis) -> bytes:
    """Return all that Redis holds, the data of jobs unpacked."""
    reads = {
        b"string": redis.get,
        b"hash": redis.hgetall,
        b"set": redis.smembers,
        b"zset": lambda key: redis.zrange(key, 0, -1),
        b"stream": redis.xrange,
        b"list": lambda key: redis.lrange(key, 0, -1),
    }
    held = [(key, reads[redis.type(key)](key)) for key in redis.scan_iter("*")]
    jobs = [
        (job.description, job.args)
        for job in Queue("deliveries", connection=redis, serializer="json").jobs
    ]
    return b"\n".join(_parts([held, jobs]))


def _parts(held) -> Iterator[bytes]:
    if isinstance(held, bytes):
        yield held
    elif isinstance(held, list | tuple | set | dict):
        for part in held.items() if isinstance(held, dict) else held:
            yield from _parts(part)
    else:
        yield str(held).encode()


def _let_be_due(redis, key: str) -> None:
    if ids := redis.zrange(key, 0, -1):
        redis.zadd(key, dict.fromkeys(ids, 0))
