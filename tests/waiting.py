"""Wait for what other processes do."""

import time
from collections.abc import Callable

import urllib3


def wait_until(is_so: Callable[[], object], what: str = "it", seconds: float = 120) -> None:
    """Wait until a condition is true; an address that does not answer yet is no error."""
    end = time.monotonic() + seconds
    while True:
        try:
            if is_so():
                return
        except (OSError, urllib3.exceptions.HTTPError):
            pass
        assert time.monotonic() < end, f"{what} did not come to be"
        time.sleep(0.05)
