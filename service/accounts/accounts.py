"""Accounts.

``player:ID``       the account, as JSON
``player:ID:bots``  the ids of the bots that the account owns
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

import orjson
from redis import Redis

from domain.game.commands import Player
from service.errors import BadRequest, UnknownThing

LONGEST_NAME = 40
EXTERNAL = "external"  # the ``bot`` of an account that a bot of somebody's own plays with
# controls, invisible formatting, private use and non-characters
_NOT_SHOWN = (
    r"\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\ue000-\uf8ff\ufeff\ufff0-\uffff"
)
NAME = rf"^[^\s{_NOT_SHOWN}]([^{_NOT_SHOWN}]*[^\s{_NOT_SHOWN}])?$"


@dataclass(frozen=True)
class Account:
    """Somebody who can play; a bot's ``bot`` and ``owner`` are a ``Player``'s."""

    id: str
    name: str
    created: str  # RFC 3339
    bot: str | None = None
    owner: str | None = None

    @property
    def player(self) -> Player:
        """Who sits on the account's seats."""
        return Player(self.id, self.name, self.bot, self.owner)

    def as_json(self) -> dict:
        """Return the account as the API shows it, and as it is kept."""
        return self.player.as_json() | {"created": self.created}


def proper_name(name: str) -> str:
    """Return the name normalised (NFC, single spaces); refuse what cannot be shown as one line."""
    if len(name) > LONGEST_NAME or not re.fullmatch(NAME, name):
        raise BadRequest(
            f"a name has 1 to {LONGEST_NAME} characters, none of them a control character, and no "
            "space at either end", "name")
    return " ".join(unicodedata.normalize("NFC", name).split())


def keep(redis: Redis, account: Account, *, new: bool = False) -> bool:
    """Keep an account, with ``new`` only if there is none of its id; return whether it was kept."""
    return bool(redis.set(f"player:{account.id}", orjson.dumps(account.as_json()), nx=new))


def is_there(redis: Redis, player_id: str) -> bool:
    """Return whether there is an account of this id."""
    return bool(redis.exists(f"player:{player_id}"))


def get(redis: Redis, player_id: str) -> Account:
    """Return an account, of which everybody may know everything."""
    raw = redis.get(f"player:{player_id}")
    if raw is None:
        raise UnknownThing("player", player_id)
    return Account(**orjson.loads(raw))


def bots_of(redis: Redis, owner: Account) -> list[Account]:
    """Return the bots that an account owns, the oldest first."""
    ids = redis.smembers(f"player:{owner.id}:bots")
    bots = [get(redis, player_id.decode()) for player_id in ids]
    return sorted(bots, key=lambda bot: (bot.created, bot.id))
