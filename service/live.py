"""Following games: one reader of the news a process, however many clients wait."""

from __future__ import annotations

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from redis import Redis

from service.store import NEWS

PATIENCE = 5.0  # seconds after which a waiter looks for itself, should the news have been lost

log = logging.getLogger(__name__)


class News:
    """Wakes whoever waits for a game. News is a hint: the woken read the history themselves."""

    def __init__(self, redis: Redis):
        self._redis = redis
        self._waiting: dict[str, set[threading.Event]] = defaultdict(set)
        self._start = threading.Lock()
        self._reader: threading.Thread | None = None

    @contextmanager
    def of(self, game_id: str) -> Iterator[threading.Event]:
        """Give an event that is set whenever the game has a new entry."""
        self._start_reader()
        event = threading.Event()
        self._waiting[game_id].add(event)
        try:
            yield event
        finally:
            waiters = self._waiting[game_id]
            waiters.discard(event)
            if not waiters:
                self._waiting.pop(game_id, None)

    def wait(self, game_id: str, seconds: float, found) -> None:
        """Return when ``found()`` is true or the seconds are over, whichever is first."""
        end = time.monotonic() + seconds
        with self.of(game_id) as event:
            while not found() and (left := end - time.monotonic()) > 0:
                event.wait(min(left, PATIENCE))
                event.clear()

    def _start_reader(self) -> None:
        with self._start:
            if self._reader is None:
                self._reader = threading.Thread(target=self._read, name="news", daemon=True)
                self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                self._listen()
            except Exception:  # whatever it is, waiters must not be left without news for good
                log.warning("the news were cut off; listening again", exc_info=True)
            time.sleep(0.2)

    def _listen(self) -> None:
        with self._redis.pubsub() as pubsub:
            pubsub.subscribe(NEWS)
            self._wake(*self._waiting)  # what was told while nobody listened
            while True:
                message = pubsub.get_message(timeout=PATIENCE)
                if message and message["type"] == "message":
                    self._wake(message["data"].decode().partition(" ")[0])

    def _wake(self, *game_ids: str) -> None:
        for game_id in game_ids:
            for event in tuple(self._waiting.get(game_id, ())):
                event.set()
