"""The feed of all public games under way, in one stream: the head of each game, with the scores.

A process follows each game once for all its listeners. When games have news, it reads their heads
together and sends one message for each to all listeners. The last messages are kept, so that a
listener who was cut off continues there. A listener who comes late, or to another process, gets all
games first.
"""

import secrets
import threading
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, NotRequired, TypedDict

import orjson
from redis import Redis

from domain.described import choice
from domain.game.state import FINISHED, PLAYING
from service.games import buckets
from service.games.store import GameHead, GameStore
from service.games.streams import SILENCE_S
from service.redis.guarding import log_errors
from service.redis.news import CHECK_EVERY_S, LIVE, Follower, News

UNDER_WAY, BEGUN, MOVED, OVER, LOST = TYPES = ("under_way", "begun", "moved", "over", "lost")
KEEP_MESSAGES = 10_000  # messages that one may lag behind
GATHER_S = 0.1  # seconds for which news are gathered, to be read at once
LINGER_S = 60.0  # seconds for which games are followed after the last listener has gone
BATCH_SIZE = 500  # heads read at a time


class LiveMessage(TypedDict):
    """The state of all public games, or a change in one of them."""

    type: Annotated[
        str,
        choice(TYPES),
        "`under_way`: the complete list of `games` under way; it is the first "
        "message, and replaces messages that you missed and that are no longer known. All other "
        "types are about one `game`. `begun`: it has started. `moved`: it has one or more new "
        "entries. `over`: it is over. `lost`: it was rolled back to an earlier version, because a "
        "server lost later entries.",
    ]
    games: NotRequired[Annotated[list[GameHead], "With `under_way`."]]
    game: NotRequired[Annotated[GameHead, "The game as in lists, at that moment."]]
    cursor: Annotated[str, "The cursor to resume from after this message."]


class LiveMessages(TypedDict):
    """A page of messages."""

    items: Annotated[list[LiveMessage], "The messages, oldest first."]
    next: Annotated[str, "The `after` of the next request."]


@dataclass(frozen=True)
class Message:
    """A message as JSON, and the cursor from which a client resumes after it."""

    type: str
    cursor: str
    json: orjson.Fragment
    tournament: str | None = None  # the game's, if it has one


class Live:
    """The public games under way, followed by one process."""

    def __init__(self, store: GameStore, news: News):
        self._store, self._news = store, news
        self._lock, self._changed = threading.Lock(), threading.Condition()
        self._name = ""  # of this run of messages, in cursors
        self._recent: deque[Message] = deque(maxlen=KEEP_MESSAGES)
        self._count = 0  # messages so far
        self._games: dict[str, GameHead] = {}
        self._asked = 0.0  # when there was a listener last

    def listen(
        self, cursor: str | None, silence: float = SILENCE_S, tournament: str | None = None
    ) -> Iterator[list[Message]]:
        """Yield the messages after a cursor, about all games or those of a tournament; if the
        cursor is unknown, first one with all games. Yield an empty list after ``silence`` seconds
        without any."""
        self._follow()
        name, _, place = (cursor or "x.0").partition(".")
        count = int(place)
        while True:
            messages, name, count = self._since(name, count, tournament)
            yield messages
            end = time.monotonic() + silence
            with self._changed:
                while (self._name, self._count) == (name, count) and (
                    left := end - time.monotonic()
                ) > 0:
                    self._changed.wait(min(left, CHECK_EVERY_S))
                    self._asked = time.monotonic()
            self._follow()

    def _since(self, name: str, count: int, wanted: str | None) -> tuple[list[Message], str, int]:
        """Return the messages after the first ``count`` ones of a run, and the count after them."""
        with self._changed:
            missed = self._count - count
            if name == self._name and 0 <= missed <= len(self._recent):
                messages = [
                    message
                    for message in [*self._recent][len(self._recent) - missed :]
                    if wanted in (None, message.tournament)
                ]
            else:
                messages = [
                    self._message(
                        UNDER_WAY,
                        {
                            "games": [
                                head
                                for head in self._games.values()
                                if wanted in (None, tournament_of(head))
                            ]
                        },
                    )
                ]
            return messages, self._name, self._count

    def _message(self, kind: str, members: dict, tournament: str | None = None) -> Message:
        cursor = f"{self._name}.{self._count}"
        return Message(
            kind,
            cursor,
            orjson.Fragment(orjson.dumps({"type": kind, **members, "cursor": cursor})),
            tournament,
        )

    def _send(self, kind: str, head: GameHead) -> None:
        with self._changed:
            self._count += 1
            self._recent.append(self._message(kind, {"game": head}, tournament_of(head)))

    def _follow(self) -> None:
        """Begin to follow the games, unless this process does; return once all heads are read."""
        self._asked = time.monotonic()
        with self._lock:
            if self._name:
                return
            follower = self._news.follow(LIVE)
            follower.__enter__()
            try:
                self._refresh_all(follower)
            except BaseException:
                self._leave(follower)
                raise
            with self._changed:
                self._name = secrets.token_hex(4)
            threading.Thread(target=self._run, args=(follower,), name="live", daemon=True).start()

    def _leave(self, follower: Follower) -> None:
        follower.__exit__()
        with self._changed:
            self._name, self._count = "", 0
            self._games.clear()
            self._recent.clear()

    def _run(self, follower: Follower) -> None:
        looked = time.monotonic()
        while True:
            with self._lock:
                if self._news.is_closed or time.monotonic() - self._asked > LINGER_S:
                    return self._leave(follower)
            woken = follower.wait(CHECK_EVERY_S)
            if woken:
                time.sleep(GATHER_S)
                woken |= follower.wait(0)
            with log_errors("the games under way are not known", outages=True):
                self._refresh(woken - {LIVE}, follower)
                if LIVE in woken or time.monotonic() - looked > CHECK_EVERY_S:
                    self._refresh_all(follower)
                    looked = time.monotonic()
            with self._changed:
                self._changed.notify_all()

    def _refresh_all(self, follower: Follower) -> None:
        ids = playing(self._store.redis)
        self._refresh(ids | self._games.keys(), follower)

    def _refresh(self, ids: set[str], follower: Follower) -> None:
        some = sorted(ids)
        for start in range(0, len(some), BATCH_SIZE):
            part = some[start : start + BATCH_SIZE]
            for game_id, head in zip(part, self._store.listed(part), strict=True):
                self._see(game_id, head, follower)

    def _see(self, game_id: str, head: GameHead | None, follower: Follower) -> None:
        was = self._games.get(game_id)
        if was is None:
            # anybody may find and watch it; only then has it scores
            if (
                head
                and head["status"] == PLAYING
                and "visibility" not in head
                and ("score" in head["seats"][0])
            ):
                self._games[game_id] = head
                follower.add(game_id)
                if self._name:
                    self._send(BEGUN, head)
            return
        if head is None or head["status"] == FINISHED:
            del self._games[game_id]
            follower.drop(game_id)
            self._send(OVER if head else LOST, head or was)
        elif head["version"] != was["version"]:
            self._games[game_id] = head
            self._send(MOVED if head["version"] > was["version"] else LOST, head)


def playing(redis: Redis) -> set[str]:
    """Return all games under way, private ones included."""
    pipe = redis.pipeline(transaction=False)
    for key in buckets.keys(PLAYING):
        pipe.zrange(key, 0, -1)
    return {row.decode() for rows in pipe.execute() for row in rows}


def tournament_of(head: GameHead) -> str | None:
    return head["tournament"]["id"] if "tournament" in head else None
