"""Which invitations an account takes, and which accounts it has blocked.

``player:ID:invitations``  a hash with both, member -> JSON, of the members that were ever set
``accounts:blocking``      the accounts that have ever blocked another (``Games.blocking``)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import orjson
from redis import Redis

from domain.game.commands import Player
from service.accounts.bots import BUILT_IN
from service.times import now

MAX_OPEN = 100  # open invitations to an account
MAX_BLOCKED = 1000  # accounts
MAX_POOL_BLOCKS = 3  # blocked accounts that count in the pool


@dataclass(frozen=True)
class InvitationRules:
    """``shortest_clock`` is in seconds for a decision. Without ``boards``, any board will do.
    ``open`` is how many invitations may wait for an answer. ``blocked`` are ids of accounts; their
    bots are blocked, too. ``pool_blocks`` maps the blocked accounts that count in the pool to the
    day (UTC) of the block; a block counts from the next day."""

    boards: tuple[str, ...] = ()
    shortest_clock: float = 2.0
    open: int = MAX_OPEN
    blocked: tuple[str, ...] = ()
    pool_blocks: Mapping[str, str] = field(default_factory=dict)

    def blocks(self, player: Player) -> bool:
        """Return whether a player, or the player's owner, is blocked."""
        return not {player.id, player.owner}.isdisjoint(self.blocked)

    def blocked_in_pool(self, day: str) -> frozenset[str]:
        """Return the accounts that the pool does not pair with this one on a day (UTC)."""
        return frozenset(one for one, since in self.pool_blocks.items() if since < day)

    def pool_blocks_of(self, blocked: Sequence[str], day: str) -> dict[str, str]:
        """Return the new ``pool_blocks`` after the list of blocked accounts has changed: keep the
        accounts that are still blocked, then add others, from ``day`` on, while there is room.
        Built-in bots take no room."""
        kept = {one: since for one, since in self.pool_blocks.items() if one in blocked}
        new = [one for one in blocked if one not in kept and not one.startswith(BUILT_IN)]
        return kept | dict.fromkeys(new[: MAX_POOL_BLOCKS - len(kept)], day)

    def as_json(self) -> dict[str, Any]:
        """Return the rules as the account sees them."""
        rules = asdict(self)
        del rules["pool_blocks"]
        return {"blocked": rules.pop("blocked"), "invitations": rules}


def rules_of(redis: Redis, account_ids: Sequence[str]) -> list[InvitationRules]:
    """Return the rules of each of some accounts."""
    pipe = redis.pipeline(transaction=False)
    for account_id in account_ids:
        pipe.hgetall(_key(account_id))
    return [_read(raw) for raw in pipe.execute()]


def change_rules(redis: Redis, account_id: str, body: Mapping[str, Any]) -> None:
    """Change those members of an account's rules that a body contains. Other members keep their
    values, even if another request changes them at the same time."""
    changes = dict(body.get("invitations", {}))
    if "blocked" in body:
        changes["blocked"] = body["blocked"]
        [before] = rules_of(redis, [account_id])
        changes["pool_blocks"] = before.pool_blocks_of(body["blocked"], now()[:10])
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
