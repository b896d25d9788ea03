"""Broken histories: each is refused for a while, so that it is not read again and again."""

import logging
import time
from collections.abc import Iterator

from domain.errors import BrokenHistory

RETRY_AFTER_S = 30.0  # seconds after which a broken history is read again, as it may be repaired

log = logging.getLogger(__name__)


class Broken:
    """The histories that one process has found to be broken."""

    def __init__(self) -> None:
        self._errors: dict[str, tuple[float, BrokenHistory]] = {}  # until when, error

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._errors))

    def __contains__(self, some_id: str) -> bool:
        return some_id in self._errors

    def check(self, some_id: str) -> None:
        """Raise BrokenHistory again for a history that is refused."""
        until, error = self._errors.get(some_id, (0.0, None))
        if error and time.monotonic() < until:
            raise BrokenHistory(error.version, error.reason)

    def error(self, some_id: str) -> BrokenHistory | None:
        return self._errors.get(some_id, (0.0, None))[1]

    def add(self, some_id: str, error: BrokenHistory) -> None:
        """Refuse a history for a while; log the error the first time."""
        if some_id not in self._errors:
            log.error("%s is broken and set aside: %s", some_id, error)
        self._errors[some_id] = time.monotonic() + RETRY_AFTER_S, error

    def drop(self, some_id: str) -> None:
        """Log that a history is repaired, if it was broken."""
        if self._errors.pop(some_id, None):
            log.info("%s is whole again", some_id)
