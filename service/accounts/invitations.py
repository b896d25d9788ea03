"""Which invitations an account takes, and which accounts it has blocked.

``player:ID:invitations``  a hash with both, member -> JSON, of the members that were ever set
``accounts:blocking``      the accounts that have ever blocked another (``Games.blocking``)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

import orjson
from redis import Redis

from domain.codec import Json
from domain.described import AllOf
from service.accounts.accounts import Account
from service.accounts.bots import BUILT_IN
from service.times import now

MAX_OPEN = 100  # open invitations to an account
MAX_BLOCKED = 1000  # accounts
MAX_POOL_BLOCKS = 3  # blocked accounts that count in the pool


@dataclass(frozen=True)
class Invitations:
    """Which invitations an account takes."""

    boards: Annotated[tuple[str, ...], "Ids of boards; any if empty."]
    shortest_clock: Annotated[float, "The least seconds for a decision."]
    open: Annotated[int, "The most invitations that may wait for an answer."]
    blocked: tuple[str, ...]  # ids of accounts
    # the blocked accounts that count in the pool, each with the day (UTC) of the block, which
    # counts from the next day
    pool_blocks: Mapping[str, str]

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


class Private(TypedDict):
    """The members that only the account itself sees."""

    invitations: Annotated[Json, Invitations, "Which invitations the account takes."]
    blocked: Annotated[tuple[str, ...], "Ids of blocked accounts."]


OwnAccount = AllOf(
    "OwnAccount", "The caller's account, or a bot of the caller.", (Account, Private)
)


def rules_of(redis: Redis, account_ids: Sequence[str]) -> list[Invitations]:
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
        redis.hset(
            _key(account_id), mapping={name: orjson.dumps(value) for name, value in changes.items()}
        )


def delete_rules(redis: Redis, account_id: str) -> None:
    redis.delete(_key(account_id))


def _read(row: Mapping[bytes, bytes]) -> Invitations:
    values: dict[str, Any] = {"shortest_clock": 2.0, "open": MAX_OPEN, "pool_blocks": {}}
    values |= {name.decode(): orjson.loads(value) for name, value in row.items()}
    return Invitations(
        **values | {name: tuple(values.get(name, ())) for name in ("boards", "blocked")}
    )


def _key(account_id: str) -> str:
    return f"player:{account_id}:invitations"
