"""The sweep's and the director's work after time has passed: on everything that is due at some
time."""

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


def _let_be_due(redis, key: str) -> None:
    if ids := redis.zrange(key, 0, -1):
        redis.zadd(key, dict.fromkeys(ids, 0))
