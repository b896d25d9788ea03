"""The audience of a game: preset reactions of its players, and the number of spectators.

Neither is in the history, nor in anything that is made from it.

``{g:ID}:reactions``  a list of the latest reactions as JSON, oldest first
``{g:ID}:watchers``   the id of a spectator's stream -> when it last showed that it is open, in
                      milliseconds since 1970

Both keys expire. A spectator's stream renews its row while it is open and removes it at its end; if
its process is killed, the row is not counted any more after ``GONE_MS``.
"""

from __future__ import annotations

import logging
import secrets
import time
from dataclasses import asdict, dataclass
from operator import itemgetter
from typing import Any

import orjson
from redis import Redis

from domain.entry import IdempotencyKey
from service.store.guarding import UNREACHABLE
from service.store.idempotency import create_once
from service.store.news import News
from service.times import as_time, in_ms, now_in_ms

REACTIONS = ("hello", "good_luck", "well_played", "oops", "thanks", "good_game")
KEEP_S = 60  # for which a reaction is shown to those who come late
KEEP_REACTIONS = 20  # of a game
RENEW_S = 10.0  # seconds between two writes of one stream
GONE_MS = 40_000  # milliseconds after which a stream that is not renewed is not counted

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Reaction:
    """A reaction of a seat; ``at`` is when it was sent."""

    seat: int
    reaction: str
    at: str

    @property
    def json(self) -> dict[str, Any]:
        """The reaction as the API shows it; this is also its stored form."""
        return asdict(self)


@dataclass(frozen=True)
class Audience:
    """The number of spectators now, and the reactions of the last minute, oldest first."""

    watchers: int
    reactions: list[dict[str, Any]]

    @property
    def json(self) -> dict[str, Any]:
        """The audience as the API shows it."""
        return asdict(self)


def topic(game_id: str) -> str:
    """Return the topic on which a game's reactions are published. It is not the game's own: nobody
    who only follows the game is woken by a reaction."""
    return f"audience:{game_id}"


def react(
    redis: Redis, news: News, game_id: str, seat: int, reaction: str,
    once: IdempotencyKey | None = None,
) -> Reaction:
    """Show a reaction of a seat to everybody who follows the audience; return it. Under an
    idempotency key that was used before, return the first reaction and show nothing."""
    sent, key = Reaction(seat, reaction, as_time(now_in_ms())), _reactions(game_id)
    if once:
        new = sent.json | {"game": game_id, "asked": once.digest}
        made = create_once(redis, f"reaction\n{once.id}", new, itemgetter("game", "asked"))
        if made["at"] != sent.at:
            return Reaction(made["seat"], made["reaction"], made["at"])
    pipe = redis.pipeline(transaction=False)
    pipe.rpush(key, orjson.dumps(sent.json))
    pipe.ltrim(key, -KEEP_REACTIONS, -1)
    pipe.expire(key, KEEP_S)
    pipe.execute()
    news.publish(topic(game_id))  # later: on a cluster, another node may have the channel
    return sent


def audience(redis: Redis, game_id: str, watcher: str | None = None) -> Audience:
    """Return the audience of a game, in one round trip. ``watcher`` is the id of a spectator's
    stream, whose row is renewed."""
    now, pipe = now_in_ms(), redis.pipeline(transaction=False)
    key = _watchers(game_id)
    if watcher:
        pipe.zadd(key, {watcher: now})
        pipe.zremrangebyscore(key, "-inf", f"({now - GONE_MS}")
        pipe.expire(key, GONE_MS // 1000)
    pipe.zcount(key, now - GONE_MS, "+inf")
    pipe.lrange(_reactions(game_id), 0, -1)
    *_, watchers, rows = pipe.execute()
    found = map(orjson.loads, rows)
    return Audience(watchers, [row for row in found if in_ms(row["at"]) > now - 1000 * KEEP_S])


class Listener:
    """A stream that sends the audience of a game; a context manager."""

    def __init__(self, redis: Redis, game_id: str):
        self._redis, self._game_id = redis, game_id
        self._id = secrets.token_hex(8)
        self._is_counted = False
        self._renewed = -RENEW_S
        self._sent: tuple[int, dict[str, Any] | None] | None = None

    def __enter__(self) -> Listener:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._leave()
        except UNREACHABLE as error:  # the row will be too old soon
            log.debug("a spectator who has left is still counted: %r", error)

    def read(self, *, is_spectator: bool, has_news: bool) -> Audience | None:
        """Return the audience if it has changed since the last call; None if not, or if it was read
        less than ``RENEW_S`` ago and there is no news. A spectator's stream is counted."""
        now = time.monotonic()
        if not has_news and now - self._renewed < RENEW_S:
            return None
        self._renewed = now
        try:
            if not is_spectator:
                self._leave()
            found = audience(self._redis, self._game_id, self._id if is_spectator else None)
        except UNREACHABLE as error:  # the game matters more
            log.debug("the audience of %s is not known: %r", self._game_id, error)
            return None
        self._is_counted |= is_spectator
        last = found.reactions[-1] if found.reactions else self._sent and self._sent[1]
        if (found.watchers, last) == self._sent:
            return None
        self._sent = found.watchers, last
        return found

    def _leave(self) -> None:
        """Remove the row of a stream that was a spectator's."""
        if self._is_counted:
            self._redis.zrem(_watchers(self._game_id), self._id)
            self._is_counted = False


def _reactions(game_id: str) -> str:
    return f"{{g:{game_id}}}:reactions"


def _watchers(game_id: str) -> str:
    return f"{{g:{game_id}}}:watchers"
