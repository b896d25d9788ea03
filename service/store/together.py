"""Looking at something once for all who ask at one moment, such as all whom its news have woken."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

T = TypeVar("T")


class Together(Generic[T]):
    """A way to look, by name, that those who ask before a look begins share. A look that has begun
    is nobody else's: it may miss what they have heard of since."""

    def __init__(self, look: Callable[[str], T]):
        self._look = look
        self._next: dict[str, Future[T]] = {}  # looks that are about to begin

    def __call__(self, name: str) -> T:
        """Return what is found; raise what looking raises."""
        if others := self._next.get(name):
            if others.exception() is None:
                return others.result()
            return self._look(name)  # it may be only the other who could not go on
        mine = self._next[name] = Future[T]()
        try:
            time.sleep(0)  # those who were woken with this one come now
            self._next.pop(name, None)
            found = self._look(name)
        except BaseException as error:
            self._next.pop(name, None)
            mine.set_exception(error)
            raise
        mine.set_result(found)
        return found
