"""Accounts.

``player:ID``       the account, as JSON
``player:ID:bots``  the ids of the bots that the account owns
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

import orjson
from redis import Redis

from domain.described import Page, Time, as_json
from domain.game.commands import Player
from service.errors import NotYours, UnknownThing
from service.eventlog.pages import page_of
from service.times import in_ms

LONGEST_VERSION = 40
EXTERNAL = "external"  # the ``bot`` of an account of a user's own bot
VERSION = "^[A-Za-z0-9._+-]+$"


@dataclass(frozen=True)
class Account:
    """An account."""

    id: Annotated[str, "The account's id."]
    name: Annotated[str, "The account's name."]
    created: Annotated[Time, "When it was created."]
    bot: Annotated[
        str | None,
        "A built-in bot's name, or `external` for a bot that is not built in; missing for people.",
    ] = None
    owner: Annotated[str | None, "The id of the account that owns an external bot."] = None
    version: Annotated[str | None, "The current version of an external bot."] = None
    deleted: bool = False  # then this row is all that is left of the account

    @property
    def player(self) -> Player:
        """The player that the account seats in a game."""
        return Player(self.id, self.name, self.bot, self.owner, self.version)

    @property
    def answers_for(self) -> str | None:
        """The id of the account that answers for this one: for a bot its owner's, else its own;
        None for built-in bots, for which the service answers."""
        return self.owner or (self.id if self.bot is None else None)

    def as_json(self) -> dict:
        """Return the account as the API shows it; this is also its stored form."""
        return as_json(self) | ({"deleted": True} if self.deleted else {})


Accounts = Page("Accounts", Account, "The caller's bots, oldest first.", "One page of the list.")


Row = TypeVar("Row", bound=Any)  # has an ``id``, and was ``created`` at a time


def keep(redis: Redis, account: Account, *, new: bool = False) -> bool:
    """Store an account; if ``new``, only under a free id. Return whether it was stored."""
    return bool(redis.set(f"player:{account.id}", orjson.dumps(account.as_json()), nx=new))


def is_there(redis: Redis, player_id: str) -> bool:
    """Return whether an account has this id, even if it was deleted."""
    return bool(redis.exists(f"player:{player_id}"))


def get(redis: Redis, player_id: str) -> Account:
    """Return an account; all its data is public. Raise UnknownThing if there is none."""
    return read(redis.get(f"player:{player_id}"), player_id)


def read(raw: bytes | None, player_id: str) -> Account:
    """Parse a stored account; raise UnknownThing if it does not exist or was deleted."""
    account = Account(**orjson.loads(raw)) if raw else None
    if account is None or account.deleted:
        raise UnknownThing("player", player_id)
    return account


def some(redis: Redis, player_ids: Iterable[str]) -> list[Account]:
    """Return the accounts with these ids; leave out missing ones."""
    pipe = redis.pipeline(transaction=False)
    for player_id in player_ids:
        pipe.get(f"player:{player_id}")
    accounts = [Account(**orjson.loads(raw)) for raw in pipe.execute() if raw]
    return [account for account in accounts if not account.deleted]


def bot_of(redis: Redis, owner: Account, player_id: str) -> Account:
    bot = get(redis, player_id)
    if bot.owner != owner.id:
        raise NotYours("only a bot's owner may change it")
    return bot


def bots_of(
    redis: Redis, owner: Account, after: str | None, limit: int
) -> tuple[list[Account], str | None]:
    """Return a page of the bots that an account owns, and the cursor of the next page."""
    bots = [row.decode() for row in redis.smembers(f"player:{owner.id}:bots")]
    return page_by_age(some(redis, bots), after, limit)


def with_bots(redis: Redis, owners: Collection[str]) -> dict[str, str]:
    """Return the owner of each of these accounts and all their bots: owners are their own."""
    pipe = redis.pipeline(transaction=False)
    for owner in owners:
        pipe.smembers(f"player:{owner}:bots")
    owner_of = {owner: owner for owner in owners}
    for owner, bots in zip(owners, pipe.execute(), strict=True):
        owner_of |= {bot.decode(): owner for bot in bots}
    return owner_of


def page_by_age(rows: Iterable[Row], after: str | None, limit: int) -> tuple[list[Row], str | None]:
    """Return a page of rows, the oldest first, and the cursor of the next page."""
    begins = (int(after.split(".")[0]), after.split(".")[1]) if after else (0, "")
    places = sorted(
        (place, row) for row in rows if (place := (in_ms(row.created), row.id)) > begins
    )
    return page_of([row for _, row in places], limit, lambda row: f"{in_ms(row.created)}.{row.id}")
