"""One guard around one item of a loop: log its error, and go on with the next item."""

import logging
from types import TracebackType

from redis import RedisError
from redis.exceptions import RedisClusterException

from domain.errors import BrokenHistory, FoggError

# Redis does not answer. Every other item would fail, too, so the loop ends; its next run goes on.
UNREACHABLE = (RedisError, RedisClusterException, OSError)

log = logging.getLogger(__name__)


class log_errors:
    """A context manager that logs an error as "WHAT: the reason" and ends it there.

    Raise only ``UNREACHABLE``, unless ``outages`` are ended there, too, and the errors in
    ``ending``. A broken history was logged when it was set aside, so it is not logged again.
    ``failed`` says afterwards whether there was an error."""

    def __init__(self, what: str, *ending: type[Exception], outages: bool = False):
        self.what, self.failed = what, False
        self.ending = ending if outages else (*UNREACHABLE, *ending)

    def __enter__(self) -> "log_errors":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        if error is None:
            return False
        self.failed = True
        if isinstance(error, self.ending) or not isinstance(error, Exception):
            return False
        if isinstance(error, UNREACHABLE):
            log.warning("%s: %r", self.what, error)
        elif not isinstance(error, FoggError):
            log.error("%s", self.what, exc_info=error)
        elif not isinstance(error, BrokenHistory):
            log.warning("%s: %s", self.what, error)
        return True
