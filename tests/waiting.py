"""Wait for what other processes do."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import urllib3

T = TypeVar("T")


def until(read: Callable[[], T], seconds: float = 60, what: str = "it") -> T:
    """Return the result of ``read`` once there is one; an address that does not answer yet is no
    error."""
    end = time.monotonic() + seconds
    while True:
        with suppress(OSError, urllib3.exceptions.HTTPError):
            if value := read():
                return value
        assert time.monotonic() < end, f"{what} did not come to be"
        time.sleep(0.05)
