"""Single flight: callers who ask for the same name at the same moment share one call."""

import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

T = TypeVar("T")


class SingleFlight(Generic[T]):
    """A function of a name, with shared calls. Callers that arrive before a waiting call begins
    share its result. Later callers wait for the next call, as the running one may miss a change
    that they know of."""

    def __init__(self, look: Callable[[str], T]):
        self._look = look
        self._next: dict[str, Future[T]] = {}  # calls that are about to begin

    def __call__(self, name: str) -> T:
        if others := self._next.get(name):
            if others.exception() is None:
                return others.result()
            return self._look(name)  # the error may concern the other caller alone
        mine = self._next[name] = Future[T]()
        try:
            time.sleep(0)  # the callers who were woken with this one come now
            self._next.pop(name, None)
            value = self._look(name)
        except BaseException as error:
            self._next.pop(name, None)
            mine.set_exception(error)
            raise
        mine.set_result(value)
        return value
