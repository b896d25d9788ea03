"""Long work of many requests: some at a time, and callers take turns."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count

import gevent.event
import pytest
from gevent.lock import BoundedSemaphore

from service.http import slots
from service.http.slots import Slots
from tests.waiting import until


def waiting(of: Slots) -> int:
    return sum(map(len, of._waiting.values()))


def in_line(of: Slots, callers: str, threads: ThreadPoolExecutor) -> list[str]:
    """Queue these callers, one after the other; return the callers served, in order."""
    come = []

    def work(name: str) -> None:
        with of.slot(name[0]):
            come.append(name)

    numbers = {caller: count() for caller in callers}
    for place, caller in enumerate(callers, 1):
        threads.submit(work, f"{caller}{next(numbers[caller])}")
        until(lambda place=place: waiting(of) == place)
    return come


def test_callers_take_turns_and_each_is_served_in_order():
    of = Slots(1)
    with ThreadPoolExecutor(6) as threads, of.slot("x"):
        come = in_line(of, "aaabca", threads)
    assert come == ["a0", "b0", "c0", "a1", "a2", "a3"]
    assert waiting(of) == 0


def test_as_many_work_together_as_there_are_slots():
    of = Slots(2)
    with ThreadPoolExecutor(1) as threads, of.slot("a"), of.slot("b"):
        come = in_line(of, "c", threads)
        assert come == []
    assert come == ["c0"]


def test_no_slot_is_held_while_a_part_is_sent_and_an_error_gives_it_back():
    def parts():
        yield 1
        raise ValueError("the second part")

    of = Slots(1)
    values = of.each("a", parts())
    assert next(values) == 1
    with of.slot("b"):
        pass
    with pytest.raises(ValueError, match="second"):
        next(values)
    with of.slot("b"):
        pass


def test_a_waiter_that_leaves_takes_no_slot(monkeypatch):
    """Greenlets, as in a web process: of a client that has hung up, the greenlet is killed."""
    monkeypatch.setattr(slots, "Event", gevent.event.Event)
    monkeypatch.setattr(slots, "Lock", lambda: BoundedSemaphore(1))
    of, come = Slots(1), []

    def work(name: str) -> None:
        with of.slot(name):
            come.append(name)

    with of.slot("x"):
        greenlets = {name: gevent.spawn(work, name) for name in "ab"}
        gevent.idle()
        greenlets["a"].kill()
    greenlets["b"].join(5)
    assert come == ["b"]
