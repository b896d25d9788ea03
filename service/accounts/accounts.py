"""Accounts.

``player:ID``       the account, as JSON
``player:ID:bots``  the ids of the bots that the account owns
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import orjson
from redis import Redis

from domain.game.commands import Player
from service.errors import NotYours, UnknownThing
from service.times import in_ms

LONGEST_VERSION = 40
EXTERNAL = "external"  # the ``bot`` of an account that a bot of somebody's own plays with
VERSION = "^[A-Za-z0-9._+-]+$"


@dataclass(frozen=True)
class Account:
    """Somebody who can play; a bot's ``bot``, ``owner`` and ``version`` are a ``Player``'s."""

    id: str
    name: str
    created: str  # RFC 3339
    bot: str | None = None
    owner: str | None = None
    version: str | None = None
    deleted: bool = False  # then this is all that is left of it

    @property
    def player(self) -> Player:
        """Who sits on the account's seats."""
        return Player(self.id, self.name, self.bot, self.owner, self.version)

    @property
    def answers_for(self) -> str | None:
        """The id of the account that answers for this one: its owner's, or its own; None for the
        built-in bots, which are ours."""
        return self.owner or (self.id if self.bot is None else None)

    def as_json(self) -> dict:
        """Return the account as the API shows it, and as it is kept."""
        return self.player.as_json() | {"created": self.created} | (
            {"deleted": True} if self.deleted else {})


class Made(Protocol):
    """What was made at some time."""

    @property
    def id(self) -> str: ...
    @property
    def created(self) -> str: ...


Row = TypeVar("Row", bound=Made)


def keep(redis: Redis, account: Account, *, new: bool = False) -> bool:
    """Keep an account, with ``new`` only if there is none of its id; return whether it was kept."""
    return bool(redis.set(f"player:{account.id}", orjson.dumps(account.as_json()), nx=new))


def is_there(redis: Redis, player_id: str) -> bool:
    """Return whether there is, or was, an account of this id."""
    return bool(redis.exists(f"player:{player_id}"))


def get(redis: Redis, player_id: str) -> Account:
    """Return an account, of which everybody may know everything."""
    return read(redis.get(f"player:{player_id}"), player_id)


def read(raw: bytes | None, player_id: str) -> Account:
    """Return the account of an id as it is kept; raise UnknownThing if there is none any more."""
    found = Account(**orjson.loads(raw)) if raw else None
    if found is None or found.deleted:
        raise UnknownThing("player", player_id)
    return found


def some(redis: Redis, player_ids: Iterable[str]) -> list[Account]:
    """Return those of some accounts that there are."""
    pipe = redis.pipeline(transaction=False)
    for player_id in player_ids:
        pipe.get(f"player:{player_id}")
    found = [Account(**orjson.loads(raw)) for raw in pipe.execute() if raw]
    return [account for account in found if not account.deleted]


def bot_of(redis: Redis, owner: Account, player_id: str) -> Account:
    """Return one of the bots that an account owns."""
    found = get(redis, player_id)
    if found.owner != owner.id:
        raise NotYours("only a bot's owner may change it")
    return found


def bots_of(
    redis: Redis, owner: Account, after: str | None, limit: int
) -> tuple[list[Account], str | None]:
    """Return bots that an account owns, the oldest first, and the cursor of the next page, None at
    the end."""
    bots = [row.decode() for row in redis.smembers(f"player:{owner.id}:bots")]
    return page_of(some(redis, bots), after, limit)


def page_of(
    rows: Iterable[Row], after: str | None, limit: int
) -> tuple[list[Row], str | None]:
    """Return the rows after a cursor, the oldest first, and the cursor of the next page, None at
    the end."""
    begins = (int(after.split(".")[0]), after.split(".")[1]) if after else (0, "")
    found = sorted((place, row) for row in rows if (place := (in_ms(row.created), row.id)) > begins)
    last = found[limit - 1][0] if len(found) > limit else None
    return [row for _, row in found[:limit]], last and f"{last[0]}.{last[1]}"
