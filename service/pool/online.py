"""Bots that are online: those that stream their notices, or have polled them recently.

``bots:online``  the id of an external bot's account -> when it was last seen, in milliseconds since
                 1970
"""

import time
from collections.abc import Iterator
from typing import Annotated, Any

from redis import Redis

from domain.described import Page, Time
from domain.game.commands import PlayerJson
from service.accounts import accounts
from service.accounts.accounts import EXTERNAL, Account
from service.eventlog.pages import page_of
from service.games.games import Games
from service.games.strengths import Place
from service.times import as_time, now_in_ms

KEY = "bots:online"
GONE = 60_000  # milliseconds after which a bot that is not seen is not online
EVERY_S = 15.0  # seconds between two writes to Redis for one bot
MAX_LISTED = 1000  # bots in a list, the most recently seen

Seen = tuple[Account, tuple[int, Place], int]  # with where it stands, and when it was seen


class OnlineBot(Place):
    """An external bot that is online."""

    player: Annotated[PlayerJson, "The bot."]
    last_seen: Annotated[Time, "When it was last online."]


OnlineBots = Page(
    "OnlineBots", OnlineBot, "Bots that are online, highest rating first.", "One page of the list."
)


class Online:
    """Records when each external bot was last seen."""

    def __init__(self, redis: Redis):
        self._redis = redis
        self._noted: dict[str, float] = {}  # account id -> when this process last recorded it

    def watch(self, account: Account, news: Iterator[Any]) -> Iterator[Any]:
        """Pass an account's notices on; record with each that a bot is online."""
        for notice in news:
            self.note(account)
            yield notice

    def note(self, account: Account) -> None:
        """Record that a bot is online; at most once per ``EVERY_S`` seconds."""
        at = time.monotonic()
        if account.bot == EXTERNAL and at - self._noted.get(account.id, -EVERY_S) >= EVERY_S:
            if len(self._noted) >= 10 * MAX_LISTED:
                self._noted.clear()
            self._noted[account.id] = at
            self._redis.zadd(KEY, {account.id: now_in_ms()}, gt=True)


def page(
    games: Games, scope: str, before: str | None, limit: int
) -> tuple[list[OnlineBot], str | None]:
    """Return a page of the bots that are online, the highest rating first, and the next cursor."""
    online = sorted(_online(games, scope), key=_place, reverse=True)
    online = [row for row in online if before is None or _place(row) < _split(before)]
    shown, cursor = page_of(online, limit, lambda row: ".".join(_place(row)))
    return [
        {**place, "player": account.player.as_json(), "last_seen": as_time(at)}
        for account, (_, place), at in shown
    ], cursor


def _online(games: Games, scope: str) -> list[Seen]:
    redis = games.redis
    redis.zremrangebyscore(KEY, "-inf", f"({now_in_ms() - GONE}")
    seen = {
        raw.decode(): int(at)
        for raw, at in redis.zrevrange(KEY, 0, MAX_LISTED - 1, withscores=True)
    }
    bots = accounts.some(redis, seen)
    stands = games.strengths.standings(scope, [bot.player for bot in bots])
    return [(bot, standing, seen[bot.id]) for bot, standing in zip(bots, stands, strict=True)]


def _place(row: Seen) -> tuple[str, str]:
    account, (points, _), _ = row
    return f"{points:010d}", account.id


def _split(cursor: str) -> tuple[str, str]:
    points, _, player = cursor.partition(".")
    return points, player
