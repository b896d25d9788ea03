"""Pub/sub: a process has one connection to each node for all clients that wait for news.

``{TAG:TOPIC}:news``  the channel of a topic: the id of a history, a player or a token,
                      or ``live``

News is only a hint. A follower that is woken reads the history, so news that is lost, late or sent
twice does no harm. The message of an entry has its version and the beginning of its hash
(``Store.on_announced``). The channels are sharded: a message stays on one node. A script may
publish, as the channel is in the slot of the topic's keys.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

from redis import Redis, RedisCluster
from redis import TimeoutError as RedisTimeoutError
from redis.client import Pipeline

AGAIN_S = 0.05  # seconds until a connection that was cut off is opened again
CHECK_EVERY_S = 5.0  # seconds after which a waiter checks for itself, and a silent node gets a PING
LIVE = "live"  # the topic on which the beginning of public games is published
TAGS = {"g_": "g", "c_": "t"}  # how an id begins -> the tag of its keys, where it has some

log = logging.getLogger(__name__)


def channel(topic: str) -> str:
    return f"{{{TAGS.get(topic[:2], 'news')}:{topic}}}:news"


def publish(redis: Redis, *topics: str) -> None:
    """Wake all followers of these topics, in every process."""
    pipe = redis.pipeline(transaction=False)
    add_news(pipe, *topics)
    pipe.execute()


def add_news(pipe: Pipeline, *topics: str) -> None:
    """Add commands to a pipeline that wake all followers of these topics."""
    for topic in topics:
        pipe.spublish(channel(topic), "")


class Follower:
    """Waits for news of some topics; a context manager."""

    def __init__(self, news: News, *topics: str):
        self._news, self._topics = news, set(topics)
        self._woken: set[str] = set()
        self._event = threading.Event()

    def __enter__(self) -> Follower:
        for topic in self._topics:
            self._news.add(topic, self)
        return self

    def __exit__(self, *_: object) -> None:
        for topic in tuple(self._topics):
            self.drop(topic)

    @property
    def topics(self) -> set[str]:
        return set(self._topics)

    def add(self, topic: str) -> None:
        self._topics.add(topic)
        self._news.add(topic, self)

    def drop(self, topic: str) -> None:
        self._topics.discard(topic)
        self._news.drop(topic, self)

    def wake(self, topic: str) -> None:
        """Note news of a topic, and end the wait."""
        self._woken.add(topic)
        self._event.set()

    def wait(self, seconds: float) -> set[str]:
        """Wait for news; return their topics, none after so many seconds without any."""
        self._event.wait(max(0, seconds))
        self._event.clear()
        woken, self._woken = self._woken, set()
        return woken


class News:
    """Wakes the followers in this process."""

    def __init__(self, redis: Redis):
        self._redis = redis
        self._waiting: dict[str, set[Follower]] = defaultdict(set)
        # by the name of a cluster's node; "" is a single server
        self._subscribers: dict[str, Subscriber] = {}
        self._lock = threading.RLock()
        self.is_closed = False
        # called with the topic and the message of news, where there is a message
        self.on_announced: list[Callable[[str, bytes], object]] = []
        # called when news is heard again after a connection was cut off
        self.on_reconnect: list[Callable[[], object]] = []

    def follow(self, *topics: str) -> Follower:
        """Return a follower of topics; enter it before reading them for the first time."""
        return Follower(self, *topics)

    def wait(self, topic: str, seconds: float, condition: Callable[[], object]) -> None:
        """Return when ``condition()`` is true or the seconds are over, whichever is first."""
        end = time.monotonic() + seconds
        with self.follow(topic) as follower:
            while not condition() and (left := end - time.monotonic()) > 0:
                follower.wait(min(left, CHECK_EVERY_S))

    def publish(self, *topics: str) -> None:
        publish(self._redis, *topics)

    def add(self, topic: str, follower: Follower) -> None:
        """Wake a follower when a topic has news, and once as soon as its channel is subscribed."""
        with self._lock:
            is_first = topic not in self._waiting
            subscriber = self._subscriber_of(topic) if is_first else None
            self._waiting[topic].add(follower)
            if subscriber:
                subscriber.add(topic)

    def drop(self, topic: str, follower: Follower) -> None:
        with self._lock:
            followers = self._waiting.get(topic, set())
            followers.discard(follower)
            if followers:
                return
            self._waiting.pop(topic, None)
            for subscriber in self._subscribers.values():
                subscriber.drop(topic)

    def close(self) -> None:
        """End the threads that listen, and the waits of all who follow now."""
        with self._lock:
            self.is_closed = True
            for topic, followers in tuple(self._waiting.items()):
                for follower in tuple(followers):
                    follower.wake(topic)
                    self.drop(topic, follower)

    def _subscriber_of(self, topic: str) -> Subscriber:
        name, node = "", self._redis
        if isinstance(node, RedisCluster):
            owner = node.get_node_from_key(channel(topic))
            name, node = owner.name, node.get_redis_connection(owner)
        subscriber = self._subscribers.get(name)
        if subscriber is None:
            subscriber = self._subscribers[name] = Subscriber(
                node, self._wake, self._on_message, self._on_back
            )
            threading.Thread(
                target=self._keep, args=(name, subscriber), name="news", daemon=True
            ).start()
        return subscriber

    def _keep(self, name: str, subscriber: Subscriber) -> None:
        """Listen with a subscriber until nobody follows a topic of its node any longer."""
        while self._is_kept(name, subscriber):
            try:
                subscriber.listen()
            except Exception as error:  # waiters must not be left without news for good
                subscriber.note_cut(error)
                time.sleep(AGAIN_S)
                try:
                    self._move(name, subscriber)
                except Exception as error:
                    log.debug("it is not known where the news are now: %r", error)

    def _is_kept(self, name: str, subscriber: Subscriber) -> bool:
        """Return whether a subscriber is still needed; remove it if it has no topics."""
        with self._lock:
            if self._subscribers.get(name) is subscriber and not subscriber.topics:
                del self._subscribers[name]
            return self._subscribers.get(name) is subscriber

    def _move(self, name: str, subscriber: Subscriber) -> None:
        """Move the topics of a subscriber that was cut off to the nodes that have them now."""
        if not isinstance(self._redis, RedisCluster):
            return
        self._redis.nodes_manager.initialize()
        with self._lock:
            for topic in tuple(subscriber.topics):
                other = self._subscriber_of(topic)
                if other is not subscriber:
                    subscriber.topics.discard(topic)
                    other.add(topic)
        if not subscriber.topics:  # another node has taken over all of them
            self._on_back()

    def _on_message(self, topic: str, message: bytes) -> None:
        for hear in self.on_announced:
            hear(topic, message)

    def _on_back(self) -> None:
        for note in self.on_reconnect:
            note()

    def _wake(self, topic: str) -> None:
        for follower in tuple(self._waiting.get(topic, ())):
            follower.wake(topic)


class Subscriber:
    """A connection that is subscribed to the channels of some topics at one node."""

    def __init__(
        self,
        node: Redis,
        wake: Callable[[str], None],
        hear: Callable[[str, bytes], None],
        note_back: Callable[[], None],
    ):
        self._pool, self._wake, self._on_message = node.connection_pool, wake, hear
        where = self._pool.connection_kwargs
        self._name = where.get("path") or f"{where.get('host')}:{where.get('port')}"
        self._note_back = note_back
        self.topics: set[str] = set()
        self._leaving: Counter[str] = Counter()  # topics that the node was asked to leave out
        self._is_cut = False
        self._sending = threading.Lock()
        self._connection = None

    def add(self, topic: str) -> None:
        self.topics.add(topic)
        self._send("SSUBSCRIBE", [topic])

    def drop(self, topic: str) -> None:
        if topic in self.topics:
            self.topics.discard(topic)
            self._leaving[topic] += 1
            self._send("SUNSUBSCRIBE", [topic])

    def note_cut(self, error: Exception) -> None:
        """Log an outage once, when it begins."""
        log.log(
            logging.DEBUG if self._is_cut else logging.WARNING,
            "the news of %s were cut off; listening again: %r",
            self._name,
            error,
        )
        self._is_cut = True

    def listen(self) -> None:
        """Wake followers until the connection ends or a topic has moved to another node; then
        raise. Return once there are no topics. A new subscription wakes the followers of its topic,
        too: they may have missed earlier news."""
        connection = self._pool.get_connection()
        try:
            with self._sending:
                self._connection = connection
                self._leaving.clear()
            self._send("SSUBSCRIBE", tuple(self.topics))
            is_asked = False
            while self.topics:
                try:
                    message = connection.read_response(
                        disconnect_on_error=False, push_request=True, timeout=CHECK_EVERY_S
                    )
                except RedisTimeoutError:
                    if is_asked:
                        raise
                    self._send("PING")
                    is_asked = True
                else:
                    is_asked = False
                    self._hear(message)
                    if self._is_cut:
                        log.warning("the news of %s are heard again", self._name)
                        self._is_cut = False
                        self._note_back()
        finally:
            with self._sending:
                self._connection = None
            connection.disconnect()
            self._pool.release(connection)

    def _hear(self, message: object) -> None:
        if not isinstance(message, list):  # the answer to PING
            return
        kind, name = message[0], message[1].decode()
        topic = name.partition(":")[2].removesuffix("}:news")
        if kind != b"sunsubscribe":
            if kind == b"smessage" and message[2]:
                self._on_message(topic, message[2])
            self._wake(topic)
        elif self._leaving[topic]:
            self._leaving[topic] -= 1
        elif topic in self.topics:
            raise ConnectionResetError("another node has it now")

    def _send(self, command: str, topics: Iterable[str] | None = None) -> None:
        """Send a command for each topic over the connection, if there is one. If the connection
        breaks, the listener notices."""
        with self._sending:
            if (connection := self._connection) is None or topics == ():
                return
            commands = [(command,)] if topics is None else [(command, channel(t)) for t in topics]
            try:
                connection.send_packed_command(
                    connection.pack_commands(commands), check_health=False
                )
            except Exception as error:
                log.info("the news are cut off: %r", error)
