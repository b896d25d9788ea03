"""Offers of games: seeks, which any suitable account may accept, and challenges, which are for one
account.

``{o:ID}:offer``      the offer, as JSON (``row``), who has accepted (``by:ACCOUNT`` -> how many had
                      before), why it is closed (``closed``); the key expires a day after the
                      offer lapses
``offers:seeks``      the seeks, by when they lapse, in milliseconds since 1970
``player:ID:offers``  the challenges that an account has made or was sent, by the same time
``player:ID:offered`` the offers of an account and its bots, by the same time
``player:ID:asked``   "OWNER CHALLENGE": the open challenges to an account, and the account that
                      answers for each, by the same time
``offers:accepted``   offers that are being accepted, and since when, until their game exists
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import orjson
from redis import Redis

from service.store.idempotency import DAY
from service.store.scripts import Script
from service.times import in_ms, now_in_ms

SEEK, CHALLENGE = "s", "h"  # the first letter of their ids
OPEN, ACCEPTED, DECLINED, WITHDRAWN, LAPSED = STATES = (
    "open", "accepted", "declined", "withdrawn", "lapsed")
SEEKS = "offers:seeks"
REASONS = ("generic", "later", "busy", "opponent", "board", "clock", "too_fast", "too_slow",
           "rated", "casual", "no_bots", "only_bots")
TAKEN = "offers:accepted"
CREATE_WITHIN_MS = 5_000  # milliseconds in which the last acceptance may still create the game
UNDECIDED = 60_000  # milliseconds after which a missing acceptance will not arrive
LISTED = 1000  # seeks that are read, the last to lapse first

# KEYS offer. ARGV the account, how many accounts have to accept, '1' if the offer has lapsed.
# Returns 1 if the account has accepted, now or before.
ACCEPT = """
if redis.call('HEXISTS', KEYS[1], 'by:' .. ARGV[1]) == 1 then return 1 end
local count = tonumber(redis.call('HGET', KEYS[1], 'count') or '0')
if redis.call('HEXISTS', KEYS[1], 'row') == 0 or redis.call('HEXISTS', KEYS[1], 'closed') == 1
  or count >= tonumber(ARGV[2]) or ARGV[3] == '1' then return 0 end
redis.call('HSET', KEYS[1], 'by:' .. ARGV[1], count, 'count', count + 1)
return 1
"""

# KEYS offer. ARGV how many accounts have to accept, why it is closed. Returns 1 if it is closed
# now, 0 if it does not exist or was accepted by all.
CLOSE = """
if redis.call('HEXISTS', KEYS[1], 'row') == 0
  or tonumber(redis.call('HGET', KEYS[1], 'count') or '0') >= tonumber(ARGV[1]) then return 0 end
