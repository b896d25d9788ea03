"""Retry after a conflict: another writer has changed the state that a decision was based on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

TRIES = 50  # attempts before the request fails with "too-busy"

T = TypeVar("T")


class Conflict(Exception):
    """Nothing was written, as the decision was based on a state that has changed since."""


def retry(attempt: Callable[[], T], tries: int = TRIES) -> T:
    """Return what an attempt returns. Repeat it while it raises Conflict; raise that of the last.

    An attempt reads the present state, decides, and writes only if nothing has changed since. So
    one of several writers always succeeds."""
    for _ in range(tries - 1):
        try:
            return attempt()
        except Conflict:
            continue
    return attempt()
