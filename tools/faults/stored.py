"""The stored data in Redis at the end, read without the service."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import redis
import sqlalchemy as sa

from service.games.store import GameStore
from service.records.tables import board_total, game, log
from tools.faults.ledger import Attempt, Ledger
from tools.faults.worlds import World

Histories = dict[str, list[tuple[bytes, str]]]  # game -> the text and the hash of each entry
ANSWERS = 60  # seconds in which Redis answers again
RECENT = 60  # seconds: a fault loses what was written last


def histories(world: World, games: Iterable[str]) -> Histories:
    return {
        game: [(fields[b"e"], fields[b"h"].decode()) for _, fields in rows]
        for game, rows in _rows(world, list(games), lambda pipe, log: pipe.xrange(log))
    }


@dataclass(frozen=True)
class Recorded:
    """The content of the database: the last hash of each game, how many lines of the public log
    have each hash, and the sums over the games that count."""

    games: dict[str, str]
    lines: Counter
    published: int
    counted: int


NOTHING = Recorded({}, Counter(), 0, 0)


def recorded(world: World, games: Iterable[str]) -> Recorded:
    """Return what the database holds once it has all of these games, or after a minute."""
    end, database = time.monotonic() + ANSWERS, world.records
    while True:
        with database.reading() as db:
            rows = db.execute(sa.select(game.c.id, game.c.last_hash, game.c.published)).all()
            lines = db.scalars(sa.select(log.c.last_hash)).all()
            counted = db.scalar(sa.select(sa.func.sum(board_total.c.games)))
        if time.monotonic() > end or {*games} <= {row.id for row in rows}:
            database.close()
            return Recorded(
                {row.id: row.last_hash.hex() for row in rows},
                Counter(line.hex() for line in lines),
                sum(row.published is not None for row in rows),
                counted or 0,
            )
        world.mend()
        time.sleep(0.5)


def lost(world: World, ledger: Ledger) -> list[Attempt]:
    """Return what was acknowledged not long ago and is no longer stored; mark it as lost."""
    recent = [
        one
        for one in ledger.acknowledged()
        if not one.is_lost and one.answered > time.monotonic() - RECENT
    ]
    held = histories(world, {one.game for one in recent})
    for one in recent:
        one.is_lost = not is_stored(one, held[one.game])
    return [one for one in recent if one.is_lost]


def is_stored(attempt: Attempt, history: list[tuple[bytes, str]]) -> bool:
    """Return whether a history holds what was acknowledged."""
    return attempt.version <= len(history) and history[attempt.version - 1][1] == attempt.hash


def _rows(world: World, games: list[str], ask):
    """Yield games with what is asked of the history of each, as soon as Redis answers."""
    end = time.monotonic() + ANSWERS
    while True:
        try:
            with world.store() as client:
                pipe = client.pipeline(transaction=False)
                for game in games:
                    ask(pipe, GameStore.key(game, "log"))
                yield from zip(games, pipe.execute(), strict=True)
            return
        except redis.RedisError:
            if time.monotonic() > end:
                raise
            world.mend()
            time.sleep(0.05)
