"""Whether workers live, and for how long games have waited for one."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from redis import Redis

from domain.game.commands import Player
from domain.game.state import PLAYING
from service.errors import Finding
from service.games import analyses, index, workers
from service.games.games import Games
from service.operation.sweep import waits_for_bot
from service.store.games import GameHead
from service.store.guarding import UNREACHABLE
from service.times import in_ms, now_in_ms
from service.webhooks import lanes

DOES = {workers.QUEUE: "plays built-in bots", lanes.QUEUE: "calls webhooks"}
WARN_AFTER_S = {workers.GUESTS: 60, workers.BOTS: 900}  # seconds of waiting after which to warn
STARTING = 20.0  # seconds that workers may need to start together with a web process
EVERY = 10.0  # seconds between two looks at the workforce
ALIVE = 10_000  # milliseconds since its last beat in which the service counts as running
BATCH_SIZE = 500  # heads that are read at a time


@dataclass(frozen=True)
class Workforce:
    """The number of live workers by queue (those of bots also analyse games), of games or lanes
    that wait for one by queue, and the longest wait of a game in seconds, by class."""

    workers: Mapping[str, int]
    waiting: Mapping[str, int]
    oldest: Mapping[str, float]

    def warnings(self) -> list[str]:
        """Return a sentence for each problem."""
        problems = [f"no worker {DOES[queue]}"
                    for queue, count in self.workers.items() if not count]
        if (seconds := self.oldest[workers.GUESTS]) > WARN_AFTER_S[workers.GUESTS]:
            problems.append("a game that others than built-in bots play in has waited for a bot "
                            f"for {seconds:.0f} seconds")
        return problems


def read(games: Games) -> Workforce:
    """Return which workers are alive and how much waits for them."""
    queue = games.queue.connection
    return Workforce({name: workers.alive(queue, name) for name in DOES},
                     {workers.QUEUE: len(workers.waiting(games.queue)),
                      lanes.QUEUE: lanes.count_waiting(games.queue),
                      analyses.QUEUE: analyses.count_waiting(games.queue)},
                     _oldest(games))


def _oldest(games: Games) -> dict[str, float]:
    """Return by class the longest wait of a game for a bot, in seconds, 0 if none waits. Only the
    first game in each account's line needs to be checked."""
    waits = {}
    for kind in WARN_AFTER_S:
        heads = games.store.live_heads(workers.first_in_lines(games.queue, kind))
        since = min((in_ms(head["updated"]) for head in heads if head), default=now_in_ms())
        waits[kind] = max(0, now_in_ms() - since) / 1000
    return waits


class Watch:
    """The last known Workforce, for requests that must not wait for the queue. It is None while
    missing workers may still be starting, shortly after this process did."""

    def __init__(self, games: Games):
        self._games = games
        self.last: Workforce | None = None
        self.began = time.monotonic()
        self._next = 0.0

    def tick(self) -> None:
        """Update every ``EVERY`` seconds, but at each call until the workers have started."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + EVERY
            self.update()
            if self.last is None:
                self._next = now

    def update(self) -> None:
        """Update the last known Workforce; on an error of Redis it becomes None."""
        try:
            workforce = read(self._games)
        except UNREACHABLE:
            self.last = None
            raise
        is_starting = time.monotonic() - self.began < STARTING
        self.last = None if is_starting and not all(workforce.workers.values()) else workforce


def findings(games: Games) -> Iterator[Finding]:
    """Yield what ``fogg check`` has to report about workers; nothing if the service is not running.
    """
    if not _is_running(games.redis):
        return
    now = read(games)
    for queue, count in now.workers.items():
        if now.waiting[queue] and not count:
            what = "games" if queue == workers.QUEUE else "lanes of webhooks"
            yield Finding("no-workers", queue, f"no worker {DOES[queue]}, and "
                                               f"{now.waiting[queue]} {what} wait for one")
    ids = index.created_before(games.redis, PLAYING, now_in_ms())
    for start in range(0, len(ids), BATCH_SIZE):
        for head in filter(None, games.store.heads(ids[start:start + BATCH_SIZE])):
            seconds = (now_in_ms() - in_ms(head["updated"])) / 1000
            if waits_for_bot(head) and seconds > WARN_AFTER_S[_class_of(head)]:
                yield Finding("bots-wait", head["id"],
                              f"it has waited for a bot for {seconds:.0f} seconds")


def _class_of(head: GameHead) -> str:
    is_alone = all(Player(**seat["player"]).is_built_in for seat in head["seats"])
    return workers.BOTS if is_alone else workers.GUESTS


def _is_running(redis: Redis) -> bool:
    beat = redis.get("{fogg}:beat")
    return beat is not None and now_in_ms() - int(beat) < ALIVE
