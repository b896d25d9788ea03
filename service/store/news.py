"""Following games: one reader of the news a process, however many clients wait.

News is a hint, "TOPIC ...", on one channel; a topic is the id of a game, a player or a token. The
woken read the history themselves, so news that is lost, late or told twice does no harm.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import defaultdict

from redis import Redis

NEWS = "fogg:news"  # the channel on which every entry is told: "ID VERSION"
PATIENCE = 5.0  # seconds after which a waiter looks for itself, should the news have been lost

log = logging.getLogger(__name__)


class Follower:
    """Somebody who waits for news of some topics; a context manager."""

    def __init__(self, news: News, *topics: str):
        self._news, self._topics = news, set(topics)
        self._woken, self._event = set(), threading.Event()

    def __enter__(self) -> Follower:
        for topic in self._topics:
            self._news.waiting[topic].add(self)
        return self

    def __exit__(self, *_) -> None:
        for topic in tuple(self._topics):
            self.drop(topic)

    @property
    def topics(self) -> set[str]:
        """What is followed now."""
        return set(self._topics)

    def add(self, topic: str) -> None:
        """Follow one more topic."""
        self._topics.add(topic)
        self._news.waiting[topic].add(self)

    def drop(self, topic: str) -> None:
        """Follow a topic no longer."""
        self._topics.discard(topic)
        followers = self._news.waiting[topic]
        followers.discard(self)
        if not followers:
            self._news.waiting.pop(topic, None)

    def wake(self, topic: str) -> None:
        """Tell of news."""
        self._woken.add(topic)
        self._event.set()

    def wait(self, seconds: float) -> set[str]:
        """Return the topics that there are news of, none once the seconds are over."""
        self._event.wait(max(0, seconds))
        self._event.clear()
        woken, self._woken = self._woken, set()
        return woken


class News:
    """Wakes whoever waits for something to happen."""

    def __init__(self, redis: Redis):
        self._redis = redis
        self.waiting: dict[str, set[Follower]] = defaultdict(set)
        self._start = threading.Lock()
        self._reader: threading.Thread | None = None

    def follow(self, *topics: str) -> Follower:
        """Return a follower of topics, to be entered before the first look at them."""
        self._start_reader()
        return Follower(self, *topics)

    def wait(self, topic: str, seconds: float, found) -> None:
        """Return when ``found()`` is true or the seconds are over, whichever is first."""
        end = time.monotonic() + seconds
        with self.follow(topic) as follower:
            while not found() and (left := end - time.monotonic()) > 0:
                follower.wait(min(left, PATIENCE))

    def tell(self, *topics: str) -> None:
        """Wake whoever follows these topics, in every process."""
        pipe = self._redis.pipeline(transaction=False)
        for topic in topics:
            pipe.publish(NEWS, topic)
        pipe.execute()

    def _start_reader(self) -> None:
        with self._start:
            if self._reader is None:
                self._reader = threading.Thread(target=self._read, name="news", daemon=True)
                self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                self._listen()
            except Exception as error:  # waiters must not be left without news for good
                log.warning("the news were cut off; listening again: %r", error)
            time.sleep(0.2)

    def _listen(self) -> None:
        with self._redis.pubsub() as pubsub:
            pubsub.subscribe(NEWS)
            while True:
                message = pubsub.get_message(timeout=PATIENCE)
                if message and message["type"] == "message":
                    self._wake(message["data"].decode().partition(" ")[0])
                elif message:  # subscribed, perhaps anew: what was told before is lost
                    self._wake(*self.waiting)

    def _wake(self, *topics: str) -> None:
        for topic in topics:
            for follower in tuple(self.waiting.get(topic, ())):
                follower.wake(topic)
