"""A copy in Redis of everybody's present overall rating, for the lobby and the pool.

``{ratings}:present``  PLAYER -> [mu, sigma]; ``ACCOUNT@`` -> those of its version that has played
                       last; ``copied`` -> [generation, change]: the last change that is copied

The recorder writes it after each commit, all changes since the last copied one. So nothing is
missing for long if a process dies, or if Redis is older than the database.
"""

from collections.abc import Sequence

import orjson
import sqlalchemy as sa
from redis import Redis

from service.accounts.versions import account_of
from service.errors import RecordsUnavailable
from service.games.strengths import OVERALL
from service.ratings.counting import start
from service.ratings.ratings import LAST_CHANGE
from service.ratings.standing import Standing
from service.records.database import Database
from service.records.tables import generation, standing

KEY, COPIED = "{ratings}:present", "copied"
BATCH_SIZE = 1000  # players that are written at a time


def copy(redis: Redis, database: Database) -> None:
    """Copy changed ratings to Redis: all of a new generation, or if the database is older."""
    count, copied = orjson.loads(redis.hget(KEY, COPIED) or b"[null,0]")
    with database.reading() as db:
        current = db.scalar(sa.select(generation.c.n).where(generation.c.is_current)) or 0
        last = db.execute(LAST_CHANGE, {"count": current}).scalar_one()
        if count == current and copied == last:
            return
        rows = db.execute(
            sa.select(
                standing.c.player,
                standing.c.account,
                standing.c.is_latest,
                standing.c.mu,
                standing.c.sigma,
            )
            .where(
                standing.c.generation == current,
                standing.c.scope == OVERALL,
                standing.c.games > 0,
                standing.c.changed > (copied if count == current and copied < last else 0),
            )
            .execution_options(yield_per=BATCH_SIZE)
        )
        for some in rows.partitions():
            skills = {
                name: orjson.dumps([mu, sigma])
                for player, account, is_latest, mu, sigma in some
                for name in ([player, f"{account}@"] if is_latest else [player])
            }
            redis.hset(KEY, mapping=skills)
    redis.hset(KEY, COPIED, orjson.dumps([current, last]))


def rating(redis: Redis, player: str) -> float:
    """Return a player's overall rating. Raise RecordsUnavailable if nothing is copied yet."""
    return (_read(redis, [player])[0] or start(f"{OVERALL} {player}")).rating


def strengths(redis: Redis, players: Sequence[str]) -> list[float]:
    """Return the overall mu of players. A new version has the mu of the version that played last.
    Raise RecordsUnavailable if nothing is copied yet."""
    stored = _read(redis, [*players, *(f"{account_of(player)}@" for player in players)])
    own, last = stored[: len(players)], stored[len(players) :]
    return [
        (one or ("@" in player and other) or start(f"{OVERALL} {player}")).mu
        for player, one, other in zip(players, own, last, strict=True)
    ]


def _read(redis: Redis, names: Sequence[str]) -> list[Standing | None]:
    copied, *stored = redis.hmget(KEY, [COPIED, *names])
    if copied is None:
        raise RecordsUnavailable("the ratings are not in Redis yet, as the recorder has not run")
    return [Standing(*orjson.loads(raw)) if raw else None for raw in stored]
