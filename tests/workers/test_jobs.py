"""A worker runs only the jobs that the service puts into the queue: other writers to the queue
cannot run code in it."""

import builtins
import json
import pickle

import pytest
from rq import Queue
from rq.job import Callback, Job

from service.games import analyses, workers
from service.webhooks import lanes
from workers import __main__ as worker

TAKEN = "workers.play.stopping.is_set"  # harmless, and none of them


class Trap:
    """Makes a file when it is unpickled."""

    def __init__(self, path):
        self.path = str(path)

    def __reduce__(self):
        return builtins.open, (self.path, "w")


@pytest.fixture
def queue(redis):
    return Queue("bots", connection=redis, serializer="json")


@pytest.fixture
def job(queue):
    """A job as the service puts it into the queue."""
    workers.ask_for_worker(queue)
    return queue.jobs[0]


def kept(redis, job: Job) -> Job:
    """The job as a worker reads it."""
    return Job.fetch(job.id, redis, "json")


def test_the_jobs_of_the_service_are_its_own(redis, job):
    assert {workers.JOB, lanes.JOB, analyses.JOB} == worker.JOBS
    assert worker.is_ours(kept(redis, job))


@pytest.mark.parametrize("more", [
    {"data": json.dumps(["os.mkdir", None, ["x"], {}])},
    {"data": json.dumps([lanes.JOB + "_lane", None, ["x"], {}])},
    {"data": b"no json"},
    {"success_callback_name": "os.mkdir"},
    {"failure_callback_name": "os.mkdir"},
    {"stopped_callback_name": "os.mkdir"},
], ids=str)
def test_a_job_that_was_changed_is_not(redis, job, more):
    redis.hset(job.key, mapping=more)
    assert not worker.is_ours(kept(redis, job))


def test_a_job_that_was_put_there_by_others_is_thrown_away(redis, queue, tmp_path):
    made = tmp_path / "made"
    queue.enqueue("os.mkdir", str(made))
    queue.enqueue(workers.JOB, "g_1", on_failure=Callback("os.mkdir"))
    pickled = queue.enqueue("os.mkdir", str(made))
    redis.hset(pickled.key, "data", pickle.dumps(Trap(made)))
    worker.Worker([queue], connection=redis, serializer="json").work(burst=True)
    assert not made.exists()
    assert queue.count == queue.failed_job_registry.count == 0
    assert list(redis.scan_iter("rq:job:*")) == []


def test_a_worker_counts_again_after_the_queue_has_lost_everything(redis, queue):
    one = worker.Worker([queue], connection=redis, serializer="json",
                        worker_ttl=worker.WORKER_TTL_S)
    one.register_birth()
    assert workers.alive(redis, "bots") == 1
    redis.flushall()
    assert workers.alive(redis, "bots") == 0
    one._last_heartbeat_s = -worker.HEARTBEAT_S  # as after that time
    one.heartbeat()
    assert workers.alive(redis, "bots") == 1
    assert 0 < redis.ttl(one.key) <= 120


def test_a_worker_that_waits_for_jobs_beats_more_often_than_it_is_given_up(redis, queue):
    one = worker.Worker([queue], connection=redis, serializer="json",
                        worker_ttl=worker.WORKER_TTL_S)
    assert one.dequeue_timeout <= worker.HEARTBEAT_S < 120
