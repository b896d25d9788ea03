"""The job that calls webhooks: a lane of one (``service/webhooks/lanes.py``), delivery after
delivery.

The worker asks the service over HTTP for the next delivery, with its URL and body, and reports the
result of the last one in the same request. So a lost job loses nothing, and a worker needs no
secret but the tokens of the built-in bots, which it signs in with (``workers.tokens``).

Deliveries mostly wait for other machines. So each job runs in a thread, and slow receivers do not
delay the rest. A thread serves a lane for a second, or for one delivery that takes longer; then the
lane goes behind the others of its account.
"""

import json
import logging
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any

import urllib3
from fogg_client.problems import Problem

from service import settings
from workers import queue, tokens
from workers.lanes import Shares
from workers.outbound import Answer, NotSent, send
from workers.queue import Job

MAX_DELIVERIES = 128  # under way in this process, without slow ones (``workers.lanes``)
MAX_THREADS = 512  # with slow ones
POLL_S = 0.05  # between two looks for a lane that may be served, while others wait
SLICE_S = 1.0  # after which a lane is left to its next turn
stopping = threading.Event()  # set when this process is to end: what is under way is the last
log = logging.getLogger(__name__)
_threads = ThreadPoolExecutor(MAX_THREADS, "deliveries")
shares = Shares(MAX_DELIVERIES, MAX_THREADS)


def serve(seconds: float) -> None:
    """Start a thread for each lane that may be served; wait so long for one."""
    end = time.monotonic() + seconds
    while not stopping.is_set() and (left := end - time.monotonic()) > 0:
        if job := shares.take():
            _threads.submit(_run, job)
        elif shares.has_room() and not queue.count(queue.DELIVERIES):
            queue.wait(queue.DELIVERIES, left)
        else:
            shares.wait(min(left, POLL_S))


def finish() -> None:
    stopping.set()
    _threads.shutdown()


def _run(job: Job) -> None:
    try:
        deliver(job.name, partial(shares.calling, job.payer))
    except (Problem, urllib3.exceptions.HTTPError) as error:
        tokens.forget_after(error)
        log.warning("%s: %s; the service will ask anew", job.name, error)
    except Exception:
        log.exception("the deliveries of %s could not be made", job.name)
    finally:
        shares.give_back(job)


def deliver(name: str, calling: Callable[[], AbstractContextManager] = nullcontext) -> None:
    """Make the deliveries of a lane for a while, or until there is none that is due. Each is made
    inside the context manager that ``calling`` returns."""
    webhook, _, lane = name.rpartition("-")
    path = f"/internal/webhooks/{webhook}/lanes/{lane}"
    worker: dict[str, Any] = {"worker": secrets.token_hex(8)}
    end, report = time.monotonic() + SLICE_S, worker
    while delivery := tokens.service().post(path, report):
        with calling():
            report = report_on(delivery) | worker
        if stopping.is_set() or time.monotonic() > end:
            report["last"] = True


def report_on(delivery: dict) -> dict:
    began = time.monotonic()
    report = {"call": delivery["call"], "attempt": delivery["attempt"]} | _outcome(delivery)
    return report | {"milliseconds": round(1000 * (time.monotonic() - began))}


def _outcome(delivery: dict) -> dict:
    headers = delivery["headers"] | {
        "Content-Type": "application/json",
        "User-Agent": "fogg-webhooks",
    }
    try:
        answer = send(
            delivery["url"],
            delivery["body"].encode(),
            headers,
            is_private_allowed=settings.WEBHOOKS_PRIVATE.value(),
        )
    except NotSent as failure:
        return {"failure": str(failure)}
    report: dict = {"status": answer.status}
    if not 200 <= answer.status < 300:
        report["failure"] = f"the answer was {answer.status}"
        report["retry_after"] = answer.retry_after
    elif move := _move_in(answer) if "play" in delivery else None:
        report |= _outcome_of_move(delivery, move)
    return report


def _move_in(answer: Answer) -> dict | None:
    try:
        value = json.loads(answer.body or b"")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and "action" in value else None


def _outcome_of_move(delivery: dict, move: dict) -> dict:
    """Play the action of the answer; a repeated delivery plays it once."""
    headers = {
        "Authorization": f"Bearer {delivery['play']['token']}",
        "Idempotency-Key": delivery["headers"]["webhook-id"],
    }
    version = move.get("version")
    if version is not None:
        headers["If-Match"] = f'"{version}"' if type(version) is int else "none"
    try:
        path = f"/v1/games/{delivery['play']['game']}/actions"
        return {"version": tokens.service().post(path, move["action"], headers)["version"]}
    except (Problem, urllib3.exceptions.HTTPError) as error:
        if isinstance(error, Problem) and error.status < 500:
            return {
                "refused": {
                    "type": error.body.get("type", "about:blank"),
                    "detail": error.body.get("detail", ""),
                }
            }
        return {"failure": "the service did not play the action; it is to be asked again"}
