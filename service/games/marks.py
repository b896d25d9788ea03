"""The games that the sweep must check, and why.

``{games:N}:due``      game -> when to check it, in milliseconds since 1970 (``Schedule``)
``{games:N}:unfiled``  the marks, game -> "VERSION TIME": at that time a process was about to write
                       the entry of this version, after which projections must be updated;
                       removed once they are

The mark is written before the entry. So if the process dies in between, the sweep finds the game. A
game that waits for built-in bots is marked, too: it is checked when their worker's lease may have
ended.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from redis import Redis

from service.eventlog.steps import Steps
from service.games import buckets
from service.redis.schedule import SCHEDULE, Schedule
from service.redis.scripts import Script
from service.times import now_in_ms

CHECK_AFTER_MS = 5_000  # milliseconds after which a game that was marked is looked at
CLAIM_MS = 10_000  # milliseconds for which one process looks at a game
SPARE_MS = 1_000  # a game whose check is due in fewer milliseconds is marked again
MAX_KNOWN = 10_000  # games of which a process knows when they will be looked at

FORGET = Script(__file__, "forget_marks.lua")


@dataclass(frozen=True)
class Mark:
    """A mark: the projections of a game may be incomplete. It has the version of the entry that was
    about to be written, the time, and the stored text of both."""

    version: int
    at: int
    text: str

    @staticmethod
    def of(text: bytes) -> "Mark":
        version, at = map(int, text.split())
        return Mark(version, at, text.decode())


class Marks:
    """The marks of all games in one Redis."""

    def __init__(self, redis: Redis):
        self._redis = redis
        self.due = Schedule(redis)
        self._known: OrderedDict[str, int] = OrderedDict()  # when games will be looked at

    def mark(self, game_id: str, version: int) -> None:
        """Mark a game whose projections must be updated after the entry of this version."""
        self._know(game_id, SCHEDULE(self._redis, **_marked(game_id, version)))

    def mark_in(self, steps: Steps, game_id: str, version: int) -> None:
        steps.run(SCHEDULE, partial(self._know, game_id), **_marked(game_id, version))

    def mark_uncertain(self, game_id: str) -> None:
        """Mark a game whose projections may be wrong at its present version."""
        self._redis.hset(buckets.key(game_id, "unfiled"), game_id, f"0 {now_in_ms()}")

    def schedule_check(self, game_id: str) -> None:
        """Have the sweep check a game in some seconds, unless it does so earlier."""
        now = now_in_ms()
        if now + SPARE_MS < self._known.get(game_id, 0) <= now + CHECK_AFTER_MS:
            return
        due = self.due.add(buckets.key(game_id, "due"), game_id, now + CHECK_AFTER_MS)
        self._know(game_id, due)

    def _know(self, game_id: str, at: int | bytes) -> None:
        self._known[game_id] = int(float(at))
        self._known.move_to_end(game_id)
        if len(self._known) > MAX_KNOWN:
            self._known.popitem(last=False)

    def keys_due(self) -> list[str]:
        """Return the keys, one of each bucket, where games are due now."""
        pipe, now = self._redis.pipeline(transaction=False), now_in_ms()
        keys = buckets.keys("due")
        for key in keys:
            pipe.zrangebyscore(key, "-inf", now, start=0, num=1)
        return [key for key, names in zip(keys, pipe.execute(), strict=True) if names]

    def of(self, game_ids: Iterable[str]) -> list[Mark | None]:
        """Return the marks of these games, which are in one bucket."""
        ids = [*game_ids]
        texts = self._redis.hmget(buckets.key(ids[0], "unfiled"), ids) if ids else []
        return [Mark.of(text) if text else None for text in texts]

    def forget(self, marks: Mapping[str, Mark]) -> None:
        """Remove marks of games in one bucket, unless they were replaced."""
        if marks:
            words = [word for game, mark in marks.items() for word in (game, mark.text)]
            FORGET(self._redis, words, marks=buckets.key(next(iter(marks)), "unfiled"))


def is_marked(redis: Redis, game_id: str) -> bool:
    """Return whether the sweep will update the lists of a game within seconds."""
    return bool(redis.hexists(buckets.key(game_id, "unfiled"), game_id))


def _marked(game_id: str, version: int) -> dict[str, Any]:
    tag, now = buckets.tag_of(game_id), now_in_ms()
    return {
        "due": f"{{{tag}}}:due",
        "marks": f"{{{tag}}}:unfiled",
        "name": game_id,
        "at": now + CHECK_AFTER_MS,
        "mark": f"{version} {now}",
    }
