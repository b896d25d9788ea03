"""Reading Redis' replies without giving way to others before each command."""

from __future__ import annotations

import select

from gevent.monkey import get_original
from redis.connection import DefaultParser

POLL = get_original("select", "poll")  # also where gevent has put its own in its place


class Parser(DefaultParser):
    """redis-py's, but for the look before each command whether the server has closed the connection
    or anything lies unread: it asks the system, where gevent's poll would let everybody else have a
    turn first. On TLS, which keeps some of what has come to itself, it is redis-py's own."""

    def can_read(self, timeout: float = 0) -> bool:
        """Return whether there is something to read, or nobody there any more."""
        is_plain = self._reader and not hasattr(self._sock, "pending")
        if is_plain and not timeout and not self._reader.has_data():
            poll = POLL()
            poll.register(self._sock, select.POLLIN)
            if not poll.poll(0):
                return False
        return super().can_read(timeout)
