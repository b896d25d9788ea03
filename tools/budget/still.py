"""A process in which nothing is left to chance: its clock stands still and its random bytes repeat.

Import this before anything that reads the time or draws random bytes when it is imported.
"""

from __future__ import annotations

import base64
import hashlib
import os
import random
import secrets
import time
from itertools import count

START_NS = 1_700_000_000_000_000_000  # 2023-11-14, when the clock stands still
SEED = bytes(range(32))  # of every game that is created without one

_numbers = [count()]
_offset_ns = [0]


def advance(seconds: float) -> None:
    _offset_ns[0] += int(seconds * 1e9)


def make_still() -> None:
    """Stop the clock, and draw the same random bytes from now on in every run."""
    time.time_ns = time.monotonic_ns = _now_ns
    time.time = time.monotonic = time.perf_counter = time.thread_time = _now
    os.urandom = random._urandom = random_bytes  # the second is what `secrets` draws from
    secrets.token_bytes, secrets.token_urlsafe = _token_bytes, _token_urlsafe
    random.seed(0)


def random_bytes(size: int) -> bytes:
    """Return the next random bytes, which are the same in every run."""
    return hashlib.shake_256(b"%d" % next(_numbers[0])).digest(size)


def draw_again() -> None:
    """Begin again with the first random bytes, so that it does not matter how many the packages
    draw that happen to be installed, when they are imported."""
    _numbers[0] = count()
    random.seed(0)


def _token_bytes(size: int = 32) -> bytes:
    return SEED if size == len(SEED) else random_bytes(size)


def _token_urlsafe(size: int) -> str:
    return base64.urlsafe_b64encode(random_bytes(size)).decode().rstrip("=")


def _now_ns() -> int:
    return START_NS + _offset_ns[0]


def _now() -> float:
    return _now_ns() / 1e9
