"""Which invitations an account takes, and which accounts it has blocked.

``player:ID:invitations``  both, as JSON; missing while the account has the defaults
``accounts:blocking``      the accounts that have ever blocked another (``Games.blocking``)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
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
        pipe.get(_key(account_id))
    return [_read(raw) for raw in pipe.execute()]


def change_rules(redis: Redis, account_id: str, body: Mapping[str, Any]) -> None:
    """Change the members of an account's rules that a body has."""
    changes = dict(body.get("invitations", {}))
    if "blocked" in body:
        changes["blocked"] = body["blocked"]
    if changes:
        [rules] = rules_of(redis, [account_id])
        redis.set(_key(account_id), orjson.dumps(asdict(replace(rules, **changes))))


def delete_rules(redis: Redis, account_id: str) -> None:
    """Delete an account's rules."""
    redis.delete(_key(account_id))


def _read(raw: bytes | None) -> InvitationRules:
    row = orjson.loads(raw) if raw else {}
    return InvitationRules(**row | {
        name: tuple(row[name]) for name in ("boards", "blocked") if name in row})


def _key(account_id: str) -> str:
    return f"player:{account_id}:invitations"
