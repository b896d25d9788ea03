"""Jobs of the queues that the service fills (``service/redis/queue.py`` describes the keys).

RQ takes one job and runs it. While that runs, a worker may take more jobs by itself: RQ then lists
them as started until ``take`` is told that they have ended.
"""

import json
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from secrets import token_hex
from typing import Any, NamedTuple

from redis import Redis
from rq import Queue, get_current_job

from workers import tokens

GUESTS, BOTS, DELIVERIES, ANALYSES = "guests", "bots", "deliveries", "analyses"
SHARED = {BOTS}  # queues of which a worker takes only its share at a time
EXPIRES_S = 120  # seconds after which RQ lists a job as failed, as its worker must have died
KEYS = ["rq:queues"]
RQ_TIME = "%Y-%m-%dT%H:%M:%S.%fZ"
WORKER = token_hex(8)  # the name of this process, also for RQ


class Job(NamedTuple):
    """A job taken from a queue: its name there, the account that it is charged to, and a value."""

    queue: str
    name: str
    payer: str
    value: str
    id: str


def current() -> Job:
    job = get_current_job()
    assert job
    return _taken("", "", f"{job.origin} {job.id}")[0]


def take(wanted: dict[str, int], ended: Iterable[Job] = (), skip: Iterable[str] = ()) -> list[Job]:
    """Take at most so many jobs of each queue, none of the accounts in ``skip``. ``ended`` are jobs
    that were taken before and run no more."""
    rows = [f"{queue} {count} {queue in SHARED:d}" for queue, count in wanted.items()]
    gone = [f"{job.queue} {job.id}" for job in ended]
    full = " ".join(skip)
    return _taken(" ".join(rows), " ".join(gone), *(["", full] if full else []))


def _taken(*words: str) -> list[Job]:
    run = f"{WORKER} {datetime.now(UTC):{RQ_TIME}} {time.time() + EXPIRES_S}"
    rows = _script()(KEYS, ["take", "", run, *words])
    return [Job(*(word.decode() for word in row)) for row in rows]


def put_back(job: Job) -> None:
    """Add a running job again, behind its account's others, unless one of its name waits."""
    what = job._asdict() | {"id": f"{job.name}-{token_hex(4)}", "again": job.id}
    since = f"{datetime.now(UTC):{RQ_TIME}}"
    _script()(
        KEYS,
        [
            "put",
            json.dumps(what),
            "status",
            "queued",
            "enqueued_at",
            since,
            "started_at",
            "",
            "worker_name",
            "",
            "last_heartbeat",
            "",
        ],
    )


def wait(name: str, seconds: float) -> None:
    """Return once a job waits in a queue, or after so many seconds."""
    key = of(name).key
    redis().blmove(key, key, seconds, "LEFT", "LEFT")  # the first job stays the first


def count(*queues: str) -> int:
    return sum(of(queue).count for queue in queues)


def of(name: str) -> Queue:
    return Queue(name, connection=redis(), serializer="json")


@cache
def _script() -> Any:
    return redis().register_script((files("service") / "redis" / "queue.lua").read_text())


@cache
def redis() -> Redis:
    return Redis.from_url(tokens.queue_url())
