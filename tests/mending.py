"""Keep a stack mended after a test has killed some of its processes."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from service.operation.stack import MEND_EVERY, Stack
from tests.waiting import until


@contextmanager
def mended(stack: Stack, *killed: str) -> Iterator[None]:
    """Mend a stack every half second, as ``fogg up`` does, until the block has ended and all is
    running. Require that the processes of these names were started again, and no others.

    Calling ``mend`` once is not enough: a process that had just been started when it was killed is
    left alone for half a second or longer.
    """
    started: list[str] = []
    errors: list[Exception] = []
    is_over = threading.Event()

    def mend() -> None:
        try:
            while not is_over.is_set():
                started.extend(stack.mend())
                is_over.wait(MEND_EVERY)
        except Exception as error:
            errors.append(error)

    thread = threading.Thread(target=mend, daemon=True)
    thread.start()
    try:
        yield
        until(lambda: errors or (set(started) >= set(killed) and not stack.dead()))
    finally:
        is_over.set()
        thread.join()
    assert not errors
    assert (set(started), stack.dead()) == (set(killed), [])
