"""The queues of what waits for a worker: games whose bots are to play, lanes of webhooks, analyses.

Each is a job in a queue of RQ, so RQ shows what waits and what runs. No account waits for long
behind one that asks for much: accounts take turns. A queue is a sequence of rounds, and in each
round an account has at most one job. Its keys are in the queue's Redis, a single server:

``rq:queue:NAME``      the jobs that wait, the next one first
``rq:job:ID``          a job; it has RQ's members and ``name``, ``payer``, ``value`` and
                       ``round``. Its id begins with the name
``rq:wip:NAME``        the jobs that run
``queue:NAME:names``   name -> job, of the jobs that wait
``queue:NAME:payers``  account -> its last round
``queue:NAME:rounds``  the first job of each round

A name waits in a queue at most once. Its lease, a key next to its data, holds a worker's name, or
"1" while it waits for a worker or pauses. If a job, a worker or the queue's Redis is lost, the
lease expires, and a sweep puts the name into the queue again. ``workers/queue.py`` takes jobs.
"""

import logging
from dataclasses import dataclass
from secrets import token_hex

import orjson
from redis import Redis
from rq import Queue
from rq.utils import now

from service.redis.guarding import UNREACHABLE
from service.redis.locks import try_lock
from service.redis.scripts import Script

FAILED_S = 86_400  # seconds for which RQ shows a job that has failed
SCRIPT = Script(__file__, "queue.lua")
TAKEN = 1  # a lease was taken, not renewed
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Work:
    """A kind of work: the name of its queue, and of the function of workers that does it."""

    queue: str
    job: str


@dataclass(frozen=True)
class Crew:
    """The workers of one kind: the queue that they are called after, what they do, and the word for
    what waits for them."""

    name: str
    does: str
    things: str


class Queues:
    """All queues of one Redis."""

    def __init__(self, redis: Redis):
        self.redis = redis

    def put(self, work: Work, payer: str, name: str, value: str = "") -> None:
        """Add a job for a name, charged to an account, unless one waits. If the Redis does not
        answer, the sweep repeats this within seconds."""
        try:
            queue = self.of(work.queue)
            job = queue.create_job(
                work.job,
                args=(name,),
                job_id=f"{name}-{token_hex(4)}",
                timeout=-1,
                result_ttl=0,
                failure_ttl=FAILED_S,
                description=f"{name} for {payer}",
            )
            job.enqueued_at = now()
            what = {"queue": work.queue, "name": name, "payer": payer, "value": value, "id": job.id}
            SCRIPT(
                self.redis,
                [word for item in job.to_dict().items() for word in item],
                key=queue.redis_queues_keys,
                command="put",
                json=orjson.dumps(what),
            )
        except UNREACHABLE as error:
            log.warning("no worker could be called for %s: %r", name, error)

    def of(self, name: str) -> Queue:
        """Return RQ's queue of a name."""
        # JSON, because with RQ's default (pickle) anyone who can write a job can run any code in a
        # worker
        return Queue(name, connection=self.redis, serializer="json")

    def count(self, *works: Work) -> int:
        return sum(self.of(work.queue).count for work in works)

    def names(self, work: Work, most: int) -> list[str]:
        """Return the names that wait first, at most so many."""
        return [job.rpartition("-")[0] for job in self.of(work.queue).get_job_ids(0, most)]

    def failed(self, *works: Work) -> int:
        """Return how many jobs have failed in the last day."""
        return sum(self.of(work.queue).failed_job_registry.count for work in works)

    def workers(self, name: str) -> int:
        """Return the number of workers that take jobs of a queue. A killed worker counts for two
        more minutes, busy or not (``EXPIRES_S`` in workers/queue.py)."""
        keys = self.redis.smembers(f"rq:workers:{name}")
        return self.redis.exists(*keys) if keys else 0


class Leases:
    """The leases on the names of one kind of work, in the Redis that has their data. A worker may
    be silent for ``ms`` milliseconds; a lease lasts for ``most`` at most."""

    def __init__(self, redis: Redis, queues: Queues, work: Work, ms: int, most: int = 0):
        self._redis, self._queues, self._work, self._ms, self._most = redis, queues, work, ms, most

    def call(self, lease: str, payer: str, name: str) -> None:
        """Call a worker for a name, unless its lease is taken."""
        if try_lock(self._redis, lease, self._ms, self._most):
            self._queues.put(self._work, payer, name)

    def hold(self, lease: str, worker: str) -> int:
        """Take or renew the lease for a worker. Return 0 if another one has it, ``TAKEN`` if the
        worker did not have it."""
        return self._run("hold", lease, worker=worker, ms=self._ms)

    def leave(self, lease: str, worker: str, rest: int = 0) -> bool:
        """End a worker's lease. The name then pauses for ``rest`` milliseconds. Return False if
        another worker has the lease."""
        return bool(self._run("leave", lease, worker=worker, rest=rest))

    def _run(self, command: str, lease: str, **what: str | int) -> int:
        return SCRIPT(self._redis, key=lease, command=command, json=orjson.dumps(what))
