"""Threads and processes that a test or a fixture leaves running.

A thread that is left runs during other tests: it draws from the random generator that Hypothesis
watches, writes lines into their logs, or uses a server that has stopped.
"""

import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path

Running = set[threading.Thread | int]
END_WITHIN_S = 15.0  # until what was asked to end has ended, on a busy machine
# of the pools of workers.outbound and workers.deliver, and what gevent and numba started
LASTING = ("names", "deliveries", "Dummy-")
LAUNCHER = "launcher_0"  # of service.processes


def running() -> Running:
    """Return the threads of this process, and the ids of its child processes."""
    return threads() | processes()


def threads() -> Running:
    return {thread for thread in threading.enumerate() if not thread.name.startswith(LASTING)}


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
        children.update(int(number) for number in numbers if not _is_zombie(number))
    return children


def _is_zombie(process: str) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return True
    return status.rpartition(")")[2].split()[0] == "Z"


def threads_left(before: Running) -> list[str]:
    """Return a description of each thread that runs and did not run before, without those that hold
    a child process."""
    return _left(lambda: {one for one in threads() - before if one.name != LAUNCHER})


def left(before: Running) -> list[str]:
    """Return a description of each thread and process that runs and did not run before."""
    return _left(lambda: running() - before)


def _left(read: Callable[[], Running]) -> list[str]:
    """Describe what is still running; wait a while for what is ending."""
    end = time.monotonic() + END_WITHIN_S
    while (new := read()) and time.monotonic() < end:
        time.sleep(0.02)
    return [_described(one) for one in new]


def _described(one: threading.Thread | int) -> str:
    if isinstance(one, int):
        try:
            command = Path(f"/proc/{one}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            command = "which has ended"
        return f"process {one}: {command}"
    frame = sys._current_frames().get(one.ident or 0)
    lines = traceback.format_stack(frame)[-3:] if frame else []
    return f"thread {one.name}: {''.join(lines)}"
