"""Lanes of webhook deliveries, and the queue of lanes that wait for a worker.

``{w:ID}:due``     pending deliveries, by when each is due, in milliseconds since 1970
``{w:ID}:seen``    deliveries that were added before, by the time of their fact
``{w:ID}:lane:N``  the lease on a lane: the worker that makes its deliveries, or "1" until a
                   worker comes and while the lane pauses; it expires

A webhook has ``LANES`` lanes. All deliveries of a game take the same lane, one after the other. A
lane with due deliveries waits in the queue of the account that answers for the webhook, in the
queue's Redis, at most once. Accounts take turns (``service.games.workers`` describes the keys,
``workers/lanes.py`` takes lanes out of queues).

``fogg:turns:webhooks``          the accounts with lanes that wait, in the order of their turns
``fogg:turns:webhooks:ACCOUNT``  the lanes of one account, each "WEBHOOK LANE"
``fogg:turns:lanes``             all lanes that wait
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from zlib import crc32

from redis import Redis
from rq import Queue

from service.games import workers
from service.games.notices import Fact
from service.store.scripts import TextScript as Script
from service.times import now_in_ms

QUEUE = "deliveries"
JOB = "workers.deliver.deliver"
WAITING, KIND = "fogg:turns:lanes", "webhooks"
LANES = 4  # per webhook: the number of deliveries that can run at a time
LEASE_MS = 15_000  # that a worker may be silent before another is called for a lane

# KEYS seen, due, lane. ARGV the delivery, the time of its fact, when it is due, the lease in
# milliseconds. Returns 1 if the caller has to call a worker.
PUT = """
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
if redis.call('SET', KEYS[3], 1, 'PX', ARGV[4], 'NX') then return 1 end
return 0
"""
# KEYS due, lane. ARGV now, the lane's number, the lease in milliseconds, the worker. Returns the
# lane's next delivery and renews the lease. Without one, ends the lease. Returns nothing if another
# worker has the lease.
NEXT = """
local holder = redis.call('GET', KEYS[2])
if holder and holder ~= ARGV[4] and holder ~= '1' then return false end
for _, delivery in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])) do
  if string.sub(delivery, 1, 1) == ARGV[2] then
    redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[3])
    return delivery
  end
end
redis.call('DEL', KEYS[2])
return false
"""
# KEYS due, lane. ARGV now, the lane's number, the lease, the worker, for how many milliseconds the
# lane pauses. Ends the worker's lease. Returns 1 if the caller has to call another worker.
LEAVE = """
local holder = redis.call('GET', KEYS[2])
if holder and holder ~= ARGV[4] then return 0 end
if tonumber(ARGV[5]) > 0 then
  redis.call('SET', KEYS[2], 1, 'PX', ARGV[5])
  return 0
end
for _, delivery in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])) do
  if string.sub(delivery, 1, 1) == ARGV[2] then
    redis.call('SET', KEYS[2], 1, 'PX', ARGV[3])
    return 1
  end
end
redis.call('DEL', KEYS[2])
return 0
"""


def key(webhook_id: str, name: str) -> str:
    """Return the name of one of a webhook's keys."""
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
        """Return the delivery that a member stands for."""
        _, kind, game, since, at = member.split(" ")
        return Delivery(webhook, Fact(kind, game, int(since), int(at)))


class Lanes:
    """The lanes of all webhooks."""

    def __init__(self, redis: Redis, queue: Queue):
        self._redis, self._queue = redis, queue
        self._put, self._next = Script(redis, PUT), Script(redis, NEXT)
        self._leave = Script(redis, LEAVE)

    def put(self, delivery: Delivery, account: str) -> None:
        """Add a delivery unless it was added before, and call a worker if the lane has no lease.
        ``account`` answers for the webhook."""
        webhook_id, at = delivery.webhook, delivery.fact.at
        keys = [key(webhook_id, name) for name in ("seen", "due", f"lane:{delivery.lane}")]
        if self._put(keys=keys, args=[delivery.member, at, min(at, now_in_ms()), LEASE_MS]):
            self._call_worker(webhook_id, delivery.lane, account)

    def next(self, webhook_id: str, lane: int, worker: str) -> Delivery | None:
        """Return the next delivery of a lane. If none is due, end the lease and return None. Also
        return None if another worker has the lease."""
        keys = [key(webhook_id, "due"), key(webhook_id, f"lane:{lane}")]
        member = self._next(keys=keys, args=[now_in_ms(), str(lane), LEASE_MS, worker])
        return Delivery.of(webhook_id, member.decode()) if member else None

    def leave(self, webhook_id: str, lane: int, worker: str, account: str, rest: int) -> None:
        """End a worker's lease. The lane then pauses for ``rest`` milliseconds; if that is 0 and a
        delivery is due, call another worker at once."""
        keys = [key(webhook_id, "due"), key(webhook_id, f"lane:{lane}")]
        if self._leave(keys=keys, args=[now_in_ms(), str(lane), LEASE_MS, worker, rest]):
            self._call_worker(webhook_id, lane, account)

    def has(self, delivery: Delivery) -> bool:
        return self._redis.zscore(key(delivery.webhook, "due"), delivery.member) is not None

    def postpone(self, delivery: Delivery, then: int) -> None:
        """Postpone a delivery."""
        self._redis.zadd(key(delivery.webhook, "due"), {delivery.member: then}, xx=True)

    def drop(self, delivery: Delivery) -> None:
        """Remove a delivery from the pending ones."""
        self._redis.zrem(key(delivery.webhook, "due"), delivery.member)

    def forget(self, delivery: Delivery) -> None:
        """Forget that a delivery was added before, so that it can be added again."""
        self._redis.zrem(key(delivery.webhook, "seen"), delivery.member)

    def free(self, webhook_id: str, lane: int) -> None:
        """End the lease on a lane, whichever worker has it."""
        self._redis.delete(key(webhook_id, f"lane:{lane}"))

    def call_worker_if_free(self, webhook_id: str, lane: int, account: str) -> None:
        """Call a worker for a lane that has no lease."""
        # no lock, which would be cut to LEASE_MS: a lane may pause for longer
        if self._redis.set(key(webhook_id, f"lane:{lane}"), 1, px=LEASE_MS, nx=True):
            self._call_worker(webhook_id, lane, account)

    def _call_worker(self, webhook_id: str, lane: int, account: str) -> None:
        workers.put_in_line(self._queue, JOB, WAITING, KIND, account, f"{webhook_id} {lane}")


def count_waiting(queue: Queue) -> int:
    """Return how many lanes wait for a worker."""
    return queue.connection.hlen(WAITING)


def count_due(redis: Redis) -> int:
    """Return the number of pending deliveries of all webhooks."""
    pipe = redis.pipeline(transaction=False)
    for webhook_id in redis.hkeys("webhooks"):
        pipe.zcard(key(webhook_id.decode(), "due"))
    return sum(pipe.execute())
