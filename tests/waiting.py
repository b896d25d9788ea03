"""Wait until something has come to be."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def until(read: Callable[[], T], seconds: float = 60) -> T:
    """Return the result of ``read`` once there is one."""
    end = time.monotonic() + seconds
    while not (value := read()):
        assert time.monotonic() < end, "it did not come to be in time"
        time.sleep(0.05)
    return value
