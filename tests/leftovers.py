"""A plugin of pytest: fail tests that leave threads or processes running.

A thread that is left runs during other tests: it draws from the random generator that Hypothesis
watches, writes lines into their logs, or uses a server that has stopped.
"""

import sys
import threading
import time
import traceback
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest
from redis.client import PubSubWorkerThread

Running = set[threading.Thread | int]
END_WITHIN_S = 15.0  # until what was asked to end has ended, on a busy machine
# threads of the pools of workers.outbound, workers.deliver and the simulator, of gevent, and those
# that hold a process
LASTING = ("names", "deliveries", "simulator", "Dummy-", "launcher")

# what fixtures have started, by the scope of the fixture
_of_fixtures: defaultdict[str, Running] = defaultdict(set)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef, request):
    """Note the threads and processes that a fixture of several tests starts."""
    if fixturedef.scope == "function":
        return (yield)
    before = running()
    result = yield
    _of_fixtures[fixturedef.scope] |= running() - before
    return result


@pytest.fixture(autouse=True)
def leaves_nothing():
    """Fail a test that leaves a thread behind. Processes are looked at after each module, as a test
    may start a process of its module's fixture again."""
    before = threads()
    yield
    lasting = _of_fixtures["module"] | _of_fixtures["session"]
    _require_none(lambda: threads() - before - lasting)


@pytest.fixture(scope="module", autouse=True)
def module_leaves_nothing():
    """Fail if the tests of a module, or its fixtures, leave a thread or a process behind."""
    before = running()
    yield
    _require_none(lambda: running() - before - _of_fixtures["session"])


def keep_processes(numbers: set[int]) -> None:
    """Expect these processes until the run ends: they stand for some of a fixture of all tests."""
    _of_fixtures["session"] |= numbers


def running() -> Running:
    """Return the threads of this process, and the ids of its child processes."""
    return threads() | processes()


def threads() -> Running:
    """Return the threads, without those of a worker of RQ: its end takes up to a minute."""
    return {
        thread
        for thread in threading.enumerate()
        if not thread.name.startswith(LASTING) and not isinstance(thread, PubSubWorkerThread)
    }


def processes() -> Running:
    tasks = Path("/proc/self/task")
    if not tasks.exists():  # not Linux
        return set()
    children: set[int] = set()
    for task in tasks.iterdir():
        try:
            numbers = (task / "children").read_text().split()
        except OSError:  # the thread has ended
            continue
        children.update(int(number) for number in numbers if not _is_lasting(number))
    return children


def _is_lasting(number: str) -> bool:
    """Return whether a process has ended, or is Python's own for all that share memory."""
    state = _read(number, "stat").rpartition(b")")[2].split()
    return state[:1] in ([], [b"Z"]) or b"resource_tracker" in _read(number, "cmdline")


def _read(number: int | str, name: str) -> bytes:
    """Return a file of a process in /proc, empty if the process has ended."""
    try:
        return Path(f"/proc/{number}/{name}").read_bytes()
    except OSError:
        return b""


def _require_none(read: Callable[[], Running]) -> None:
    """Wait a while for what is ending; fail if something else is running."""
    end = time.monotonic() + END_WITHIN_S
    while (new := read()) and time.monotonic() < end:
        time.sleep(0.02)
    if new:
        pytest.fail("it left running:\n" + "\n".join(map(_described, new)), pytrace=False)


def _described(one: threading.Thread | int) -> str:
    if isinstance(one, int):
        words = _read(one, "cmdline").replace(b"\0", b" ").decode()
        return f"process {one}: {words}"
    frame = sys._current_frames().get(one.ident or 0)
    lines = traceback.format_stack(frame)[-3:] if frame else []
    return f"thread {one.name}: {''.join(lines)}"
