"""Background loops of a web process."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from service.eventlog.failovers import Failovers
from service.operation import loops
from service.redis.connection import EmbeddedRedis, connect
from service.redis.news import News
from tests.waiting import until


@pytest.fixture
def repeat() -> Iterator[Callable[..., None]]:
    """Return a function that repeats work until the test is over. A loop that went on would write
    into other tests' Redis."""
    ends = []
    yield lambda *args: ends.append(loops.repeat(*args))
    for end in ends:
        end()


def test_work_ends_when_it_is_stopped():
    done, is_told = [], threading.Event()

    def work():
        done.append(1)
        is_told.wait(5)

    end = loops.repeat("ending", 0.01, work)
    end()
    is_told.set()
    time.sleep(0.2)
    assert len(done) <= 1


def test_work_continues_after_a_failure(repeat):
    tries, is_done = [], threading.Event()

    def work():
        tries.append(1)
        if len(tries) < 3:
            raise RuntimeError("this time")
        is_done.set()

    repeat("failing", 0.05, work)
    assert is_done.wait(5)


def test_only_one_process_per_redis_works_at_a_time(redis, repeat):
    done = []
    for process in range(3):
        repeat("shared", 5, lambda process=process: done.append(process), redis)
    time.sleep(0.3)
    assert len(done) == 1


def test_a_wait_can_be_ended_at_once(repeat):
    done, at_once = [], threading.Event()
    is_done = threading.Semaphore(0)

    def work():
        done.append(1)
        is_done.release()

    repeat("waiting", 3600, work, None, 0.0, at_once)
    for _ in range(3):
        assert is_done.acquire(timeout=30)
        at_once.set()
    assert len(done) >= 3


def test_a_failover_is_looked_for_as_soon_as_redis_is_back(tmp_path):
    """The process waits for an hour, and no client follows anything."""
    with EmbeddedRedis(tmp_path) as server, connect(server.url) as client:
        news, detected = News(client), threading.Event()
        failovers = Failovers(client, (), detected.set)
        end = loops.watch_for_failovers(failovers, news, seconds=3600)
        until(lambda: failovers._runs and client.pubsub_shardchannels(), 30)
        assert not detected.is_set()
        server.kill()
        server.start()
        assert detected.wait(30)
        end()
        news.close()


def test_others_work_side_by_side(repeat):
    started = [threading.Event() for _ in range(3)]
    for event in started:
        repeat("alone", 5, event.set)
    assert all(event.wait(5) for event in started)
