"""Whether workers live, and for how long games have waited for one."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from domain.game.commands import Player
from domain.game.state import PLAYING
from service.errors import Finding
from service.feature import Services
from service.games import index, workers
from service.games.games import Games
from service.games.store import GameHead
from service.games.sweep import waits_for_bot
from service.redis.guarding import UNREACHABLE
from service.redis.queue import Work
from service.times import in_ms, now_in_ms

GUESTS, BOTS = workers.GUESTS.queue, workers.BOTS.queue
WARN_AFTER_S = {GUESTS: 60, BOTS: 900}  # seconds of waiting after which to warn
MAX_CHECKED = 100  # games of a queue of which the longest wait is looked for
STARTING = 20.0  # seconds that workers may need to start together with a web process
EVERY = 10.0  # seconds between two looks at the workforce
ALIVE = 10_000  # milliseconds since its last beat in which the service counts as running
BATCH_SIZE = 500  # heads that are read at a time


@dataclass(frozen=True)
class Workforce:
    """The number of live workers by the queue that they are called after (those of bots also
    analyse games), what nobody does as none of its workers live, and the longest wait of a game in
    seconds, by queue."""

    workers: Mapping[str, int]
    missing: Sequence[str]
    oldest: Mapping[str, float]

    def warnings(self) -> list[str]:
        problems = [f"no worker {does}" for does in self.missing]
        if (seconds := self.oldest[GUESTS]) > WARN_AFTER_S[GUESTS]:
            problems.append(
                "a game that others than built-in bots play in has waited for a bot "
                f"for {seconds:.0f} seconds"
            )
        return problems


def read(services: Services) -> Workforce:
    """Return which workers are alive and how long games have waited for one."""
    games = services.games
    crews = sorted(
        (feature.crew for feature in services.features if feature.crew), key=attrgetter("name")
    )
    alive = {crew.name: games.queues.workers(crew.name) for crew in crews}
    return Workforce(
        alive,
        [crew.does for crew in crews if not alive[crew.name]],
        {work.queue: _oldest(games, work) for work in (workers.GUESTS, workers.BOTS)},
    )


def _oldest(games: Games, work: Work) -> float:
    """Return the longest wait of a game in a queue, in seconds, 0 if none waits. The game is one of
    the first, as accounts take turns."""
    heads = games.store.live_heads(games.queues.names(work, MAX_CHECKED))
    since = min((in_ms(head["updated"]) for head in heads if head), default=now_in_ms())
    return max(0, now_in_ms() - since) / 1000


class Watch:
    """The last known Workforce, for requests that must not wait for the queue. It is None while
    missing workers may still be starting, shortly after this process did."""

    def __init__(self, services: Services):
        self._services = services
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
            workforce = read(self._services)
        except UNREACHABLE:
            self.last = None
            raise
        is_starting = time.monotonic() - self.began < STARTING
        self.last = None if is_starting and not all(workforce.workers.values()) else workforce


def findings(services: Services) -> Iterator[Finding]:
    """Yield the findings of ``fogg check`` about workers; nothing if the service does not run."""
    games = services.games
    beat = games.redis.get("{fogg}:beat")
    if beat is None or now_in_ms() - int(beat) >= ALIVE:
        return
    for feature in services.features:
        waiting, crew = games.queues.count(*feature.works), feature.crew
        if crew and waiting and not games.queues.workers(crew.name):
            yield Finding(
                "no-workers",
                crew.name,
                f"no worker {crew.does}, and {waiting} {crew.things} wait for one",
            )
    ids = index.created_before(games.redis, PLAYING, now_in_ms())
    for start in range(0, len(ids), BATCH_SIZE):
        for head in filter(None, games.store.heads(ids[start : start + BATCH_SIZE])):
            seconds = (now_in_ms() - in_ms(head["updated"])) / 1000
            if waits_for_bot(head) and seconds > WARN_AFTER_S[_class_of(head)]:
                yield Finding(
                    "bots-wait", head["id"], f"it has waited for a bot for {seconds:.0f} seconds"
                )


def _class_of(head: GameHead) -> str:
    is_alone = all(Player(**seat["player"]).is_built_in for seat in head["seats"])
    return BOTS if is_alone else GUESTS
