"""What a web process does again and again."""

import threading
import time

from service.operation.loops import repeat


def test_work_goes_on_though_it_fails():
    tries, is_done = [], threading.Event()

    def work():
        tries.append(1)
        if len(tries) < 3:
            raise RuntimeError("this time")
        is_done.set()

    repeat("failing", 0.05, work)
    assert is_done.wait(5)


def test_of_those_that_share_a_redis_one_works_at_a_time(redis):
    done = []
    for process in range(3):
        repeat("shared", 5, lambda process=process: done.append(process), redis)
    time.sleep(0.3)
    assert len(done) == 1


def test_others_work_side_by_side():
    started = [threading.Event() for _ in range(3)]
    for event in started:
        repeat("alone", 5, event.set)
    assert all(event.wait(5) for event in started)
