"""Record an attempt at a delivery, and decide: the delivery is done, retried later, or given up.

``{w:ID}:deliveries``  the latest attempts, the newest first, as JSON
``{w:ID}:tries``       delivery -> "ATTEMPTS FIRST" (number, time of the first), for failed ones
``{w:ID}:failing``     since when every attempt has failed; expires 2 h after the last failure

A worker's report of an attempt has these members: ``call``, the delivery; ``attempt``, its number,
from 1; ``milliseconds``, its duration. Where they apply, it also has ``status``, the HTTP status;
``failure``, the error in words; ``version``, that of the game after the action; ``refused``,
why the action was refused; and ``retry_after`` in seconds.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, NotRequired, TypedDict

import orjson
from redis import Redis

from domain.codec import Json
from domain.described import Page, Positive, Time, choice
from service.games.notices import NOTICES, TOURNAMENT
from service.times import as_time, now
from service.webhooks.lanes import Delivery, key

PING = "ping"  # the type of a test delivery, which is not retried
MAX_LISTED = 100  # attempts that the owner can read, per webhook
FIRST_PAUSE_MS, MAX_PAUSE_MS = 2_000, 3_600_000  # between two attempts
MAX_AGE_MS = 86_400_000  # milliseconds for which a delivery is tried, and a webhook may fail
MIN_REST_MS, MAX_REST_MS = 1_000, 60_000  # between a failure and a lane's next attempt
PLAYED, DELIVERED, FAILED, GIVEN_UP, DROPPED = (
    "played",
    "delivered",
    "failed",
    "given_up",
    "dropped",
)


class RefusedAction(TypedDict):
    """Why an action in a webhook's response was not played."""

    type: Annotated[str, "The problem's type."]
    detail: Annotated[str, "The reason, for people."]


class DeliveryJson(TypedDict):
    """One attempt to deliver a call."""

    id: Annotated[str, "The call's `webhook-id`, the same in every attempt."]
    event: Annotated[str, choice([*NOTICES, PING]), "The type of notice."]
    game: NotRequired[Annotated[str, "As in `Notice`; missing from `ping`."]]
    tournament: NotRequired[Annotated[str, "The tournament's id, with `tournament`."]]
    at: Annotated[Time, "When the attempt ended."]
    attempt: Annotated[Positive, "The number of the attempt, from 1."]
    milliseconds: Annotated[int, "The duration in milliseconds."]
    status: NotRequired[
        Annotated[
            int,
            {"minimum": 100, "maximum": 999},
            "The HTTP status of the response, if there was one.",
        ]
    ]
    failure: NotRequired[Annotated[str, "The error, if the attempt failed."]]
    retry_at: NotRequired[Annotated[Time, "When the next attempt is due, if there is one."]]
    version: NotRequired[
        Annotated[Positive, "The game's version after the response's action was played."]
    ]
    refused: NotRequired[Annotated[RefusedAction, "Why the response's action was not played."]]


DeliveriesJson = Page("Deliveries", DeliveryJson, "The latest attempts, newest first.")


@dataclass(frozen=True)
class Verdict:
    """The decision after an attempt. ``then`` is when to retry, None for never. ``rest`` is for how
    many milliseconds the lane pauses. ``switch_off`` is the reason to disable the webhook, None to
    keep it."""

    outcome: str
    then: int | None = None
    rest: int = 0
    switch_off: str | None = None


def has_succeeded(report: Mapping) -> bool:
    return 200 <= report.get("status", 0) < 300 and not {"failure", "refused"} & report.keys()


def verdict(report: Mapping, is_test: bool, at: int, first: int, failing: int) -> Verdict:
    """Return the decision on an attempt that ended at the time ``at``. The first attempt at the
    delivery ended at ``first``. All attempts at the webhook have failed since ``failing``. A
    webhook is called less often if it fails slowly or for a long time."""
    if has_succeeded(report):
        return Verdict(PLAYED if "version" in report else DELIVERED)
    if report.get("status") == 410:
        return Verdict(FAILED, switch_off="the address answered 410")
    age = 0 if is_test else at - failing
    rest = max(MIN_REST_MS, 2 * report["milliseconds"], min(MAX_REST_MS, age // 10))
    if is_test:
        return Verdict(FAILED, rest=rest)
    if age > MAX_AGE_MS:
        return Verdict(GIVEN_UP, rest=rest, switch_off="no call has succeeded for a day")
    if at - first > MAX_AGE_MS:
        return Verdict(GIVEN_UP, rest=rest)
    asked = int(min(1000 * report.get("retry_after", 0), MAX_PAUSE_MS))
    return Verdict(FAILED, at + max(pause(report["attempt"]), asked), rest)


def pause(attempt: int) -> int:
    """Return the backoff in milliseconds: it doubles with each attempt, with jitter."""
    return int(
        min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** min(attempt - 1, 20)) * random.uniform(0.8, 1.2)
    )


def tries_so_far(redis: Redis, delivery: Delivery) -> tuple[int, int]:
    """Return (number of attempts, time of the first) of a delivery, zeros if there was none."""
    raw = redis.hget(key(delivery.webhook, "tries"), delivery.member) or b"0 0"
    attempts, first = map(int, raw.split())
    return attempts, first


def failing_since(redis: Redis, webhook_id: str, at: int) -> int:
    """Return since when every attempt at a webhook's deliveries has failed. One has just failed at
    the time ``at``: return that if it is the first failure."""
    name = key(webhook_id, "failing")
    redis.set(name, at, nx=True)
    redis.pexpire(name, 2 * MAX_PAUSE_MS)
    return int(redis.get(name) or at)


def store(redis: Redis, delivery: Delivery, report: Mapping, then: int | None) -> None:
    """Add an attempt to the owner's list; ``then`` is when it is retried, if ever."""
    fact = delivery.fact
    row: Json = {
        "id": delivery.id,
        "event": fact.type,
        "at": now(),
        "attempt": report["attempt"],
        "milliseconds": report["milliseconds"],
    }
    if fact.type != PING:
        row["game"] = fact.game
    if fact.type == TOURNAMENT:
        row["tournament"] = fact.game
    row |= {
        name: report[name] for name in ("status", "failure", "version", "refused") if name in report
    }
    if then:
        row["retry_at"] = as_time(then)
    pipe = redis.pipeline(transaction=False)
    pipe.lpush(key(delivery.webhook, "deliveries"), orjson.dumps(row))
    pipe.ltrim(key(delivery.webhook, "deliveries"), 0, MAX_LISTED - 1)
    pipe.execute()


def latest(redis: Redis, webhook_id: str) -> list[DeliveryJson]:
    """Return the latest attempts, the newest first, as the owner sees them."""
    rows = redis.lrange(key(webhook_id, "deliveries"), 0, MAX_LISTED - 1)
    return [orjson.loads(raw) for raw in rows]
