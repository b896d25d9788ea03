"""Which invitations an account takes, and which accounts it has blocked.

``player:ID:invitations``  a hash with both, member -> JSON, of the members that were ever set
``accounts:blocking``      the accounts that have ever blocked another (``Games.blocking``)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import orjson
from redis import Redis

from domain.game.commands import Player

MAX_OPEN = 100  # open invitations to an account
MAX_BLOCKED = 1000  # accounts


@dataclass(frozen=True)
class InvitationRules:
    """``shortest_clock`` is in seconds for a decision. Without ``boards``, any board will do.
    ``open`` is how many invitations may wait for an answer. ``blocked`` are ids of accounts; their
    bots are blocked, too."""

    boards: tuple[str, ...] = ()
    shortest_clock: float = 2.0
    open: int = MAX_OPEN
    blocked: tuple[str, ...] = ()

    def blocks(self, player: Player) -> bool:
        """Return whether a player, or the player's owner, is blocked."""
        return not {player.id, player.owner}.isdisjoint(self.blocked)

    def as_json(self) -> dict[str, Any]:
        """Return the rules as the account sees them."""
        rules = asdict(self)
        return {"blocked": rules.pop("blocked"), "invitations": rules}


def rules_of(redis: Redis, account_ids: Sequence[str]) -> list[InvitationRules]:
    """Return the rules of each of some accounts."""
    pipe = redis.pipeline(transaction=False)
    for account_id in account_ids:
        pipe.hgetall(_key(account_id))
    return [_read(raw) for raw in pipe.execute()]


def change_rules(redis: Redis, account_id: str, body: Mapping[str, Any]) -> None:
    """Change the members of an account's rules that a body has. The others stay as they are, also
    if another request changes them at the same time."""
    changes = dict(body.get("invitations", {}))
    if "blocked" in body:
        changes["blocked"] = body["blocked"]
    if changes:
        redis.hset(_key(account_id), mapping={
            name: orjson.dumps(value) for name, value in changes.items()})


def delete_rules(redis: Redis, account_id: str) -> None:
    """Delete an account's rules."""
    redis.delete(_key(account_id))


def _read(row: Mapping[bytes, bytes]) -> InvitationRules:
    values: dict[str, Any] = {name.decode(): orjson.loads(value) for name, value in row.items()}
    for name in ("boards", "blocked"):
        values[name] = tuple(values.get(name, ()))
    return InvitationRules(**values)


def _key(account_id: str) -> str:
    return f"player:{account_id}:invitations"
