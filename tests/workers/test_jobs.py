"""RQ shows the jobs that wait and run. A worker runs only the jobs that the service puts into the
queue: other writers to the queue cannot run code in it."""

import builtins
import json
import pickle
import subprocess
import sys

import pytest
from rq.job import Callback, Job

from service.analyses import analyses
from service.games import workers as games
from service.redis.queue import Queues
from service.webhooks import lanes
from tests.cli.inside import handlers_kept
from workers import __main__ as worker
from workers import queue as jobs

WORKS = (games.GUESTS, games.BOTS, lanes.WORK, analyses.WORK)


class Trap:
    """Makes a file when it is unpickled."""

    def __init__(self, path):
        self.path = str(path)

    def __reduce__(self):
        return builtins.open, (self.path, "w")


@pytest.fixture(autouse=True)
def handlers():
    """RQ leaves its handlers of signals in place."""
    with handlers_kept():
        yield


@pytest.fixture
def queues(redis, worker_queue):
    return Queues(redis)


@pytest.fixture
def queue(queues):
    return queues.of("bots")


@pytest.fixture
def job(queues, queue):
    """A job as the service puts it into the queue."""
    queues.put(games.BOTS, "p_1", "g_1", "bot_random_0")
    return queue.jobs[0]


def kept(redis, job: Job) -> Job:
    return Job.fetch(job.id, redis, "json")


def test_the_jobs_of_the_service_are_its_own(redis, job):
    assert {work.job for work in WORKS} == worker.JOBS
    assert {work.queue for work in WORKS} == {
        queue for _, _, queues in worker.KINDS.values() for queue in queues
    }
    assert worker.is_ours(kept(redis, job))


def info(redis_server) -> dict[str, tuple[int, int]]:
    """The jobs that wait and that run, by queue, as ``rq info`` says."""
    command = [sys.executable, "-m", "rq.cli", "info", "--raw", "--only-queues"]
    said = subprocess.run(
        [*command, "--url", redis_server.url], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.replace(",", "").split() for line in said.splitlines()]
    return {row[1]: (int(row[2]), int(row[3])) for row in rows}


def test_rq_shows_the_jobs_that_wait_and_run(redis_server, queues):
    for work in WORKS:
        for number in range(3):
            queues.put(work, f"p_{number}", f"x_{number}")
    assert info(redis_server) == {work.queue: (3, 0) for work in WORKS}
    taken = jobs.take({"guests": 2, "deliveries": 1})
    assert info(redis_server) == {
        "guests": (1, 2),
        "bots": (3, 0),
        "deliveries": (2, 1),
        "analyses": (3, 0),
    }
    shown = Job.fetch(taken[0].id, queues.redis, "json")
    assert (shown.func_name, shown.args, shown.description, shown.get_status()) == (
        "workers.play.play",
        ["x_0"],
        "x_0 for p_0",
        "started",
    )
    assert shown.worker_name == jobs.WORKER
    assert queues.of("guests").started_job_registry.get_job_ids() == [job.id for job in taken[:2]]
    jobs.put_back(taken[0])
    jobs.take({}, ended=taken)
    assert info(redis_server) == {
        "guests": (2, 0),
        "bots": (3, 0),
        "deliveries": (2, 0),
        "analyses": (3, 0),
    }
    assert [(job.args, job.get_status()) for job in queues.of("guests").jobs] == [
        (["x_2"], "queued"),
        (["x_0"], "queued"),
    ]


def test_a_job_whose_worker_has_died_is_shown_as_failed(redis, queues, monkeypatch):
    monkeypatch.setattr(jobs, "EXPIRES_S", -1)
    queues.put(games.GUESTS, "p_1", "g_1")
    [job] = jobs.take({"guests": 1})
    assert queues.of("guests").failed_job_registry.get_job_ids() == []
    queues.of("guests").started_job_registry.cleanup()
    assert queues.of("guests").failed_job_registry.get_job_ids() == [job.id]
    assert queues.failed(*WORKS) == 1
    queues.put(games.GUESTS, "p_1", "g_1")  # as the sweep does
    assert queues.names(games.GUESTS, 9) == ["g_1"]


def test_a_worker_runs_jobs_of_games_with_guests_first_and_analyses_last(queues, monkeypatch):
    ran = []

    def run(name: str) -> None:
        job = jobs.current()
        work = next(work for work in WORKS if work.queue == job.queue)
        if len(ran) < 3:
            queues.put(work, "p_1", name)  # it waits no longer, so it may be added again
        assert job.id in queues.of(job.queue).started_job_registry.get_job_ids()
        ran.append(job[:4])

    for work in WORKS:
        monkeypatch.setattr(work.job, run)
        queues.put(work, "p_1", "x_1", "a value")
    worker.Worker(
        [jobs.of(name) for name in worker.KINDS["bots"][2]],
        connection=queues.redis,
        serializer="json",
    ).work(burst=True)
    assert ran == [
        ("guests", "x_1", "p_1", "a value"),
        *[("guests", "x_1", "p_1", "")] * 3,
        *[(name, "x_1", "p_1", "a value") for name in ("bots", "analyses")],
    ]


@pytest.mark.parametrize(
    "more",
    [
        {"data": json.dumps(["os.mkdir", None, ["x"], {}])},
        {"data": json.dumps([lanes.WORK.job + "_lane", None, ["x"], {}])},
        {"data": b"no json"},
        {"success_callback_name": "os.mkdir"},
        {"failure_callback_name": "os.mkdir"},
        {"stopped_callback_name": "os.mkdir"},
    ],
    ids=str,
)
def test_a_job_that_was_changed_is_not(redis, job, more):
    redis.hset(job.key, mapping=more)
    assert not worker.is_ours(kept(redis, job))


def test_a_job_that_was_put_there_by_others_is_thrown_away(redis, queue, tmp_path):
    made = tmp_path / "made"
    queue.enqueue("os.mkdir", str(made))
    queue.enqueue(games.JOB, "g_1", on_failure=Callback("os.mkdir"))
    pickled = queue.enqueue("os.mkdir", str(made))
    redis.hset(pickled.key, "data", pickle.dumps(Trap(made)))
    worker.Worker([queue], connection=redis, serializer="json").work(burst=True)
    assert not made.exists()
    assert queue.count == queue.failed_job_registry.count == 0
    assert list(redis.scan_iter("rq:job:*")) == []


def test_a_worker_counts_again_after_the_queue_has_lost_everything(redis, queues, queue):
    one = worker.Worker(
        [queue], connection=redis, serializer="json", worker_ttl=worker.WORKER_TTL_S
    )
    assert one.dequeue_timeout <= worker.HEARTBEAT_S < 120  # it beats while it waits for jobs
    one.register_birth()
    assert queues.workers("bots") == 1
    redis.flushall()
    assert queues.workers("bots") == 0
    one._last_heartbeat_s = -worker.HEARTBEAT_S  # as after that time
    one.heartbeat()
    assert queues.workers("bots") == 1
    assert 0 < redis.ttl(one.key) <= 120
