"""The job that calls webhooks: one lane of one webhook, call after call, while there are any.

Whom to call, and with what, the service says over HTTP; how it went it is told with the question
for the next. So a job that is lost loses nothing, and a worker needs no secret but the tokens of
the built-in bots, by which the service knows it (FOGG_BOTS).

Calls wait for others' machines, mostly: a job only starts a thread, so that some may be slow and
the rest go on.
"""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import urllib3
from fogg_client.client import Client, Problem

from workers.outbound import Answer, NotSent, send

AT_ONCE = 64  # calls under way
stopping = threading.Event()  # set when this process is to end: the calls under way are the last
log = logging.getLogger(__name__)
_threads = ThreadPoolExecutor(AT_ONCE, "calls")
_free = threading.Semaphore(AT_ONCE)


def deliver(webhook: str, lane: int) -> None:
    """Let a thread make the calls of a lane; wait for one to be free."""
    _free.acquire()
    _threads.submit(_run, webhook, lane)


def finish() -> None:
    """Return when the calls under way are over."""
    stopping.set()
    _threads.shutdown()


def _run(webhook: str, lane: int) -> None:
    try:
        make_calls(webhook, lane)
    except (Problem, urllib3.exceptions.HTTPError) as error:
        log.warning("%s: %s; the service will call anew", webhook, error)
    except Exception:
        log.exception("the calls of %s could not be made", webhook)
    finally:
        _free.release()


def make_calls(webhook: str, lane: int) -> None:
    """Make the calls of a lane until there is none that is due."""
    path, report = f"/internal/webhooks/{webhook}/lanes/{lane}", {}
    while call := _service().post(path, report):
        report = made(call)
        if stopping.is_set():
            report["last"] = True


def made(call: dict) -> dict:
    """Make one call, and play what is answered; return how it went."""
    began = time.monotonic()
    report = {"call": call["call"], "attempt": call["attempt"]} | _called(call)
    return report | {"milliseconds": round(1000 * (time.monotonic() - began))}


def _called(call: dict) -> dict:
    headers = call["headers"] | {"Content-Type": "application/json", "User-Agent": "fogg-webhooks"}
    try:
        answer = send(call["url"], call["body"].encode(), headers,
                      is_private_allowed=_is_private_allowed())
    except NotSent as failure:
        return {"failure": str(failure)}
    report: dict = {"status": answer.status}
    if not 200 <= answer.status < 300:
        report["failure"] = f"the answer was {answer.status}"
        if answer.retry_after is not None:
            report["retry_after"] = answer.retry_after
    elif wish := _wish(answer) if "play" in call else None:
        report |= _played(call, wish)
    return report


def _wish(answer: Answer) -> dict | None:
    """Return what was answered if it has an action, None if there is nothing to be played."""
    try:
        found = json.loads(answer.body or b"")
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and "action" in found else None


def _played(call: dict, wish: dict) -> dict:
    """Play an action on the seat that was called; a call that is repeated plays it once."""
    headers = {"Authorization": f"Bearer {call['play']['token']}",
               "Idempotency-Key": call["headers"]["webhook-id"]}
    version = wish.get("version")
    if version is not None:
        headers["If-Match"] = f'"{version}"' if type(version) is int else "none"
    try:
        path = f"/v1/games/{call['play']['game']}/actions"
        return {"played": _service().post(path, wish["action"], headers)["version"]}
    except Problem as problem:
        if problem.status >= 500:
            return {"failure": "the service did not play the action; it is to be asked again"}
        return {"refused": {"type": problem.body.get("type", "about:blank"),
                            "detail": problem.body.get("detail", "")}}
    except urllib3.exceptions.HTTPError:
        return {"failure": "the service did not play the action; it is to be asked again"}


def _is_private_allowed() -> bool:
    return os.environ.get("FOGG_WEBHOOKS_PRIVATE", "").lower() in ("1", "true", "yes")


@cache
def _service() -> Client:
    """Return the service, which knows us by a token of a built-in bot."""
    tokens = json.loads(Path(os.environ["FOGG_BOTS"]).read_text())
    return Client(os.environ["FOGG_URL"], next(iter(tokens.values()))[0])
