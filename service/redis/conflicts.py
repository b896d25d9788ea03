"""Retry after a conflict: another writer has changed the state that a decision was based on."""

from collections.abc import Callable
from typing import TypeVar

TRIES = 50  # attempts before the request fails with "too-busy"

T = TypeVar("T")


class Conflict(Exception):
    """Nothing was written: the state that the decision was based on has changed."""


def retry(attempt: Callable[[], T], tries: int = TRIES) -> T:
    """Return the result of an attempt. Retry while it raises Conflict; raise the last Conflict.

    An attempt reads the present state, decides, and writes only if nothing has changed since. So
    one of several writers always succeeds."""
    for _ in range(tries - 1):
        try:
            return attempt()
        except Conflict:
            continue
    return attempt()
