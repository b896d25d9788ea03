"""Lanes of webhook deliveries, and the queue of lanes that wait for a worker.

``{w:ID}:due``     pending deliveries, by when each is due, in milliseconds since 1970
``{w:ID}:seen``    deliveries that were added before, by the time of their fact
``{w:ID}:lane:N``  the lease on a lane: the worker that makes its deliveries, or "1" until a
                   worker comes and while the lane pauses; it expires

A webhook has ``LANES`` lanes. All deliveries of a game take the same lane, one after the other. A
lane with due deliveries waits for a worker in a queue (``service.redis.queue``) as "WEBHOOK-LANE",
charged to the account that answers for the webhook.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from zlib import crc32

from redis import Redis

from service.games.notices import Fact
from service.redis.queue import Leases, Queues, Work
from service.redis.scripts import Script
from service.times import now_in_ms

WORK = Work("deliveries", "workers.deliver.deliver")
LANES = 4  # per webhook: the number of deliveries that can run at a time
LEASE_MS = 15_000  # that a worker may be silent before another is called for a lane
MAX_PAUSE_MS = 120_000  # of a lane

PUT, DUE = Script(__file__, "put.lua"), Script(__file__, "due.lua")


def key(webhook_id: str, name: str) -> str:
    return f"{{w:{webhook_id}}}:{name}"


@dataclass(frozen=True)
class Delivery:
    """One fact to deliver to one webhook."""

    webhook: str
    fact: Fact

    @property
    def lane(self) -> int:
        """The webhook's lane for this delivery: the same for all of a game."""
        return crc32(self.fact.game.encode()) % LANES

    @property
    def member(self) -> str:
        """The member of the sorted sets that stands for this delivery."""
        fact = self.fact
        return f"{self.lane} {fact.type} {fact.game} {fact.since} {fact.at}"

    @property
    def id(self) -> str:
        """The ``webhook-id`` of every attempt at it."""
        return "msg_" + sha256(f"{self.webhook} {self.member}".encode()).hexdigest()[:24]

    @staticmethod
    def of(webhook: str, member: str) -> Delivery:
        _, kind, game, since, at = member.split(" ")
        return Delivery(webhook, Fact(kind, game, int(since), int(at)))


class Lanes:
    """The lanes of all webhooks."""

    def __init__(self, redis: Redis, queues: Queues):
        self._redis, self._queues = redis, queues
        self._leases = Leases(redis, queues, WORK, LEASE_MS, MAX_PAUSE_MS)

    def put(self, delivery: Delivery, account: str) -> None:
        """Add a delivery unless it was there before, and call a worker if the lane is free."""
        webhook_id, at = delivery.webhook, delivery.fact.at
        if PUT(self._redis, seen=key(webhook_id, "seen"), due=key(webhook_id, "due"),
               lane=key(webhook_id, f"lane:{delivery.lane}"), delivery=delivery.member, at=at,
               due_at=min(at, now_in_ms()), lease_ms=LEASE_MS):
            self._queues.put(WORK, account, f"{webhook_id}-{delivery.lane}")

    def next(self, webhook_id: str, lane: int, worker: str, account: str) -> Delivery | None:
        """Return the next delivery of a lane. If none is due, end the lease and return None. Also
        return None if another worker has the lease."""
        if not self._leases.hold(key(webhook_id, f"lane:{lane}"), worker):
            return None
        if (delivery := self._due(webhook_id, lane)) is None:
            self.leave(webhook_id, lane, worker, account)
        return delivery

    def leave(self, webhook_id: str, lane: int, worker: str, account: str, rest: int = 0) -> None:
        """End a worker's lease. The lane then pauses for ``rest`` milliseconds; if that is 0 and a
        delivery is due, call another worker at once."""
        if (self._leases.leave(key(webhook_id, f"lane:{lane}"), worker, rest) and not rest
                and self._due(webhook_id, lane)):
            self.call_worker_if_free(webhook_id, lane, account)

    def _due(self, webhook_id: str, lane: int) -> Delivery | None:
        member = DUE(self._redis, due=key(webhook_id, "due"), now=now_in_ms(), lane=lane)
        return Delivery.of(webhook_id, member.decode()) if member else None

    def call_worker_if_free(self, webhook_id: str, lane: int, account: str) -> None:
        self._leases.call(key(webhook_id, f"lane:{lane}"), account, f"{webhook_id}-{lane}")


def count_due(redis: Redis) -> int:
    """Return the number of pending deliveries of all webhooks."""
    pipe = redis.pipeline(transaction=False)
    for webhook_id in redis.hkeys("webhooks"):
        pipe.zcard(key(webhook_id.decode(), "due"))
    return sum(pipe.execute())
