"""What comes of an attempt at a delivery: it is made, tried again later, or given up.

``{w:ID}:deliveries``  the latest attempts, the newest first, as JSON
``{w:ID}:tries``       delivery -> "ATTEMPTS FIRST", of those that have failed so far
``{w:ID}:failing``     since when every attempt has failed; forgotten when none is tried any more

What a worker reports of an attempt: which delivery (``call``), the number of the ``attempt``, its
``milliseconds``, and, where they apply, the ``status`` that was answered, the ``failure`` in words,
the version that was ``played``, why an action was ``refused``, and ``retry_after``, in seconds.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

import orjson
from redis import Redis

from service.times import as_time, now
from service.webhooks.lanes import Delivery, key

PING = "ping"  # the type of a delivery that is a test, and is tried once
KEPT = 100  # attempts that can be looked at
FIRST_PAUSE, LONGEST_PAUSE = 2_000, 3_600_000  # milliseconds between two attempts
DAY = 86_400_000  # milliseconds for which a delivery is tried, and a webhook may fail
LEAST_REST, LONGEST_REST = 1_000, 60_000  # milliseconds between a failure and a lane's next attempt
PLAYED, DELIVERED, FAILED, GIVEN_UP, DROPPED = OUTCOMES = (
    "played", "delivered", "failed", "given_up", "dropped")


@dataclass(frozen=True)
class Verdict:
    """What comes of an attempt: its outcome, until when the delivery is put off if it is to be
    tried again, for how many milliseconds its lane rests, and why its webhook is to be switched
    off, if it is."""

    outcome: str
    then: int | None = None
    rest: int = 0
    switch_off: str | None = None


def is_good(report: Mapping) -> bool:
    """Return whether an attempt has succeeded."""
    return 200 <= report.get("status", 0) < 300 and not {"failure", "refused"} & report.keys()


def verdict(report: Mapping, is_test: bool, at: int, first: int, failing: int) -> Verdict:
    """Return what comes of an attempt that was over ``at`` a time, if the first one at the delivery
    was over at ``first``, and all of its webhook's have failed since ``failing``. Who is slow to
    fail, or fails for long, is called less often."""
    if is_good(report):
        return Verdict(PLAYED if "played" in report else DELIVERED)
    if report.get("status") == 410:
        return Verdict(FAILED, switch_off="the address answered 410")
    age = 0 if is_test else at - failing
    rest = max(LEAST_REST, 2 * report["milliseconds"], min(LONGEST_REST, age // 10))
    if is_test:
        return Verdict(FAILED, rest=rest)
    if age > DAY:
        return Verdict(GIVEN_UP, rest=rest, switch_off="no call has succeeded for a day")
    if at - first > DAY:
        return Verdict(GIVEN_UP, rest=rest)
    asked = min(int(report.get("retry_after") or 0) * 1000, LONGEST_PAUSE)
    return Verdict(FAILED, at + max(pause(report["attempt"]), asked), rest)


def pause(attempt: int) -> int:
    """Return the milliseconds to wait after so many attempts: twice as long each time, and not for
    all the same."""
    return int(min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(attempt - 1, 20))
               * random.uniform(0.8, 1.2))


def tries_so_far(redis: Redis, delivery: Delivery) -> tuple[int, int]:
    """Return (how often a delivery was tried, when at first), zeros if it never was."""
    raw = redis.hget(key(delivery.webhook, "tries"), delivery.member) or b"0 0"
    attempts, first = map(int, raw.split())
    return attempts, first


def note_failure(redis: Redis, delivery: Delivery, attempt: int, first: int) -> None:
    """Keep how often a delivery has failed."""
    redis.hset(key(delivery.webhook, "tries"), delivery.member, f"{attempt} {first}")


def forget_failures(redis: Redis, delivery: Delivery) -> None:
    """Forget how often a delivery has failed: it is not tried any more."""
    redis.hdel(key(delivery.webhook, "tries"), delivery.member)


def failing_since(redis: Redis, webhook_id: str, at: int) -> int:
    """Return since when every attempt at a webhook's deliveries has failed, one ``at`` a time
    included."""
    name = key(webhook_id, "failing")
    redis.set(name, at, nx=True)
    redis.pexpire(name, 2 * LONGEST_PAUSE)
    return int(redis.get(name) or at)


def keep(redis: Redis, delivery: Delivery, report: Mapping, then: int | None) -> None:
    """Add an attempt to those that the owner can look at."""
    fact = delivery.fact
    row = {"id": delivery.id, "event": fact.type, "at": now(), "attempt": report["attempt"],
           "milliseconds": report["milliseconds"]}
    if fact.type != PING:
        row["game"] = fact.game
    row |= {name: report[name] for name in ("status", "failure", "played", "refused")
            if name in report}
    if then:
        row["next"] = as_time(then)
    pipe = redis.pipeline(transaction=False)
    pipe.lpush(key(delivery.webhook, "deliveries"), orjson.dumps(row))
    pipe.ltrim(key(delivery.webhook, "deliveries"), 0, KEPT - 1)
    pipe.execute()


def latest(redis: Redis, webhook_id: str) -> list[dict]:
    """Return the latest attempts at a webhook's deliveries, the newest first, as its owner sees
    them."""
    rows = redis.lrange(key(webhook_id, "deliveries"), 0, KEPT - 1)
    return [orjson.loads(raw) for raw in rows]


def forget(redis: Redis, webhook_id: str) -> None:
    """Forget the attempts that could be looked at."""
    redis.delete(key(webhook_id, "deliveries"))
