"""The job that calls webhooks: the waiting lanes (``workers.lanes``), delivery after delivery.

The worker asks the service over HTTP for the next delivery, with its URL and body, and reports the
result of the last one in the same request. So a lost job loses nothing, and a worker needs no
secret but the tokens of the built-in bots, which it signs in with (``workers.tokens``).

Deliveries mostly wait for other machines. A job only starts a thread, so that slow receivers do not
delay the rest. A thread serves a lane for a second, or for one delivery that takes longer; then the
lane goes behind the others of its account.
"""

from __future__ import annotations

import json
import logging
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import cache, partial
from typing import Any

import urllib3
from fogg_client.problems import Problem
from redis import Redis, RedisError

from service import settings
from workers import tokens
from workers.lanes import Lane, Shares
from workers.outbound import Answer, NotSent, send

MAX_DELIVERIES = 64  # under way in this process, without slow ones (``workers.lanes``)
# With slow ones: each slot is free again after SLOW_S, and a call takes TIMEOUT_S at most, and some
# more if the response is an action.
MAX_THREADS = MAX_DELIVERIES * 8
SLICE_S = 1.0  # after which a lane is left to its next turn
stopping = threading.Event()  # set when this process is to end: what is under way is the last
log = logging.getLogger(__name__)
_threads = ThreadPoolExecutor(MAX_THREADS, "deliveries")
_shares = Shares(MAX_DELIVERIES, MAX_THREADS)


def deliver() -> None:
    """Wait for a free slot and start a thread on the lanes whose turn it is."""
    _shares.wait_for_room()
    _threads.submit(_run)


def finish() -> None:
    """Wait until the deliveries under way are done."""
    stopping.set()
    _threads.shutdown()


def _run() -> None:
    """Serve lanes until no waiting lane may be served now."""
    try:
        while not stopping.is_set() and (lane := _shares.take(_redis())):
            _share_the_work()
            try:
                _deliver(lane)
            finally:
                _shares.give_back(lane)
    except RedisError as error:
        log.warning("no lane could be taken: %r; the service will ask anew", error)


def _share_the_work() -> None:
    """Start another thread on the waiting lanes, if a slot is free."""
    if _shares.has_room():
        with suppress(RuntimeError):  # this process ends
            _threads.submit(_run)


def _deliver(lane: Lane) -> None:
    webhook = lane.webhook
    try:
        deliver_lane(webhook, lane.number, partial(_shares.calling, lane.account))
    except (Problem, urllib3.exceptions.HTTPError) as error:
        tokens.forget_after(error)
        log.warning("%s: %s; the service will ask anew", webhook, error)
    except Exception:
        log.exception("the deliveries to %s could not be made", webhook)


def deliver_lane(
    webhook: str, lane: int, calling: Callable[[], AbstractContextManager] = nullcontext
) -> None:
    """Make the deliveries of a lane for a while, or until there is none that is due. Each is made
    inside the context manager that ``calling`` returns."""
    path = f"/internal/webhooks/{webhook}/lanes/{lane}"
    worker: dict[str, Any] = {"worker": secrets.token_hex(8)}
    end, report = time.monotonic() + SLICE_S, worker
    while delivery := tokens.service().post(path, report):
        with calling():
            report = report_on(delivery) | worker
        if stopping.is_set() or time.monotonic() > end:
            report["last"] = True


@cache
def _redis() -> Redis:
    return Redis.from_url(tokens.queue_url())


def report_on(delivery: dict) -> dict:
    """Make one delivery, and play the action in the response; return the report."""
    began = time.monotonic()
    report = {"call": delivery["call"], "attempt": delivery["attempt"]} | _outcome(delivery)
    return report | {"milliseconds": round(1000 * (time.monotonic() - began))}


def _outcome(delivery: dict) -> dict:
    headers = delivery["headers"] | {
        "Content-Type": "application/json", "User-Agent": "fogg-webhooks"}
    try:
        answer = send(delivery["url"], delivery["body"].encode(), headers,
                      is_private_allowed=settings.WEBHOOKS_PRIVATE.value())
    except NotSent as failure:
        return {"failure": str(failure)}
    report: dict = {"status": answer.status}
    if not 200 <= answer.status < 300:
        report["failure"] = f"the answer was {answer.status}"
        if answer.retry_after is not None:
            report["retry_after"] = answer.retry_after
    elif move := _move_in(answer) if "play" in delivery else None:
        report |= _outcome_of_move(delivery, move)
    return report


def _move_in(answer: Answer) -> dict | None:
    """Return the receiver's response if it contains an action, else None."""
    try:
        value = json.loads(answer.body or b"")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and "action" in value else None


def _outcome_of_move(delivery: dict, move: dict) -> dict:
    """Play the action of the answer on the seat of the delivery. A repeated delivery plays it
    once."""
    headers = {"Authorization": f"Bearer {delivery['play']['token']}",
               "Idempotency-Key": delivery["headers"]["webhook-id"]}
    version = move.get("version")
    if version is not None:
        headers["If-Match"] = f'"{version}"' if type(version) is int else "none"
    try:
        path = f"/v1/games/{delivery['play']['game']}/actions"
        return {"version": tokens.service().post(path, move["action"], headers)["version"]}
    except Problem as problem:
        if problem.status >= 500:
            return {"failure": "the service did not play the action; it is to be asked again"}
        return {"refused": {"type": problem.body.get("type", "about:blank"),
                            "detail": problem.body.get("detail", "")}}
    except urllib3.exceptions.HTTPError:
        return {"failure": "the service did not play the action; it is to be asked again"}

