"""Lanes of webhook deliveries, and the queue of lanes that wait for a worker.

``{w:ID}:due``     pending deliveries, by when each is due, in milliseconds since 1970
``{w:ID}:seen``    deliveries that were added before, by the time of their fact
``{w:ID}:lane:ID`` the lease on a lane: the worker that makes its deliveries, or "1" until a
                   worker comes and while the lane pauses; it expires

A lane is named after a game (or a tournament, or a test call). All deliveries of a game to a
webhook take this lane, one after the other; those of two games never wait for each other. A lane
with due deliveries waits for a worker in a queue (``service.redis.queue``) as "WEBHOOK-LANE",
charged to the account that answers for the webhook.
"""

from dataclasses import dataclass
from hashlib import sha256
from zlib import crc32

from redis import Redis

from service.games.notices import Fact
from service.redis.queue import Work

WORK = Work("deliveries", "workers.deliver.deliver")
LEASE_MS = 15_000  # that a worker may be silent before another is called for a lane
MAX_PAUSE_MS = 120_000  # of a lane


def key(webhook_id: str, name: str) -> str:
    return f"{{w:{webhook_id}}}:{name}"


@dataclass(frozen=True)
class Delivery:
    """One fact to deliver to one webhook."""

    webhook: str
    fact: Fact

    @property
    def lane(self) -> str:
        """The webhook's lane for this delivery: the same for all of a game."""
        return self.fact.game

    @property
    def member(self) -> str:
        """The member of the sorted sets that stands for this delivery. It begins with a digit: ids
        and pending deliveries of layout 4 depend on it."""
        fact = self.fact
        digit = crc32(fact.game.encode()) % 4
        return f"{digit} {fact.type} {fact.game} {fact.since} {fact.at}"

    @property
    def id(self) -> str:
        """The ``webhook-id`` of every attempt at it."""
        return "msg_" + sha256(f"{self.webhook} {self.member}".encode()).hexdigest()[:24]

    @staticmethod
    def of(webhook: str, member: str) -> "Delivery":
        _, kind, game, since, at = member.split(" ")
        return Delivery(webhook, Fact(kind, game, int(since), int(at)))


def count_due(redis: Redis) -> int:
    """Return the number of pending deliveries of all webhooks."""
    pipe = redis.pipeline(transaction=False)
    for webhook_id in redis.hkeys("webhooks"):
        pipe.zcard(key(webhook_id.decode(), "due"))
    return sum(pipe.execute())