redis.call('HSETNX', KEYS[1], 'closed', ARGV[2])
return 1
"""


@dataclass(frozen=True)
class Offer:
    """The present state of an offer: its row; who has accepted, in order; and, if it was closed,
    the ``state`` that it got then, when (``at``) and why (``reason``)."""

    row: dict
    accepted: tuple[str, ...] = ()
    closed: dict | None = None

    @property
    def id(self) -> str:
        return self.row["id"]

    @property
    def wanted(self) -> int:
        """The number of accounts that have to accept."""
        return self.row["seats"] - 1

    @property
    def lapses(self) -> int:
        """When the offer lapses, in milliseconds since 1970."""
        return in_ms(self.row["lapses"])

    @property
    def state(self) -> str:
        """One of ``STATES``."""
        if len(self.accepted) >= self.wanted:
            return ACCEPTED
        if self.closed:
            return self.closed["state"]
        return LAPSED if self.lapses <= now_in_ms() else OPEN

    @property
    def shown(self) -> dict:
        """The offer as the API shows it."""
        shown = {**self.row, "state": self.state, "accepted": len(self.accepted)}
        if self.closed and self.state == DECLINED:
            shown["reason"] = self.closed["reason"]
        return shown

    def shown_to(self, who: str | None) -> dict:
        """Return the offer as the API shows it to an account, None for anybody."""
        return self.shown | ({"accepted_by_you": True} if who in self.accepted else {})


def is_id(kind: str, name: str) -> bool:
    """Return whether a text has the form of an id of this kind of offer."""
    return re.fullmatch(f"{kind}_[0-9a-f]{{20}}", name) is not None


def put(redis: Redis, row: dict, owner: str) -> None:
    """Store an offer, for which the account ``owner`` answers, unless it is stored already."""
    key, offer = _key(row["id"]), Offer(row)
    redis.hsetnx(key, "row", orjson.dumps(row))
    redis.pexpireat(key, offer.lapses + 1000 * DAY)
    lists = {f"player:{owner}:offered": offer.id}
    if "to" in row:
        lists |= {f"player:{who}:offers": offer.id for who in (row["by"]["id"], row["to"]["id"])}
        lists[_asked(row["to"]["id"])] = f"{owner} {offer.id}"
    else:
        lists[SEEKS] = offer.id
    pipe = redis.pipeline(transaction=False)
    for name, member in lists.items():
        pipe.zremrangebyscore(name, "-inf", now_in_ms())
        pipe.zadd(name, {member: offer.lapses})
        pipe.pexpireat(name, offer.lapses, gt=True)
        pipe.pexpireat(name, offer.lapses, nx=True)
    pipe.execute()


def count(redis: Redis, player: str) -> int:
    """Return the number of open offers for which an account answers."""
    return redis.zcount(f"player:{player}:offered", now_in_ms(), "+inf")


def challengers(redis: Redis, player: str) -> list[str]:
    """Return the account that answers for each open challenge to an account."""
    rows = redis.zrangebyscore(_asked(player), now_in_ms(), "+inf")
    return [raw.decode().partition(" ")[0] for raw in rows]


def drop(redis: Redis, offer: Offer, owner: str) -> None:
    """Remove a closed offer from counts and lists. Challenges stay, so that they can be
    announced."""
    redis.zrem(f"player:{owner}:offered", offer.id)
    if "to" in offer.row:
        redis.zrem(_asked(offer.row["to"]["id"]), f"{owner} {offer.id}")
    else:
        redis.zrem(SEEKS, offer.id)
    redis.zrem(TAKEN, offer.id)


def left_over(redis: Redis) -> list[Offer]:
    """Return offers that all accounts needed have accepted, but whose game does not exist: the
    process that should have created it has died."""
    end = now_in_ms() - CREATE_WITHIN_MS
    since = {raw.decode(): at for raw, at in redis.zrangebyscore(
        TAKEN, "-inf", end, start=0, num=LISTED, withscores=True)}
    full = {offer.id: offer for offer in read(redis, since) if offer.state == ACCEPTED}
    if old := [name for name, at in since.items() if name not in full and at < end - UNDECIDED]:
        redis.zrem(TAKEN, *old)
    return [*full.values()]


def seeks(redis: Redis) -> list[str]:
    """Return the seeks that have not lapsed, the last to lapse first."""
    rows = redis.zrevrangebyscore(SEEKS, "+inf", now_in_ms(), start=0, num=LISTED)
    return [raw.decode() for raw in rows]


def challenges(redis: Redis, player: str) -> list[str]:
    """Return the challenges of an account, made or sent to it, that have not lapsed."""
    rows = redis.zrevrangebyscore(f"player:{player}:offers", "+inf", now_in_ms())
    return [raw.decode() for raw in rows]


def read(redis: Redis, ids: Iterable[str]) -> list[Offer]:
    """Return the offers with these ids; leave out missing ones."""
    pipe = redis.pipeline(transaction=False)
    for some_id in ids:
        pipe.hgetall(_key(some_id))
    return [_offer(fields) for fields in pipe.execute() if b"row" in fields]


def accept(redis: Redis, offer: Offer, player: str) -> bool:
    """Accept an offer for an account; return whether it has accepted, now or before."""
    redis.zadd(TAKEN, {offer.id: now_in_ms()})
    return bool(Script(redis, ACCEPT)(
        [_key(offer.id)], [player, offer.wanted, int(offer.lapses <= now_in_ms())]))


def close(redis: Redis, offer: Offer, closed: dict) -> bool:
    """Close an offer; return False if all accounts that it needs have accepted it already."""
    return bool(Script(redis, CLOSE)([_key(offer.id)], [offer.wanted, orjson.dumps(closed)]))


def _asked(player: str) -> str:
    return f"player:{player}:asked"


def _key(some_id: str) -> str:
    return f"{{o:{some_id}}}:offer"


def _offer(fields: dict[bytes, bytes]) -> Offer:
    places = {int(place): name[3:].decode() for name, place in fields.items()
              if name.startswith(b"by:")}
    return Offer(orjson.loads(fields[b"row"]), tuple(places[i] for i in sorted(places)),
                 orjson.loads(fields[b"closed"]) if b"closed" in fields else None)
